// Formats every event: what happened, why, and what comes next, as lines that can be copied. The reporter decides which lines
// are shown, and in which colours.
import type { Event, OfLane } from '../../event.ts';
import { type Line, speakerOf } from '../text/line.ts';
import { formatActivity } from './format-activity.ts';
import { formatBudgetFact } from './format-budget.ts';
import { formatCarry } from './format-carry.ts';
import { formatControl } from './format-control.ts';
import { formatDialogue } from './format-dialogue.ts';
import { formatFinalize } from './format-finalize.ts';
import { formatGuard } from './format-guard.ts';
import { formatLane } from './format-lane.ts';
import { formatPlan } from './format-plan.ts';
import { formatQueueFact } from './format-queue.ts';
import { formatReplan } from './format-replan.ts';
import { formatReview } from './format-review.ts';
import { formatRun } from './format-run.ts';
import { formatSandbox } from './format-sandbox.ts';
import { formatSession } from './format-session.ts';
import { formatTask } from './format-task.ts';
import { emptyContext, type RenderContext, taskSaid } from './render-context.ts';

/** How much is said, and for whom. */
export type WordingOptions = Readonly<{
  /** Words every fact and every activity. */
  verbose: boolean;
  /** Folder of all runs, as seen from where the reader stands. Default `.git/pawl/runs`. */
  runs?: string;
  /** Root of the repository: taken off where a tool call begins with it. Default: nothing is. */
  root?: string;
}>;

/** The lines of one event, as one who knows `context` reads them; none for what only `verbose` says. */
export function formatEvent(
  event: Event & OfLane,
  options: WordingOptions,
  context: RenderContext = emptyContext,
): readonly Line[] {
  return nameSpeaker(context, event, formatWhole(event, options, context));
}

function formatWhole(
  event: Event & OfLane,
  options: WordingOptions,
  context: RenderContext,
): readonly Line[] {
  switch (event.type) {
    case 'activity':
      return formatActivity(event, options);
    case 'run-started':
    case 'plan-read':
    case 'plan-committed':
    case 'plan-edit-set-aside':
    case 'plan-archiving':
    case 'plan-archived':
    case 'branch-created':
      return formatPlan(event, options, context);
    case 'run-resumed':
    case 'phase-started':
    case 'phase-ended':
    case 'trust-narrowed':
    case 'waiting':
    case 'waited':
    case 'intervention':
    case 'noticed':
    case 'trace-joined':
    case 'run-ended':
      return formatRun(event, options, context);
    case 'task-started':
    case 'definitions-taken':
    case 'attempt-started':
    case 'correction-sent':
    case 'round-ended':
    case 'stuck':
    case 'closing':
    case 'task-closed':
    case 'task-closed-by-hand':
    case 'undo-started':
    case 'undo-ended':
    case 'discard-started':
    case 'task-reopened':
    case 'task-parked':
    case 'task-answered':
    case 'task-failed':
      return formatTask(event, options, context);
    case 'check-started':
    case 'check-ended':
    case 'act-found':
    case 'file-refused':
    case 'tamper-noted':
    case 'tree-written':
    case 'fresh-verified':
    case 'files-made':
    case 'egress-refused':
    case 'rescue-saved':
    case 'watch-started':
    case 'watch-ended':
    case 'answer-refused':
    case 'edits-left':
    case 'edits-taken':
      return formatGuard(event, options, context);
    case 'session-started':
    case 'session-ready':
    case 'session-cost':
    case 'turn-ended':
    case 'agent-switched':
    case 'clock-rang':
    case 'limit-seen':
    case 'leftovers-ended':
    case 'session-ended':
      return formatSession(event, options, context);
    case 'stage-started':
    case 'review-round-started':
    case 'opinion-given':
    case 'opinion-missing':
    case 'fix-planned':
    case 'findings-answered':
    case 'fix-ended':
    case 'review-round-ended':
    case 'stage-ended':
      return formatReview(event);
    case 'finalize-started':
    case 'history-finalized':
    case 'finalize-ended':
      return formatFinalize(event);
    case 'replan-started':
    case 'replan-taking':
    case 'replan-ended':
      return formatReplan(event);
    case 'queued':
    case 'work-set-aside':
    case 'work-brought-back':
      return formatQueueFact(event, options);
    case 'question-asked':
    case 'question-answered':
    case 'draft-given':
    case 'planner-corrected':
    case 'draft-checks-tried':
    case 'draft-judged':
    case 'plan-writing':
    case 'plan-written':
      return formatDialogue(event, options);
    case 'sandbox-opened':
      return formatSandbox(event);
    case 'lane-opened':
    case 'lane-tried':
    case 'lane-catching-up':
    case 'lane-caught-up':
    case 'landing-waited':
    case 'landing-given-back':
    case 'landing-rerun':
    case 'trunk-kept':
    case 'lane-closed':
      return formatLane(event, options);
    case 'carry-begun':
    case 'carried':
    case 'carry-failed':
    case 'taken-up':
    case 'fenced':
    case 'request-answered':
      return formatCarry(event, options);
    case 'budgets-set':
    case 'budget-reached':
      return formatBudgetFact(event, context);
    case 'pause-asked':
    case 'paused':
    case 'continued':
    case 'stop-asked':
    case 'note-left':
    case 'notes-delivered':
    case 'skip-asked':
    case 'task-skipped':
    case 'retry-asked':
      return formatControl(event);
  }
}

/** Reviewers speak side by side, and so do tasks in lanes: each line says whose it is. */
function nameSpeaker(context: RenderContext, event: Event & OfLane, lines: readonly Line[]): readonly Line[] {
  const reviewer = event.type === 'activity' ? context.reviewers?.get(event.session) : undefined;
  if (reviewer !== undefined) return lines.map((line) => ({ ...line, text: `${reviewer}: ${line.text}` }));
  if (event.lane === undefined) return lines;
  const task = ('task' in event ? event.task : undefined) ?? saidInLane(context, event);
  if (task === undefined) return lines;
  // A line that names its task first needs no speaker.
  const isNamed = ({ text, indent }: Line) =>
    indent === 0 && text.replace(/^[^\w] /u, '').startsWith(`Task ${task}`);
  return lines.map((line) =>
    isNamed(line)
      ? line
      : { ...line, indent: 0, text: `${speakerOf(task)}${'  '.repeat(line.indent)}${line.text}` },
  );
}

/** What is told of a lane itself is told of no task. */
function saidInLane(context: RenderContext, event: Event & OfLane): string | undefined {
  return event.type.startsWith('lane-') ? undefined : taskSaid(context, event);
}

/** Whether an event is said even where quiet was asked for: what ends, waits, fails or needs a person. */
export function isLoud(event: Event): boolean {
  return loud.has(event.type);
}

const loud: ReadonlySet<Event['type']> = new Set([
  'task-closed',
  'task-closed-by-hand',
  'task-parked',
  'task-failed',
  'stuck',
  'waiting',
  'budget-reached',
  'paused',
  'task-skipped',
  'trust-narrowed',
  'opinion-missing',
  'stage-ended',
  'finalize-ended',
  'replan-ended',
  'question-asked',
  'plan-written',
  'carry-failed',
  'fenced',
  'run-ended',
]);
