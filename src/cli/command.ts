// How a command is declared without loading it, and how it is called.
import type { Command as Commander } from 'commander';
import type { CliContext } from '../start/context.ts';
import type { OptionSpec } from '../start/run-options.ts';

/** Gets arguments, then options by camel-case name; returns the exit code. */
export type Command<Options> = (
  context: CliContext,
  args: readonly string[],
  options: Options,
) => Promise<number>;

export type ArgumentSpec = Readonly<{
  /** `<task>`, `[plan]`, `[plan...]`. */
  name: string;
  says: string;
  choices?: readonly string[];
}>;

export type CommandSpec = Readonly<{
  /** `fleet`, or `fleet take`. */
  name: string;
  group: string;
  /** A sentence without its subject. */
  says: string;
  examples: readonly (readonly [string, string])[];
  args: readonly ArgumentSpec[];
  options: readonly OptionSpec[];
  /** Ends by itself after the first signal and when nobody reads its output; others are cut short. */
  windsDown?: boolean;
  /** pawl's own sessions may use it. */
  inSession?: boolean;
  hidden?: boolean;
  /** In the short help. */
  daily?: true;
  /** `tree`: all commands as the parser has them. */
  load(tree: () => Commander): Promise<Command<never>>;
}>;

type DeclaredCommand = Omit<CommandSpec, 'group' | 'args' | 'options'> &
  Partial<Pick<CommandSpec, 'args' | 'options'>>;

export function inGroup(group: string, commands: readonly DeclaredCommand[]): readonly CommandSpec[] {
  return commands.map((command) => ({ args: [], options: [], ...command, group }));
}

export const jsonOption: OptionSpec = { flags: '--json', says: 'The same as JSON on stdout.' };
