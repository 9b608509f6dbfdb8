// `pawl demo`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Runs a scripted agent. */
export const runDemo: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl demo is not in this build');
};
