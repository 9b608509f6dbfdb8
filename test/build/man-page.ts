// The manual page pawl(1), made from the declared commands when pawl is built. It knows the commands by their data alone.
import type { CommandSpec } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodes } from '../../src/failure.ts';

const exits: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'Done.',
  taskFailed: 'A task failed.',
  usage: 'Usage, configuration, trust or plan error; nothing was started.',
  needsPerson: 'Needs a person.',
  notClean: 'Not clean, something unchecked, or red in a fresh checkout of the branch.',
  budget: 'A budget is spent.',
  limited: 'Usage limit or outage of the agent’s service; resume later.',
  refused: 'The agent refused: login, billing, not installed.',
  environment: 'The environment: git, disk, a hook.',
  bug: 'A bug in pawl.',
  interrupted: 'Interrupted.',
  terminated: 'Terminated.',
  hungUp: 'Hung up.',
};

const files = [
  ['.pawl/config.yaml', 'Settings of the project; read only while it is trusted.'],
  ['.pawl/templates/', 'Prompts and reviewers that replace those of pawl.'],
  ['~/.config/pawl/config.yaml', 'Settings of the user.'],
  ['.git/pawl/runs/', 'Journal, sessions and report of each run.'],
] as const;

const variables = [
  ['PAWL_…', 'Any setting by its name, e.g. PAWL_AGENT_NAME; see pawl config.'],
  ['PAWL_DEBUG', 'A file that gets a line for each program that pawl starts.'],
  ['NO_COLOR', 'Turns colours off.'],
] as const;

/** The page as roff source. */
export function formatManPage(version: string): string {
  const shown = commands.filter(({ hidden }) => hidden !== true);
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  return `${[
    `.TH PAWL 1 "" "pawl ${version}" "User Commands"`,
    '.SH NAME',
    'pawl \\- drives coding agents through a markdown plan',
    '.SH SYNOPSIS',
    '.B pawl',
    '.RI [ command ]\n.RI [ options ]\n.RI [ arguments ]',
    '.SH DESCRIPTION',
    'Each task of a plan is given to a fresh agent and is done when its checks pass, which pawl runs itself, not when the agent says so. pawl ticks and commits.',
    '.PP',
    'A plan as the first word means \\fBpawl run\\fR. Each command has help of its own: \\fBpawl\\fR \\fIcommand\\fR \\fB\\-\\-help\\fR.',
    ...groups.flatMap(([group, specs]) => [
      `.SH ${escapeText(group.toUpperCase())}`,
      ...specs.flatMap(formatCommand),
    ]),
    '.SH EXIT STATUS',
    ...Object.entries(exitCodes).flatMap(([name, code]) =>
      item(`\\fB${code}\\fR`, exits[name as keyof typeof exitCodes]),
    ),
    '.SH FILES',
    ...files.flatMap(([file, says]) => item(`\\fI${escapeText(file)}\\fR`, says)),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, says]) => item(`\\fB${escapeText(name)}\\fR`, says)),
    '.SH SEE ALSO',
    '.BR git (1),\n.BR claude (1)',
  ].join('\n')}\n`;
}

function formatCommand({ name, says, args, options, examples }: CommandSpec): readonly string[] {
  const words = args.map((arg) => `\\fI${escapeText(arg.name)}\\fR`).join(' ');
  return [
    `.SS \\fBpawl ${escapeText(name)}\\fR ${words}`.trimEnd(),
    escapeLine(says),
    ...args.flatMap((arg) => item(`\\fI${escapeText(arg.name)}\\fR`, withChoices(arg.says, arg.choices))),
    ...options.flatMap((option) =>
      item(`\\fB${escapeText(option.flags)}\\fR`, withChoices(option.says, option.choices)),
    ),
    '.PP',
    'Examples:',
    ...examples.flatMap(([line, what]) => item(`\\fB${escapeText(line)}\\fR`, what)),
  ];
}

function withChoices(says: string, choices: readonly string[] | undefined): string {
  return choices ? `${says} (${choices.join(', ')})` : says;
}

function item(title: string, says: string): readonly string[] {
  return ['.TP', title, escapeLine(says)];
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...');
}

/** A full stop or an apostrophe at its beginning would be a request to roff. */
function escapeLine(text: string): string {
  return escapeText(text).replace(/^(?=[.'])/, '\\&');
}
