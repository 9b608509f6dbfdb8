// `pawl report`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Shows the receipt of a run. */
export const showReport: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl report is not in this build');
};
