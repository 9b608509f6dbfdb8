// The list of all commands as data, for help, parser and completions. Loads none of them.
import type { CommandSpec } from './command.ts';
import { fleetCommands } from './declared-fleet.ts';
import { runCommands } from './declared-run.ts';
import { seeCommands } from './declared-see.ts';
import { steerCommands } from './declared-steer.ts';
import { upkeepCommands } from './declared-upkeep.ts';

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  ...runCommands,
  ...seeCommands,
  ...steerCommands,
  ...fleetCommands,
  ...upkeepCommands,
];

export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((spec) => spec.name === name);
}
