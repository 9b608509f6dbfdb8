// What every request must pass: host, origin and token; and the policies of answers. There are no cookies.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Env, MiddlewareHandler } from 'hono';

/** 32 random bytes each. */
export type AccessTokens = Readonly<{ act: string; read: string }>;

export type Guarded = Env & Readonly<{ Variables: { may: keyof AccessTokens } }>;

/** Only the page's own files; no text can become a script. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
} as const;

/** Against DNS rebinding and cross-site requests. */
export function guardOrigin(isHost: (host: string) => boolean): MiddlewareHandler {
  return async (c, next) => {
    const answer = judgeOrigin(c, isHost);
    if (answer) c.res = answer;
    else await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}

function judgeOrigin(c: Context, isHost: (host: string) => boolean): Response | undefined {
  const host = c.req.header('host') ?? '';
  if (!isHost(host)) return c.text('This server does not answer to that name.\n', 421);
  const { origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = c.req.header();
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (/^(?:same-origin|none)$/.test(site) || !c.req.path.startsWith('/api/'))) return undefined;
  return c.text('Another page may not ask this server.\n', 403);
}

export function guardToken(tokens: AccessTokens): MiddlewareHandler<Guarded> {
  return async (c, next) => {
    const may = judgeToken(c.req.header('authorization'), tokens);
    if (may === undefined)
      return c.json({ error: 'The token is missing or wrong: open the link that `pawl web` prints.' }, 401);
    if (c.req.method !== 'GET' && may === 'read')
      return c.json({ error: 'This link can only look: actions need the other link.' }, 403);
    c.set('may', may);
    return next();
  };
}

/** Compared in constant time. */
function judgeToken(header: string | undefined, tokens: AccessTokens): keyof AccessTokens | undefined {
  const given = /^Bearer ([\w-]{1,200})$/.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  const isSame = (token: string): boolean => timingSafeEqual(digest(given), digest(token));
  if (isSame(tokens.act)) return 'act';
  return isSame(tokens.read) ? 'read' : undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
