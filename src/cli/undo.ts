// `pawl undo`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Takes a task back. */
export const undoCommand: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl undo is not in this build');
};
