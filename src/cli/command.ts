// How a command is declared without loading it, and how it is called.
import type { Command as Commander } from 'commander';
import type { CliContext } from '../start/context.ts';
import { listOptions, type OptionSpec, type OptionsOf, type OptionTable } from '../start/run-options.ts';

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
  /** What the word may be given as, by `start/resolve-word.ts`. */
  names?: 'plan' | 'run';
}>;

/** By name; a text is what it says. */
export type ArgumentTable = Readonly<Record<string, string | Omit<ArgumentSpec, 'name'>>>;

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
  /** Long flags that its help lists first; the others come under `More:`. Default: all. */
  usual?: readonly string[];
  /** `tree`: all commands as the parser has them. */
  load(tree: () => Commander): Promise<Command<never>>;
}>;

type DeclaredCommand<Table extends OptionTable> = Omit<
  CommandSpec,
  'name' | 'group' | 'args' | 'options' | 'load'
> &
  Readonly<{
    args?: ArgumentTable;
    options?: Table;
    load(tree: () => Commander): Promise<Command<OptionsOf<Table>>>;
  }>;

/** By name. A command is one that takes what its options come to. */
export function inGroup<const Tables extends Readonly<Record<string, OptionTable>>>(
  group: string,
  commands: { [Name in keyof Tables]: DeclaredCommand<Tables[Name]> },
): readonly CommandSpec[] {
  const declared: readonly (readonly [string, DeclaredCommand<never>])[] = Object.entries(commands);
  return declared.map(([name, { args = {}, options = {}, ...command }]) => ({
    ...command,
    name,
    group,
    args: Object.entries(args).map(([arg, of]) => ({
      name: arg,
      ...(typeof of === 'string' ? { says: of } : of),
    })),
    options: listOptions(options),
  }));
}

/** A word for a run. `otherwise`: which run without one. */
export function runWord(otherwise: string): Readonly<{ says: string; names: 'run' }> {
  const says = `The run, by its plan’s path, name or part of the name, or by its id or the beginning of it; default: ${otherwise}.`;
  return { says, names: 'run' };
}
