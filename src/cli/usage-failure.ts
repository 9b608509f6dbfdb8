// What is wrong with a command line, in commander's words.
import type { CommanderError } from 'commander';
import { Failure } from '../failure.ts';
import type { CommandSpec } from './command.ts';
import { findCommand } from './commands.ts';

export function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  const [first = '', second = ''] = error.message.replace(/^error: /, '').split('\n');
  const says = first.replace(/\.$/, '');
  const spec = findCommand(argv.slice(0, 2).join(' ')) ?? findCommand(argv[0] ?? '');
  const [, word = ''] = /^unknown command '([\w-]+)'$/.exec(says) ?? [];
  const suggestion = /^\((.*)\)$/.exec(second)?.[1];
  return new Failure('usage', says, { hint: moved[word] ?? suggestion ?? helpFor(says, { word, spec }) });
}

/** What serves in place of a command that is no more. */
const moved: Readonly<Record<string, string>> = {
  take: 'pawl fleet take',
  submit: 'pawl fleet submit',
  worker: 'pawl fleet work',
  compare: 'pawl stats RUN RUN',
  edit: 'Any editor edits a plan. While it runs: pawl pause, edit, pawl continue',
  findings: 'pawl report --findings',
};

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
