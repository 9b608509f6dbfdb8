// What earlier events contribute to the formatting of later ones.
import { type GroundFields, groundOf } from '../../event/ground.ts';
import type { Event, FactOf, OfLane } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { isInSeries } from './format-check.ts';

export type RenderContext = Readonly<{
  state?: RunState | undefined;
  ground?: GroundFields;
  /** Whose title was last shown in this phase. */
  task?: string;
  lanes?: ReadonlyMap<number, string>;
  /** The one that a fresh attempt follows: why it ended has been shown. */
  round?: FactOf<'round-ended'>;
  /** Since the run was started, each as in the run's end. */
  failed?: readonly string[];
  /** Not shown yet, by lane; 0: in the run's own tree. */
  green?: ReadonlyMap<number, readonly FactOf<'check-ended'>[]>;
  /** Since the last attempt. */
  answer?: FactOf<'intervention'>;
}>;

export const emptyContext: RenderContext = {};

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
      return { ...context, ground: groundOf(event) };
    case 'run-resumed': {
      const { failed: _, round: __, ...rest } = context;
      return event.ground ? { ...rest, ground: event.ground } : rest;
    }
    case 'round-ended':
      return event.verdict === 'again' ? { ...context, round: event } : context;
    case 'task-set-aside':
      return event.as === 'failed' ? withFailed(context, event) : context;
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

export function taskSaid({ task, lanes }: RenderContext, { lane }: OfLane): string | undefined {
  return lane === undefined ? task : lanes?.get(lane);
}

export function findSession(
  { state }: RenderContext,
  session: number,
): FactOf<'session-started'> | undefined {
  return state?.sessions.get(session)?.started;
}

/** In the plan as last shown. */
export function findTitle({ state }: RenderContext, task: string): string | undefined {
  return state?.tasks.get(task)?.title;
}

/** `runs`: the folder of all runs, as the reader sees it. */
export function nameRunFile({ state }: RenderContext, file: string, runs = '.git/pawl/runs'): string {
  const run = state?.started.run;
  return run === undefined ? `${file} in the run folder` : `${runs}/${run}/${file}`;
}
