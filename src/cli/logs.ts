// `pawl logs`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Shows what happened in a run. */
export const showLogs: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl logs is not in this build');
};
