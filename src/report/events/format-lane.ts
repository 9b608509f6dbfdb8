// Formats what happens to lanes and at the gate: catching up, what was given back, files of a person's that stay.
import type { FactOf } from '../../event.ts';
import { formatList, formatMs, formatTasks, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';

type LaneFact =
  | FactOf<'lane-opened'>
  | FactOf<'lane-tried'>
  | FactOf<'lane-catching-up'>
  | FactOf<'lane-caught-up'>
  | FactOf<'landing-waited'>
  | FactOf<'landing-given-back'>
  | FactOf<'landing-rerun'>
  | FactOf<'trunk-kept'>
  | FactOf<'lane-closed'>;

/** The lines of one fact about lanes. */
export function formatLane(fact: LaneFact, { verbose }: Readonly<{ verbose: boolean }>): readonly Line[] {
  const detail = (text: string) => (verbose ? [line('dim', text)] : []);
  switch (fact.type) {
    case 'lane-opened':
      return detail(`Lane ${fact.lane} is ready after ${formatMs(fact.ms)}: ${fact.folder}`);
    case 'lane-tried':
      return formatTried(fact);
    case 'lane-catching-up':
      return detail(`Task ${fact.task} catches up with ${shortOid(fact.onto)}`);
    case 'lane-caught-up':
      return detail(formatCaughtUp(fact));
    case 'landing-waited':
      return detail(`Task ${fact.task} waited ${formatMs(fact.ms)} to land`);
    case 'landing-given-back':
      return [line('warn', `Task ${fact.task} does not land yet: ${formatGivenBack(fact)}`)];
    case 'landing-rerun':
      return [
        fact.result === 'green'
          ? line(
              'warn',
              `Flaky: \`${fact.command}\` failed on the merged work of task ${fact.task}, then passed`,
            )
          : line('dim', `\`${fact.command}\` fails again on the merged work of task ${fact.task}`),
      ];
    case 'trunk-kept':
      return [
        line(
          'warn',
          `You have changed ${formatList(fact.files)}: the branch has a newer version, yours stays`,
        ),
        line('dim', 'git diff shows the difference', 1),
      ];
    case 'lane-closed':
      return detail(`Lane ${fact.lane} was removed`);
  }
}

function formatTried({ differs }: FactOf<'lane-tried'>): readonly Line[] {
  if (differs.length === 0) return [];
  return [
    line('warn', 'The checks do not work in a lane, so the tasks run one after the other'),
    ...differs.map(({ command, was, is }) =>
      line('plain', `\`${command}\`: ${was} here, ${was === is ? 'but in another way' : is} there`, 1),
    ),
    line('dim', 'name what the checks need in worktree.copy, worktree.clone or worktree.setup', 1),
  ];
}

function formatCaughtUp({ task, commit, landed, conflicts }: FactOf<'lane-caught-up'>): string {
  const which = landed.length === 0 ? '' : `, with ${formatTasks(landed)}`;
  const but = conflicts.length === 0 ? '' : `; in conflict: ${formatList(conflicts)}`;
  return `Task ${task} stands on ${shortOid(commit)} now${which}${but}`;
}

function formatGivenBack({ why, files, landed }: FactOf<'landing-given-back'>): string {
  const beside = landed.length === 0 ? 'what came into the branch' : formatTasks(landed);
  return why === 'conflict'
    ? `${formatList(files)} in conflict with ${beside}`
    : `red once merged with ${beside}`;
}
