// `pawl rescue`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Lists, shows and restores saved states. */
export const rescueCommand: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl rescue is not in this build');
};
