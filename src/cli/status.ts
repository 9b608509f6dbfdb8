// `pawl status`: declared, not in this build.
import { Failure } from '../failure.ts';
import type { Command } from './command.ts';

/** Shows where a run stands. */
export const showStatus: Command<Readonly<Record<string, unknown>>> = async () => {
  throw new Failure('usage', 'pawl status is not in this build');
};
