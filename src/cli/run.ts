// `pawl run`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Runs plans. */
export const runPlan: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl run is not in this build');
};
