// What earlier events contribute to the formatting of later ones: the run's name, its plan, the current task.
import { type Flakiness, foldFlakiness, noneFlaky } from '../../event/flaky.ts';
import { type GroundFields, groundOf } from '../../event/ground.ts';
import type { Event, FactOf, OfLane } from '../../event.ts';
import { isInSeries } from './format-check.ts';

/** What a reader already knows when the next event comes. */
export type RenderContext = Readonly<{
  run?: string;
  /** Its plan, in the form that commands take: relative to the repository's root, or absolute. */
  planFile?: string;
  /** What the last start works with. */
  ground?: GroundFields;
  plan?: FactOf<'plan-read'>;
  caps?: FactOf<'budgets-set'>;
  /** The task whose title was last shown in this phase. */
  task?: string;
  lanes?: ReadonlyMap<number, string>;
  /** Commands of checks that were tried before a task's work, by id. */
  tried?: ReadonlyMap<string, string>;
  /** Commands of checks that were red on the untouched tree, and are not excused for it. */
  redBefore?: readonly string[];
  /** The last round that a fresh attempt follows: why it ended has been shown. */
  round?: FactOf<'round-ended'>;
  /** The tasks that failed since the run was started, each as in the run's end. */
  failed?: readonly string[];
  flakiness?: Flakiness;
  /** Green checks that have not been shown yet, by lane; 0: in the run's own tree. */
  green?: ReadonlyMap<number, readonly FactOf<'check-ended'>[]>;
  /** What a person has answered since the last attempt. */
  answer?: FactOf<'intervention'>;
  /** Personas of the reviewers with open sessions, by session: several speak at a time. */
  reviewers?: ReadonlyMap<number, string>;
  folders?: ReadonlyMap<number, string>;
  /** Sessions of planners and reviewers: they answer with a block or data, not with a marker. */
  markerless?: ReadonlySet<number>;
}>;

export const emptyContext: RenderContext = {};

/** The context after one more event. */
export function foldContext(context: RenderContext, event: Event & OfLane): RenderContext {
  return foldGreen(foldShown(context, event), event);
}

/** Green checks wait until something else happens in their lane. */
function foldGreen(context: RenderContext, event: Event & OfLane): RenderContext {
  const { lane = 0 } = event;
  const waiting = context.green?.get(lane) ?? [];
  const left = event.type === 'run-ended' || endsSeries(context, event) ? [] : waiting;
  const now = event.type === 'check-ended' && isInSeries(event) ? [...left, event] : left;
  if (now.length === waiting.length && now === left) return context;
  return { ...context, green: new Map(context.green).set(lane, now) };
}

/** The green checks to be shown before this event. */
export function findGreen(context: RenderContext, event: Event & OfLane): readonly FactOf<'check-ended'>[] {
  return endsSeries(context, event) ? (context.green?.get(event.lane ?? 0) ?? []) : [];
}

function endsSeries({ green }: RenderContext, event: Event & OfLane): boolean {
  const first = green?.get(event.lane ?? 0)?.[0];
  if (first === undefined || event.type === 'activity') return false;
  if (event.type === 'check-started' || event.type === 'check-ended')
    return event.when !== first.when || (event.type === 'check-ended' && !isInSeries(event));
  return true;
}

function foldShown(context: RenderContext, event: Event & OfLane): RenderContext {
  switch (event.type) {
    case 'run-started':
      return { ...context, run: event.run, planFile: event.plan, ground: groundOf(event) };
    case 'run-resumed': {
      const { failed: _, round: __, ...rest } = context;
      return event.ground ? { ...rest, ground: event.ground } : rest;
    }
    case 'round-ended':
      return event.verdict === 'again' ? { ...context, round: event } : context;
    case 'task-set-aside':
      return event.as === 'failed' ? withFailed(context, event) : context;
    case 'plan-read':
      return { ...context, plan: event };
    case 'budgets-set':
      return { ...context, caps: event };
    case 'phase': {
      if (event.state === 'ended') return context;
      const { task: _, lanes: __, ...rest } = context;
      return rest;
    }
    case 'task-started':
      return { ...context, ...saidTitle(context, event) };
    case 'intervention':
      return event.kind === 'answer' ? { ...context, answer: event } : context;
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
      return {
        ...context,
        ...answering(context, event),
        folders: new Map(context.folders).set(event.session, event.cwd),
      };
  }
  return context;
}

function withFailed(context: RenderContext, { task, reason }: FactOf<'task-set-aside'>): RenderContext {
  return { ...context, failed: [...(context.failed ?? []), `task ${task} failed: ${reason}`] };
}

function saidTitle(
  { lanes }: RenderContext,
  { task, lane }: Readonly<{ task: string }> & OfLane,
): Pick<RenderContext, 'task' | 'lanes'> {
  return lane === undefined ? { task } : { lanes: new Map(lanes).set(lane, task) };
}

/** The task whose title was last shown in the lane of an event. */
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

/** Title of a task in the plan as last shown. */
export function findTitle({ plan }: RenderContext, task: string): string | undefined {
  return plan?.tasks.find(({ id }) => id === task)?.title;
}

/** A file of the run folder as a path for a person. `runs`: the folder of all runs, as seen from that person. */
export function nameRunFile({ run }: RenderContext, file: string, runs = '.git/pawl/runs'): string {
  return run === undefined ? `${file} in the run folder` : `${runs}/${run}/${file}`;
}
