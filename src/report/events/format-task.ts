// Formats one task's life.
import type { FactOf } from '../../event.ts';
import { findWorkState } from '../../journal/state.ts';
import { formatCount, formatList, formatTasks, shortOid } from '../text/figure.ts';
import { type Line, line, span, spanned } from '../text/line.ts';
import { formatKept } from './format-work.ts';
import type { Formats, RenderContext } from './render-context.ts';

export const taskFormats = {
  'task-started': ({ task, title }) => line('head', `Task ${task}: ${title}`),
  'definitions-taken': (fact) =>
    line('plain', `Your changes to the checks of task ${fact.task} now apply: ${formatList(fact.changed)}`),
  'attempt-started': formatAttempt,
  'correction-sent': formatCorrection,
  'round-ended': formatRound,
  stuck: (fact) => line('warn', `Task ${fact.task} is stuck: ${fact.why} → ${stepNext[fact.step]}`, 1),
  'task-closed': formatClosed,
  'task-reopened': (fact) => {
    const by = fact.by === 'undo' ? 'undone' : 'reopened by hand';
    return [line('warn', `Task ${fact.task} was ${by} and is open again: ${fact.detail}`)];
  },
  'task-set-aside': formatAside,
  'landing-given-back': ({ task, why, files, landed }) => {
    const beside = landed.length === 0 ? 'what came into the branch' : formatTasks(landed);
    const reason =
      why === 'conflict'
        ? `${formatList(files)} in conflict with ${beside}`
        : `its checks are red on a tree that also has ${beside}`;
    return [line('warn', `Task ${task} does not land yet: ${reason}`)];
  },
  'landing-kept': ({ files }) => [
    line('warn', `You have changed ${formatList(files)}: the branch has a newer version, yours stays`),
    line('dim', 'git diff shows the difference', 1),
  ],
} satisfies Formats;

export function formatChange(
  change: Readonly<{ files: number; insertions: number; deletions: number }>,
): string {
  if (change.files === 0) return 'no file changed';
  return `${formatCount(change.files, 'file')}, +${change.insertions} −${change.deletions}`;
}

export function formatDifference({
  difference,
  uncommitted,
}: Pick<FactOf<'run-ended'>, 'difference' | 'uncommitted'>): string | undefined {
  if (!difference || !uncommitted) return difference && formatChange(difference);
  const committed = difference.files === 0 ? 'nothing' : formatChange(difference);
  return `${committed} committed; ${formatChange(uncommitted)} in the working tree, uncommitted`;
}

function formatCorrection({ session, kind, reason }: FactOf<'correction-sent'>): Line {
  const gets = reason.startsWith('red: ') ? 'gets this output' : `is told: ${reason}`;
  const why = kind === 'red' ? gets : `is asked ${correction[kind]}: ${reason}`;
  return spanned('warn', [span('warn', '↩ correction  '), span('dim', `session ${session} ${why}`)], 1);
}

const correction = {
  'finished?': 'whether it has finished',
  'nothing-changed': 'for the change or a reason',
  proof: 'for a proof',
  ignored: 'about files that git ignores',
  runner: 'about files that the checks read',
  conflict: 'to resolve conflicts',
} as const;

const stepNext = {
  diagnose: 'the next attempt must find the cause first',
  escalate: 'the next attempt gets the stronger model',
  'give-up': 'no more attempts',
} as const;

const verdictNext: Readonly<Partial<Record<FactOf<'round-ended'>['verdict'], string>>> = {
  again: 'a fresh attempt follows',
  replan: 'a planner is asked',
  skip: 'it is skipped',
};

/** After a stop the title is repeated, and the reason, as its round was not told. */
function formatAttempt(
  { task: id, attempt, reason }: FactOf<'attempt-started'>,
  { state }: RenderContext,
): readonly Line[] {
  const task = state && findWorkState(state, id);
  const isTold = (at = '') => at >= (state?.lifeAt ?? '');
  const round = task?.lastRound;
  const why = round?.reason === reason && isTold(round.at) ? '' : `, because the last one ended: ${reason}`;
  return [
    ...(task?.start === undefined || isTold(task.start.at) || isTold(round?.at)
      ? []
      : [line('head', `Task ${id}: ${task.title}`)]),
    ...(attempt === 1 ? [] : [line('dim', `Attempt ${attempt}${why}`, 1)]),
  ];
}

/** What follows tells of the others, as a wait does. */
function formatRound({ verdict, attempt, reason, counts }: FactOf<'round-ended'>): readonly Line[] {
  const next = verdictNext[verdict];
  if (next === undefined) return [];
  const uncounted = counts ? '' : '; it does not count as an attempt';
  return [line('warn', `Attempt ${attempt}: ${reason} → ${next}${uncounted}`, 1)];
}

function formatClosed(fact: FactOf<'task-closed'>): Line {
  const { task, proof, pending, reason, oid } = fact;
  const words = span('dim', `: ${reason} (${formatChange(fact)}, commit ${shortOid(oid)})`);
  return proof === 'unchecked'
    ? spanned('warn', [span('warn', `! Task ${task} closed UNCHECKED`), words])
    : spanned('good', [
        span('good', '✓ '),
        ...(pending
          ? [`Task ${task} closed; its proof follows`]
          : [`Task ${task} closed, `, span('good', proof)]),
        words,
      ]);
}

function formatAside({ task, as, reason, rescue }: FactOf<'task-set-aside'>): readonly Line[] {
  const kept = formatKept(rescue);
  switch (as) {
    case 'parked':
      return [
        spanned('warn', [span('warn', '? '), `Task ${task} asks you: ${reason}`]),
        line('dim', `answer with: pawl answer ${task} "…"`, 1),
      ];
    case 'failed':
      return [line('bad', `✗ Task ${task} failed: ${reason}`), ...kept];
    case 'skipped':
      return [
        line('warn', `Task ${task} was skipped and stays open; to work on it again: pawl retry ${task}`),
        ...kept,
      ];
    case 'open':
      return [
        line('warn', `The unfinished work of task ${task} was set aside (${shortOid(rescue ?? '')})`),
        line('dim', 'the next attempt at that task starts from it', 1),
      ];
  }
}
