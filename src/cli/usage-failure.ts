// What is wrong with a command line, in pawl's words: commander's errors reworded, each with what to do.
import type { CommanderError } from 'commander';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { formatCount } from '../report/text/figure.ts';
import { longFlag } from '../start/option.ts';
import type { CommandSpec } from './command.ts';
import { findCommand } from './commands.ts';
import { foreignCommands, foreignOptions } from './foreign-words.ts';

export function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  const [first = '', second = ''] = error.message.replace(/^error: /, '').split('\n');
  const spec = findCommand(argv.slice(0, 2).join(' ')) ?? findCommand(argv[0] ?? '');
  const { says = first.replace(/\.$/, ''), helps } = rewordValue(first) ?? rewordOption(first, spec) ?? {};
  const suggestion = hintForUnknown(first) ?? /^\((.*)\)$/.exec(second)?.[1];
  return new Failure('usage', says, { hint: helps ?? suggestion ?? helpFor(first, spec) });
}

type Reworded = Readonly<{ says: string; helps?: string | undefined }>;

function rewordValue(message: string): Reworded | undefined {
  const [, flag, value = '', name, rest = ''] =
    /^(?:option '(?:-\w, )?(--[\w-]+).*?' argument|command-argument value) '(.*)' is invalid(?: for argument '(.+)')?\. (.*?)\.?$/s.exec(
      message,
    ) ?? [];
  if (rest === '') return undefined;
  const choices = /^Allowed choices are (.*)$/.exec(rest)?.[1]?.split(', ');
  const all = choices && `${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`;
  const meant = choices && nearest(value, choices);
  const says = `${flag ?? `<${name}>`} takes ${all ?? rest.replace(/^It takes /, '')}, not “${value}”`;
  return { says, helps: meant && `Did you mean ${meant}?` };
}

/** An option without the value that it needs, or with one that it does not accept; too many arguments. */
function rewordOption(message: string, spec: CommandSpec | undefined): Reworded | undefined {
  const [, lone, form] = /^option '(?:-\w, )?(--[\w-]+) (.*)' argument missing$/.exec(message) ?? [];
  if (lone !== undefined) return { says: `${lone} needs a value: ${lone} ${form}` };
  const many = /^too many arguments for '(.+)'\. Expected (\d+) .*? but got \d+: (.*)\.$/s.exec(message);
  if (many)
    return { says: `pawl ${many[1]} takes ${formatCount(Number(many[2]), 'argument')}, not ${many[3]}` };
  const [, flag, value] = /^unknown option '(--[\w-]+)=(.*)'$/s.exec(message) ?? [];
  if (flag === undefined || !spec?.options.some((option) => longFlag(option) === flag)) return undefined;
  return { says: `${flag} takes no value`, helps: `Leave out =${value}` };
}

/** By the words that commander and `unknownCommand` use for it. */
function hintForUnknown(message: string): string | undefined {
  const [, what, word = ''] = /^unknown (option|command) '([^'=]*)/.exec(message) ?? [];
  const known = what === 'option' ? foreignOptions : what === 'command' ? foreignCommands : {};
  return Object.hasOwn(known, word) ? known[word] : undefined;
}

const textShape = /^.(text|answer)\.{3}/;

function helpFor(message: string, spec: CommandSpec | undefined): string {
  const name = spec?.hidden ? undefined : spec?.name;
  if (message.startsWith('unknown option') && spec?.args.some(({ name: arg }) => textShape.test(arg)))
    return `Put a text that begins with - after --: pawl ${name} -- "--…"`;
  const [, word] = /^unknown command '([\w-]+)'$/.exec(message) ?? [];
  if (word !== undefined) return `All commands: pawl --help. To run a plan of that name: pawl run ${word}`;
  return `See: pawl ${name ? `${name} ` : ''}--help`;
}
