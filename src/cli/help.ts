// Help, laid out by commander from what commands declare.
import { Failure } from '../failure.ts';
import { type CliContext, paint } from '../start/context.ts';
import type { CommandSpec } from './command.ts';
import { findCommand } from './commands.ts';
import { buildCommander } from './parse-arguments.ts';

const starts: CommandSpec['examples'] = [
  ['pawl init', 'settings and a first plan'],
  ['pawl docs/plans/first-plan.md', 'run it'],
  ['pawl demo', 'watch a run without an agent'],
];

/** Of one command; without one, of those for every day, or of `all`. */
export function formatHelp(
  look: Pick<CliContext, 'colour' | 'columns'>,
  { spec, all = false }: Readonly<{ spec?: CommandSpec; all?: boolean }>,
): string {
  const program = buildCommander(() => {});
  const shown = spec ? program.commands.find((one) => one.name() === spec.name) : program;
  if (!shown) throw new Failure('usage', `there is no help for ${spec?.name}`);
  const helpWidth = Math.min(look.columns, 110);
  const styleTitle = (title: string) => paint(look, 'bold', title);
  shown
    .configureOutput({ getOutHelpWidth: () => helpWidth, getOutHasColors: () => look.colour })
    .configureHelp({
      styleTitle,
      minWidthToWrap: 20,
      commandDescription: () => '',
      subcommandTerm: (one) => one.name(),
      visibleCommands: ({ commands }) =>
        commands.filter((one) => {
          const found = findCommand(one.name());
          return found !== undefined && !found.hidden && (all || found.daily === true);
        }),
    });
  const help = shown.createHelp();
  help.prepareContext({ helpWidth });
  const examples = spec?.examples ?? starts;
  const width = Math.max(...examples.map(([words]) => words.length));
  return [
    help.boxWrap(
      `${styleTitle(spec ? `pawl ${spec.name}` : 'pawl')}  ${spec?.says ?? 'Drives coding agents through a markdown plan: a task is done when its checks pass.'}`,
      helpWidth,
    ),
    '',
    styleTitle('Examples:'),
    ...examples.map(([words, says]) => help.formatItem(words, width, says, help)),
    '',
    shown.helpInformation().trim(),
  ].join('\n');
}
