// What earlier events told that later ones are worded with: the run's name, its plan, the task at hand. It words nothing.
import { type Ground, groundOf } from '../event/run.ts';
import type { Event, FactOf } from '../event.ts';

/** What a reader knows already when the next event comes. */
export type Scene = Readonly<{
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
  /** Personas of the reviewers whose sessions are open, by session: several speak at a time. */
  reviewers?: ReadonlyMap<number, string>;
  /** Sessions of planners and reviewers: they answer by a block or as data, and no marker says that they are done. */
  markerless?: ReadonlySet<number>;
}>;

/** Nothing has been told. */
export const emptyScene: Scene = {};

/** The scene after one more event. */
export function foldScene(scene: Scene, event: Event): Scene {
  switch (event.type) {
    case 'run-started':
      return { ...scene, run: event.run, planFile: event.plan, ground: groundOf(event) };
    case 'run-resumed':
      return event.ground ? { ...scene, ground: event.ground } : scene;
    case 'plan-read':
      return { ...scene, plan: event };
    case 'budgets-set':
      return { ...scene, caps: event };
    case 'phase-started': {
      const { task: _, ...rest } = scene;
      return rest;
    }
    case 'task-started':
    case 'attempt-started':
      return { ...scene, task: event.task };
    case 'session-started':
      return { ...scene, ...answering(scene, event) };
  }
  return scene;
}

function answering(
  { markerless, reviewers }: Scene,
  { role, session, reviewer }: FactOf<'session-started'>,
): Partial<Scene> {
  if (role !== 'plan' && role !== 'replan' && role !== 'review') return {};
  return {
    markerless: new Set(markerless).add(session),
    ...(reviewer === undefined ? {} : { reviewers: new Map(reviewers).set(session, reviewer) }),
  };
}

/** Title of a task in the plan as last told. */
export function findTitle({ plan }: Scene, task: string): string | undefined {
  return plan?.tasks.find(({ id }) => id === task)?.title;
}

/** A file of the run folder as a person finds it. `runs`: the folder of all runs, as seen from where that person stands. */
export function nameRunFile({ run }: Scene, file: string, runs = '.git/pawl/runs'): string {
  return run === undefined ? `${file} in the run folder` : `${runs}/${run}/${file}`;
}
