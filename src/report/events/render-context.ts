// What earlier events tell the formatting of later ones: the run's name, its plan, the current task.
import { type Flakiness, foldFlakiness, noneFlaky } from '../../event/flaky.ts';
import { type Ground, groundOf } from '../../event/ground.ts';
import type { Event, FactOf, OfLane } from '../../event.ts';

/** What a reader knows already when the next event comes. */
export type RenderContext = Readonly<{
  /** Id of the run. */
  run?: string;
  /** Its plan, as commands take it: relative to the repository's root, or absolute. */
  planFile?: string;
  /** What the last start works with. */
  ground?: Ground;
  /** The plan as last told. */
  plan?: FactOf<'plan-read'>;
  /** The caps as last told. */
  caps?: FactOf<'budgets-set'>;
  /** Task whose title was said last in this phase. */
  task?: string;
  /** The same of each lane. */
  lanes?: ReadonlyMap<number, string>;
  /** Commands of checks that were tried before a task's work, by id. */
  tried?: ReadonlyMap<string, string>;
  /** Commands of checks that were red on the untouched tree, and are not excused for it. */
  redBefore?: readonly string[];
  /** The last round that a fresh attempt follows: why it ended has been told. */
  round?: FactOf<'round-ended'>;
  /** The tasks that failed since the run was started, each as the run's end tells it. */
  failed?: readonly string[];
  flakiness?: Flakiness;
  /** What a person answered since the last attempt. */
  answer?: FactOf<'task-answered'>;
  /** Personas of the reviewers whose sessions are open, by session: several speak at a time. */
  reviewers?: ReadonlyMap<number, string>;
  /** Sessions of planners and reviewers: they answer by a block or as data, and no marker says that they are done. */
  markerless?: ReadonlySet<number>;
}>;

/** Nothing has been told. */
export const emptyContext: RenderContext = {};

/** The context after one more event. */
export function foldContext(context: RenderContext, event: Event & OfLane): RenderContext {
  switch (event.type) {
    case 'run-started':
      return { ...context, run: event.run, planFile: event.plan, ground: groundOf(event) };
    case 'run-resumed': {
      const { failed: _, round: __, ...rest } = context;
      return event.ground ? { ...rest, ground: event.ground } : rest;
    }
    case 'round-ended':
      return event.verdict === 'again' ? { ...context, round: event } : context;
    case 'task-failed':
      return {
        ...context,
        failed: [...(context.failed ?? []), `task ${event.task} failed: ${event.reason}`],
      };
    case 'plan-read':
      return { ...context, plan: event };
    case 'budgets-set':
      return { ...context, caps: event };
    case 'phase-started': {
      const { task: _, lanes: __, ...rest } = context;
      return rest;
    }
    case 'task-started':
      return { ...context, ...saidTitle(context, event) };
    case 'task-answered':
      return { ...context, answer: event };
    case 'attempt-started': {
      const { answer: _, ...rest } = context;
      return { ...rest, ...saidTitle(context, event) };
    }
    case 'tree-written':
      return { ...context, flakiness: foldFlakiness(context.flakiness ?? noneFlaky, event) };
    case 'check-ended': {
      const flakiness = foldFlakiness(context.flakiness ?? noneFlaky, event);
      if (event.when === 'baseline' && event.result !== 'green' && !event.knownRed)
        return { ...context, flakiness, redBefore: [...(context.redBefore ?? []), event.command] };
      if (event.when !== 'before') return { ...context, flakiness };
      return { ...context, flakiness, tried: new Map(context.tried).set(event.check, event.command) };
    }
    case 'session-started':
      return { ...context, ...answering(context, event) };
  }
  return context;
}

function saidTitle(
  { lanes }: RenderContext,
  { task, lane }: Readonly<{ task: string }> & OfLane,
): Pick<RenderContext, 'task' | 'lanes'> {
  return lane === undefined ? { task } : { lanes: new Map(lanes).set(lane, task) };
}

/** The task whose title was said last where an event happens. */
export function taskSaid({ task, lanes }: RenderContext, { lane }: OfLane): string | undefined {
  return lane === undefined ? task : lanes?.get(lane);
}

function answering(
  { markerless, reviewers }: RenderContext,
  { role, session, reviewer }: FactOf<'session-started'>,
): Partial<RenderContext> {
  if (role !== 'plan' && role !== 'replan' && role !== 'review') return {};
  return {
    markerless: new Set(markerless).add(session),
    ...(reviewer === undefined ? {} : { reviewers: new Map(reviewers).set(session, reviewer) }),
  };
}

/** Title of a task in the plan as last told. */
export function findTitle({ plan }: RenderContext, task: string): string | undefined {
  return plan?.tasks.find(({ id }) => id === task)?.title;
}

/** A file of the run folder as a person finds it. `runs`: the folder of all runs, as seen from where that person stands. */
export function nameRunFile({ run }: RenderContext, file: string, runs = '.git/pawl/runs'): string {
  return run === undefined ? `${file} in the run folder` : `${runs}/${run}/${file}`;
}
