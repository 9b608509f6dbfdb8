// What is wrong with a command line: commander's errors reworded.

import type { CommanderError } from 'commander';
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { formatCount } from '../report/text/figure.ts';
import { longFlag } from '../start/option.ts';
import type { CommandSpec } from './command.ts';
import { findCommand } from './commands.ts';

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

const wait = 'It waits for usage limits by itself, up to limits.maxWait: --set limits.maxWait=6h';
const watch = '`pawl web` shows all runs in a browser; `pawl logs -f` follows one in any terminal.';
const resumes = 'pawl run resumes an unfinished run of the plan.';
const bound = '--max-sessions <n> bounds the run; --set task.attempts=<n> each task';
const external = 'pawl review --stage external';
const times = 'Lines begin with their time in files, and in terminals of 100 columns or more.';
const base = 'pawl review --base <ref> reviews the changes since then.';

/** Once options, now only settings. */
const settings: Readonly<Record<string, string>> = {
  '--tamper': 'tamper',
  '--replan': 'replan',
  '--strict': 'strict',
  '--wait-for-answer': 'waitForAnswer',
  '--fallback': 'agent.fallback',
  '--max-tokens': 'budgets.maxTokens',
  '--session-timeout': 'clocks.session',
  '--idle-timeout': 'clocks.silence',
  '--review-model': 'roles.review',
  '--plan-model': 'roles.plan',
  '--claude-command': 'agent.claude.command',
};

export const foreignOptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(settings).map(([flag, key]) => [flag, `--set ${key}=…`])),
  '--no-archive': '--set archive=false',
  '--time': times,
  '--no-time': times,
  '--no-keep-awake': 'A run keeps the machine awake where the system can.',
  '--serve': watch,
  '--watch': watch,
  '--port': watch,
  '-s': watch,
  '-w': watch,
  '--plan': 'To make a plan: pawl plan "what you want"',
  '--wait': wait,
  '--base-ref': base,
  '-b': base,
  '--external-only': external,
  '-e': external,
  '--codex': 'codex as the agent: --agent codex; as a reviewer: --review external',
  '--task-model': '--model <model[:effort]>',
  '--max-iterations': bound,
  '-m': bound,
  '-t': 'Without a review: --tasks-only',
  '--review': 'The review after the tasks has stages: --review first,external,final; alone: pawl review',
  '--no-color': 'The variable NO_COLOR=1 turns colors off.',
  '--init': 'pawl init',
  '--debug': '--verbose shows more.',
  '--junit': 'pawl report --json has an item for each task; pawl findings --sarif is for code scanning.',
  '--resume': resumes,
  '--continue': resumes,
};

export const foreignCommands: Readonly<Record<string, string>> = {
  take: 'pawl fleet take',
  submit: 'pawl fleet submit',
  worker: 'pawl fleet work',
  compare: 'pawl stats RUN RUN shows runs side by side',
  resume: 'pawl run resumes a stopped run; pawl continue ends a pause',
  watch,
  serve: watch,
  version: 'pawl --version',
  tail: 'pawl logs -f',
  start: 'pawl run docs/plans/login.md',
  abort: 'pawl stop ends a run; it can be resumed.',
  kill: 'pawl stop ends a run; it can be resumed.',
  approve: 'pawl answer gives a task the answer that it waits for.',
};
