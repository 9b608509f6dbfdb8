// `pawl clean`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Removes what old runs left. */
export const cleanRuns: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl clean is not in this build');
};
