// Words one task's life: its start, its attempts and corrections, each round's verdict, and how it ended.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { findTitle, type RenderContext } from './render-context.ts';

type TaskFact =
  | FactOf<'task-started'>
  | FactOf<'definitions-taken'>
  | FactOf<'attempt-started'>
  | FactOf<'correction-sent'>
  | FactOf<'round-ended'>
  | FactOf<'stuck'>
  | FactOf<'closing'>
  | FactOf<'task-closed'>
  | FactOf<'task-closed-by-hand'>
  | FactOf<'undo-started'>
  | FactOf<'undo-ended'>
  | FactOf<'task-reopened'>
  | FactOf<'task-parked'>
  | FactOf<'task-answered'>
  | FactOf<'task-failed'>;

/** The lines of one fact about a task. */
export function formatTask(
  fact: TaskFact,
  { verbose }: Readonly<{ verbose: boolean }>,
  context: RenderContext,
): readonly Line[] {
  switch (fact.type) {
    case 'task-started':
      return formatTaskStart(fact, verbose);
    case 'definitions-taken':
      return [
        line(
          'plain',
          `What decides about task ${fact.task} is now as you have it: ${formatList(fact.changed)}`,
        ),
      ];
    case 'attempt-started':
      return formatAttempt(fact, context);
    case 'correction-sent':
      return [line('warn', `${correction[fact.kind]}: ${fact.reason}`, 1)];
    case 'round-ended':
      return formatRound(fact, verbose);
    case 'stuck':
      return [line('warn', `Task ${fact.task} is stuck: ${fact.why} → ${stepNext[fact.step]}`, 1)];
    case 'closing':
      return verbose ? [line('dim', `Closing task ${fact.task} as ${fact.proof}: ${fact.reason}`, 1)] : [];
    case 'task-closed':
      return [formatClosed(fact)];
    case 'task-closed-by-hand':
      return [line('warn', `Task ${fact.task} was ticked by a person: closed by hand, not checked by pawl`)];
    case 'undo-started':
      return [line('dim', `Task ${fact.task} is being taken back; saved before as ${shortOid(fact.rescue)}`)];
    case 'undo-ended':
      return fact.done ? [] : [line('warn', `Task ${fact.task} could not be taken back: all is as it was`)];
    case 'task-reopened': {
      const by = fact.by === 'undo' ? 'undone' : 'reopened by hand';
      return [line('warn', `Task ${fact.task} was ${by} and is open again: ${fact.detail}`)];
    }
    case 'task-parked':
      return [
        line('warn', `Task ${fact.task} waits for your answer: ${fact.question}`),
        line('dim', `answer with: pawl answer ${fact.task} "…"`, 1),
      ];
    case 'task-answered':
      return [line('plain', `Task ${fact.task} was answered: ${fact.answer}`)];
    case 'task-failed':
      return formatFailed(fact);
  }
}

/** How much changed: `3 files, +40 −2`. */
export function formatChange(
  change: Readonly<{ files: number; insertions: number; deletions: number }>,
): string {
  if (change.files === 0) return 'no file changed';
  return `${formatCount(change.files, 'file')}, +${change.insertions} −${change.deletions}`;
}

const correction = {
  red: 'Sent back to the session',
  'finished?': 'Asked the session whether it is finished',
  'nothing-changed': 'Asked the session for the change or a reason',
  ignored: 'Asked the session about files that git ignores',
} as const;

const stepNext = {
  diagnose: 'the next attempt has to find the cause first',
  escalate: 'the next attempt gets the stronger model',
  'give-up': 'no more attempts',
} as const;

const verdictNext = {
  close: 'closes',
  correct: 'the session is told and goes on',
  again: 'a fresh attempt follows',
  replan: 'a planner is asked',
  wait: 'it waits, then goes on',
  park: 'a person is asked',
  skip: 'it is passed over',
  fail: 'the task has failed',
  stop: 'the run stops',
} as const;

function formatTaskStart(fact: FactOf<'task-started'>, verbose: boolean): readonly Line[] {
  const head = line('head', `Task ${fact.task}: ${fact.title}`);
  if (!verbose) return [head];
  const red = fact.red.length === 0 ? [] : [line('dim', `must turn green: ${formatList(fact.red)}`, 1)];
  const vacuous =
    fact.vacuous.length === 0
      ? []
      : [line('dim', `already green before the work: ${formatList(fact.vacuous)}`, 1)];
  return [
    head,
    line('dim', `starts at ${shortOid(fact.commit)}, rescue ${shortOid(fact.rescue)}`, 1),
    ...red,
    ...vacuous,
  ];
}

/** Where the task's start was told long ago, before others or before a stop, its title is said again. */
function formatAttempt(fact: FactOf<'attempt-started'>, context: RenderContext): readonly Line[] {
  const title = context.task === fact.task ? undefined : findTitle(context, fact.task);
  return [
    ...(title === undefined ? [] : [line('head', `Task ${fact.task}: ${title}`)]),
    fact.attempt > 1
      ? line('dim', `Attempt ${fact.attempt} at task ${fact.task} begins, after: ${fact.reason}`, 1)
      : line('dim', 'Attempt 1 begins', 1),
  ];
}

function formatRound(fact: FactOf<'round-ended'>, verbose: boolean): readonly Line[] {
  const uncounted =
    fact.counts || fact.verdict === 'correct' || fact.verdict === 'close'
      ? ''
      : '; not counted as an attempt';
  const text = `Attempt ${fact.attempt}: ${fact.reason} → ${verdictNext[fact.verdict]}${uncounted}`;
  switch (fact.verdict) {
    // What follows words these: the close, the correction with its reason, the run's end.
    case 'close':
    case 'correct':
    case 'stop':
      return verbose ? [line('dim', text, 1)] : [];
    case 'again':
    case 'replan':
    case 'wait':
    case 'park':
    case 'skip':
      return [line('warn', text, 1)];
    case 'fail':
      return [line('bad', text, 1)];
  }
}

function formatClosed(fact: FactOf<'task-closed'>): Line {
  const what = `${formatChange(fact)}, commit ${shortOid(fact.oid)}`;
  return fact.proof === 'checked'
    ? line('good', `Task ${fact.task} closed, checked: ${fact.reason} (${what})`)
    : line('warn', `Task ${fact.task} closed UNCHECKED: ${fact.reason} (${what})`);
}

function formatFailed(fact: FactOf<'task-failed'>): readonly Line[] {
  const failed = line('bad', `Task ${fact.task} failed: ${fact.reason}`);
  if (fact.rescue === undefined) return [failed];
  return [failed, line('dim', `its work is kept: pawl rescue show ${shortOid(fact.rescue)}`, 1)];
}
