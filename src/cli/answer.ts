// `pawl answer`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Answers a parked task. */
export const answerTask: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl answer is not in this build');
};
