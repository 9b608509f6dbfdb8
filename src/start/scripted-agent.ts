// The scripted agent that comes with pawl. It costs nothing: whatever shows a login or a price must say so.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { shippedNameOf } from '../agent-name.ts';
import type { Config } from '../config/schema.ts';
import type { CliContext } from './context.ts';

/** Below `agent.claude`. */
export type ScriptSettings = Readonly<Record<string, string | readonly string[]>>;

export function scriptedSettings(context: CliContext): ScriptSettings {
  const built = path.join(context.packageRoot, inDist);
  const script = existsSync(built) ? built : path.join(context.packageRoot, inSource);
  return { command: context.nodePath, args: [script], permissions: 'dontAsk' };
}

/** Of this pawl or another. */
export function isScripted(config: Pick<Config, 'agent'>): boolean {
  const [file = ''] = config.agent.claude.args;
  return (
    shippedNameOf(config) === 'claude' && [inDist, inSource].some((own) => file.endsWith(path.sep + own))
  );
}

export const scriptedBilling = 'nobody: a script plays the agent, and its costs are made up';

const inDist = path.join('dist', 'demo-agent.js');
const inSource = path.join('src', 'demo', 'agent.ts');
