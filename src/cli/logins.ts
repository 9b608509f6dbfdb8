// Which logins an agent has where it runs. It reads no secret.
import { findLogins, type Logins } from '../config/login.ts';
import type { Config } from '../config/schema.ts';
import type { CliContext } from './context.ts';

/** The logins that an agent would find: in a sandbox those of the environment alone. */
export function loginsOf(
  { env, folders, platform }: Pick<CliContext, 'env' | 'folders' | 'platform'>,
  { sandbox }: Pick<Config, 'sandbox'>,
): Logins {
  if (sandbox.kind === 'none') return findLogins(env, folders.home, platform);
  // What lies in the home or in a keychain stays outside.
  const { CLAUDE_CONFIG_DIR: _, ...crossing } = env;
  return findLogins(crossing, '/nonexistent', 'linux');
}
