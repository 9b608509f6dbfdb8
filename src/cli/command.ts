// The shape of a command: how it is declared without loading it, and how it is called.
import type { Command as Commander } from 'commander';
import type { CliContext } from '../start/context.ts';
import type { OptionSpec } from '../start/option.ts';

/** A command: gets arguments, then options by camel-case name; returns the exit code. */
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
  /** One word, or two: `fleet take`. */
  name: string;
  group: string;
  /** One line, a sentence without its subject. */
  says: string;
  examples: readonly (readonly [string, string])[];
  args: readonly ArgumentSpec[];
  options: readonly OptionSpec[];
  /** Ends by itself after the first signal and when nobody reads its output; other commands are cut short. */
  windsDown?: boolean;
  /** May be used by one of pawl's own sessions. */
  inSession?: boolean;
  hidden?: boolean;
  /** In the short help: what people use each day. */
  daily?: true;
  /** `tree`: all commands as the parser has them, for those that describe the others. */
  load(tree: () => Commander): Promise<Command<never>>;
}>;

export const jsonOption: OptionSpec = { flags: '--json', says: 'The same as JSON on stdout.' };
