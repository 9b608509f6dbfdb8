// The two tokens of a dashboard: one that may act, one that may only read. Compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';

/** Both; each is 32 random bytes. */
export type AccessTokens = Readonly<{ act: string; read: string }>;

/** What the holder of a token may do; undefined: nothing. */
export function judgeToken(header: string | undefined, tokens: AccessTokens): keyof AccessTokens | undefined {
  const given = /^Bearer ([\w-]{1,200})$/.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  if (isSame(given, tokens.act)) return 'act';
  return isSame(given, tokens.read) ? 'read' : undefined;
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
