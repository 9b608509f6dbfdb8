// Parses argv. What it cannot understand throws Failure('usage') with a suggestion.
import { Argument, Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../duration.ts';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { longFlag, type OptionSpec, optionName } from '../start/run-options.ts';
import type { ArgumentSpec, CommandSpec } from './command.ts';
import { commands, findCommand } from './commands.ts';
import { gone } from './gone.ts';

export type ParsedWords =
  | Readonly<{
      ask: 'command';
      spec: CommandSpec;
      args: readonly string[];
      options: Readonly<Record<string, unknown>>;
    }>
  | Readonly<{ ask: 'help'; spec?: CommandSpec; misused?: boolean; all?: boolean }>;

/** A plan as the first word means `run`. */
export function parseWords(argv: readonly string[]): ParsedWords {
  if (argv.length === 0) return { ask: 'help', misused: true };
  const words = namesPlan(argv) ? ['run', ...argv] : joinName(argv);
  let asked: ParsedWords | undefined;
  const program = buildCommander((answer) => {
    asked = answer;
  });
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw usageFailure(error, findCommand(words[0] ?? ''));
  }
  return asked ?? { ask: 'help' };
}

export function buildCommander(answer: (asked: ParsedWords) => void): Commander {
  const program = silent('pawl')
    .helpCommand(false)
    .enablePositionalOptions()
    .option('-h, --help', 'Help, also of one command.')
    .option('-V, --version', 'Version.')
    .option('--all', 'With --help: all commands.')
    .allowExcessArguments();
  program.action((options: { help?: boolean; all?: boolean }) => {
    const [word] = program.args;
    if (word !== undefined) return program.error(unknownCommand(word));
    return answer({ ask: 'help', misused: options.help !== true, all: options.all === true });
  });
  for (const spec of commands) program.addCommand(build(spec, answer), { hidden: spec.hidden === true });
  const help = program
    .command('help', { hidden: true })
    .argument('[command...]')
    .option('--all', 'All commands.');
  help.action((words: readonly string[]) => {
    const [name] = joinName(words);
    const spec = findCommand(name ?? '');
    if (name !== undefined && !spec) help.error(unknownCommand(name));
    answer(spec ? { ask: 'help', spec } : { ask: 'help', ...(help.opts()['all'] ? { all: true } : {}) });
  });
  return program;
}

/** It throws what it would print, and knows no help of its own. */
function silent(name: string): Commander {
  const nothing = { writeErr: () => {}, outputError: () => {} };
  return new Commander(name).exitOverride().configureOutput(nothing).helpOption(false);
}

function build(spec: CommandSpec, answer: (asked: ParsedWords) => void): Commander {
  const command = silent(spec.name)
    .description(spec.says)
    .allowExcessArguments(spec.name === 'complete')
    .helpGroup(`${spec.group}:`)
    .usage(['[options]', ...spec.args.map(({ name }) => name)].join(' '));
  // Judged in the action, so that `--help` needs none.
  for (const arg of spec.args) command.addArgument(makeArgument(arg));
  for (const option of spec.options) {
    const isUsual = spec.usual?.includes(longFlag(option)) ?? true;
    command.addOption(isUsual ? makeOption(option) : makeOption(option).helpGroup('More:'));
  }
  command.option('-h, --help', 'This help.');
  return command.action(() => {
    const { help, ...options } = command.opts();
    if (help === true) return answer({ ask: 'help', spec });
    const missing = spec.args.find(
      (arg, index) => arg.name.startsWith('<') && command.args[index] === undefined,
    );
    if (missing) command.error(`error: missing argument ${missing.name}: ${missing.says}`);
    refuseUseless(spec.options, options);
    return answer({ ask: 'command', spec, args: command.args, options });
  });
}

function makeArgument({ name, says, choices }: ArgumentSpec): Argument {
  const argument = new Argument(name.replace('<', '[').replace('>', ']'), says);
  return choices ? argument.choices([...choices]) : argument;
}

function makeOption({ flags, says, choices, atLeast, isTime, many, excludes = [] }: OptionSpec): Option {
  const option = new Option(flags, says).conflicts(excludes.map((flag) => optionName({ flags: flag })));
  if (choices) option.choices([...choices]);
  if (atLeast !== undefined) option.argParser((text) => readCount(text, atLeast));
  if (isTime) option.argParser(needTime);
  if (many) option.argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text]);
  return option;
}

function readCount(text: string, atLeast: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= atLeast) return value;
  throw new InvalidArgumentError(`It takes a whole number of at least ${atLeast}.`);
}

function needTime(text: string): string {
  if (parseDuration(text) !== undefined) return text;
  throw new InvalidArgumentError('It takes a time with its unit, e.g. 90s, 10m or 4h.');
}

/** `fleet take` becomes one word. */
export function joinName(words: readonly string[]): string[] {
  const [first = '', second = '', ...rest] = words;
  const name = `${first} ${second}`;
  return findCommand(name) ? [name, ...rest] : [...words];
}

function namesPlan(argv: readonly string[]): boolean {
  const [first = ''] = argv;
  if (first === 'help' || findCommand(first)) return false;
  return first.startsWith('-') ? argv.some(isPlanWord) : isPlanWord(first);
}

function isPlanWord(word: string): boolean {
  return !word.startsWith('-') && (/\.(md|markdown)$/i.test(word) || word.includes('/'));
}

function unknownCommand(word: string): string {
  const names = commands.filter((spec) => spec.hidden !== true).map((spec) => spec.name);
  const meant = names.find((name) => name.endsWith(` ${word}`)) ?? nearest(word, names);
  return `error: unknown command '${word}'${meant ? `\n(Did you mean ${meant}?)` : ''}`;
}

/** Throws for an option that has no effect without another. */
function refuseUseless(specs: readonly OptionSpec[], options: Readonly<Record<string, unknown>>): void {
  const given = specs.filter((spec) => options[optionName(spec)] !== undefined);
  const flags = new Set(given.map(longFlag));
  for (const spec of given) {
    const lack = spec.needs?.find((one) => !flags.has(one));
    if (lack !== undefined)
      throw new Failure('usage', `${longFlag(spec)} has no effect without ${lack}`, {
        hint: `Add ${lack}.`,
      });
  }
}

function usageFailure(error: CommanderError, spec: CommandSpec | undefined): Failure {
  const [first = '', second = ''] = error.message.replace(/^error: /, '').split('\n');
  const says = first.replace(/\.$/, '');
  const [, word = ''] = /^unknown command '([\w-]+)'$/.exec(says) ?? [];
  const [, flag = word] = /^unknown option '(--[\w-]+)/.exec(says) ?? [];
  const suggestion = /^\((.*)\)$/.exec(second)?.[1];
  return new Failure('usage', says, { hint: gone[flag] ?? suggestion ?? helpFor(says, { word, spec }) });
}

const textShape = /^.(text|answer)\.{3}/;

function helpFor(
  says: string,
  { word, spec }: Readonly<{ word: string; spec: CommandSpec | undefined }>,
): string {
  if (word !== '') return `All commands: pawl help --all. To run a plan of that name: pawl run ${word}`;
  const name = spec === undefined || spec.hidden ? '' : `${spec.name} `;
  const isUnknown = says.startsWith('unknown option');
  if (isUnknown && spec?.args.some(({ name: arg }) => textShape.test(arg)))
    return `Put a text that begins with - after --: pawl ${name}-- "--…"`;
  if (isUnknown && spec?.options.some(({ flags }) => flags.startsWith('--set ')))
    return `See: pawl ${name}--help. A setting (docs/settings.md): --set key=value`;
  return `See: pawl ${name}--help`;
}
