// Formats help: what a command is, examples first, then arguments and options. Uses only the declarations.

import type { CliContext } from '../start/context.ts';
import { paint } from '../start/context.ts';
import type { OptionSpec } from '../start/option.ts';
import type { ArgumentSpec, CommandSpec } from './command.ts';
import { commands } from './commands.ts';

type Look = Pick<CliContext, 'colour' | 'columns'>;
type Row = readonly [string, string];

/** Help for pawl as a whole: the commands of each day, or all. */
export function formatHelp(look: Look, isAll: boolean): string {
  const shown = commands.filter((spec) => spec.hidden !== true && (isAll || spec.daily));
  const groups = [...new Set(shown.map((spec) => spec.group))];
  const starts: Row[] = [
    ['pawl init', 'settings and a first plan'],
    ['pawl docs/plans/first-plan.md', 'run it'],
    ['pawl demo', 'watch a run without an agent'],
  ];
  return [
    wrap(
      'pawl drives coding agents through a markdown plan: a task is done when its checks pass.',
      look.columns,
    ).join('\n'),
    section(look, 'Examples', starts),
    ...groups.map((group) =>
      section(
        look,
        group,
        shown.filter((spec) => spec.group === group).map((spec) => [spec.name, spec.says]),
      ),
    ),
    section(look, 'Options', [
      ['-h, --help', 'Show help; for one command: pawl run --help.'],
      ...(isAll ? [] : [['pawl help --all', 'Show all commands.'] as const]),
      ['-V, --version', 'Show the version; with --json also those of Node, the system and the agent.'],
    ]),
  ].join('\n\n');
}

export function formatCommandHelp(look: Look, spec: CommandSpec): string {
  const rare = spec.options.filter((option) => option.rare);
  const common = spec.options.filter((option) => !option.rare);
  const usage = ['pawl', spec.name, '[options]', ...spec.args.map((arg) => arg.name)].join(' ');
  return [
    `${paint(look, 'bold', `pawl ${spec.name}`)}  ${spec.says}`,
    section(look, 'Examples', spec.examples),
    `${paint(look, 'bold', 'Usage')}\n  ${usage}`,
    ...(spec.args.length > 0 ? [section(look, 'Arguments', spec.args.map(argumentRow))] : []),
    section(look, 'Options', [...common.map(optionRow), ['-h, --help', 'This help.']]),
    ...(rare.length > 0 ? [section(look, 'More', rare.map(optionRow))] : []),
  ].join('\n\n');
}

function argumentRow(arg: ArgumentSpec): Row {
  return [arg.name, arg.choices ? `${arg.says} (${arg.choices.join(', ')})` : arg.says];
}

function optionRow(option: OptionSpec): Row {
  const flags = option.flags.startsWith('--') ? `    ${option.flags}` : option.flags;
  return [flags, option.choices ? `${option.says} (${option.choices.join(', ')})` : option.says];
}

function section(look: Look, title: string, rows: readonly Row[]): string {
  const width = Math.min(44, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) => {
    const room = Math.max(24, Math.min(look.columns, 110) - width - 4);
    const said = wrap(right, room).join(`\n${' '.repeat(width + 4)}`);
    // A long left side gets a line of its own.
    const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : `${' '.repeat(width - left.length)}  `;
    return `  ${left}${gap}${said}`;
  });
  return [paint(look, 'bold', title), ...lines].join('\n');
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
