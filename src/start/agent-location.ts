// Where the agent of a run works, for checks of its login and its programs. Reads no secrets.

import type { Whereabouts } from '../agent/adapter.ts';
import { isAgentVariable } from '../agent/agents.ts';
import type { Config } from '../config/schema.ts';
import { passthroughEnvironment } from '../sandbox/env-passthrough.ts';
import type { CliContext } from './context.ts';

/** Where it works: in a sandbox it sees only the variables that are passed in, and no home. */
export function agentLocationOf(
  { env, folders, platform, uid }: Pick<CliContext, 'env' | 'folders' | 'platform' | 'uid'>,
  { sandbox }: Pick<Config, 'sandbox'>,
): Whereabouts {
  if (sandbox.kind === 'none') return { env, home: folders.home, platform, uid, isInside: false };
  const crossing = passthroughEnvironment(env, sandbox.env, isAgentVariable);
  return { env: crossing, home: '/nonexistent', platform: 'linux', uid, isInside: true };
}
