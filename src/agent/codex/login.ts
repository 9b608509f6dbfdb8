// Whether codex (0.169.0) is logged in, by its key or file. Spends no tokens and reads no secret.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Diagnosis, Whereabouts } from '../adapter.ts';

/** A provider of the user's own may need none. */
export function judgeLogin({ env, home, isInside }: Whereabouts): Diagnosis {
  if (env['OPENAI_API_KEY'] || env['CODEX_API_KEY']) return { state: 'ok', says: 'API account of its key' };
  const folder = env['CODEX_HOME'] || path.join(home, '.codex');
  const isThere = (file: string) => existsSync(path.join(folder, file));
  if (isThere('auth.json')) return { state: 'ok', says: 'login kept by codex' };
  const remedy = isInside
    ? 'Let its key into the sandbox: OPENAI_API_KEY.'
    : 'codex login, or set OPENAI_API_KEY; a provider in its config.toml may need neither.';
  return { state: 'warn', says: 'no login found', remedy };
}
