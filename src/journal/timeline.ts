// Where a run's time went: every stretch between two facts is one thing that was being done, for a task, in a phase, by
// a session. The stretches add up to all the time from the first fact to the last.
import type { Fact, Stamped } from '../event.ts';
import { spanMs } from './fold-run.ts';

/** What a run was doing. `stopped`: no pawl worked on it. `own`: none of the others, which is pawl itself. */
export const doings = ['working', 'checking', 'waiting', 'paused', 'stopped', 'own'] as const;

export type Doing = (typeof doings)[number];

/** One stretch of a run's time. */
export type Span = Readonly<{ doing: Doing; ms: number; phase?: string; task?: string; session?: number }>;

/** What goes on at one instant. */
type Scene = Readonly<{
  phase?: string | undefined;
  task?: string | undefined;
  /** The last session that was begun and has not ended. */
  session?: number | undefined;
  /** Sessions in the middle of a turn. */
  turns: ReadonlySet<number>;
  checks: number;
  waiting: boolean;
  paused: boolean;
  stopped: boolean;
}>;

const nothing: Scene = { turns: new Set(), checks: 0, waiting: false, paused: false, stopped: false };

/** The stretches of a run, in order. */
export function listSpans(facts: readonly Stamped<Fact>[]): readonly Span[] {
  let scene = nothing;
  return facts.flatMap((fact, index) => {
    const before = facts[index - 1];
    const { phase, task, session } = scene;
    // Whatever went on when the facts broke off: nobody was there until the next start.
    const doing = fact.type === 'run-resumed' ? 'stopped' : doingOf(scene);
    scene = nextScene(scene, fact);
    const ms = before ? spanMs(before.at, fact.at) : 0;
    if (ms === 0) return [];
    const isOf = doing === 'stopped' ? {} : known({ phase, task, session });
    return [{ doing, ms, ...isOf }];
  });
}

/** The phase each session was begun in. */
export function phasesOfSessions(facts: readonly Stamped<Fact>[]): ReadonlyMap<number, string> {
  const phases = new Map<number, string>();
  let phase = '';
  for (const fact of facts) {
    if (fact.type === 'phase-started') phase = fact.phase;
    if (fact.type === 'session-started') phases.set(fact.session, phase);
  }
  return phases;
}

function doingOf({ turns, checks, waiting, paused, stopped }: Scene): Doing {
  if (stopped) return 'stopped';
  if (checks > 0) return 'checking';
  if (turns.size > 0) return 'working';
  if (paused) return 'paused';
  return waiting ? 'waiting' : 'own';
}

function nextScene(scene: Scene, fact: Stamped<Fact>): Scene {
  switch (fact.type) {
    case 'run-resumed':
      return nothing;
    case 'run-ended':
      return { ...nothing, stopped: true };
    case 'phase-started':
      return { ...scene, phase: fact.phase, task: undefined };
    case 'phase-ended':
      return { ...scene, phase: undefined, task: undefined };
    case 'task-started':
    case 'attempt-started':
      return { ...scene, task: fact.task, checks: 0 };
    case 'task-closed':
    case 'task-failed':
    case 'task-parked':
    case 'task-skipped':
      return { ...scene, task: undefined, checks: 0 };
    case 'session-started':
      return {
        ...withTurn(scene, fact.session),
        session: fact.session,
        task: fact.task ?? scene.task,
      };
    case 'correction-sent':
      return withTurn(scene, fact.session);
    case 'turn-ended':
      return withoutTurn(scene, fact.session);
    case 'session-ended': {
      const session = scene.session === fact.session ? undefined : scene.session;
      return { ...withoutTurn(scene, fact.session), session };
    }
    case 'check-started':
      return { ...scene, checks: scene.checks + 1 };
    case 'check-ended':
      return { ...scene, checks: Math.max(0, scene.checks - 1) };
  }
  return nextPause(scene, fact);
}

/** Waits and pauses, and the words after which it is a person's turn, or a session's again. */
function nextPause(scene: Scene, fact: Stamped<Fact>): Scene {
  switch (fact.type) {
    case 'waiting':
      return { ...scene, waiting: true };
    case 'waited':
      return { ...scene, waiting: false };
    // A person has the word, or pawl itself for no time at all.
    case 'question-asked':
    case 'draft-given':
    case 'draft-checks-tried':
      return { ...scene, waiting: true };
    case 'question-answered':
    case 'planner-corrected':
      return goOn({ ...scene, waiting: false });
    case 'draft-judged': {
      const next = { ...scene, waiting: false };
      return fact.choice === 'commented' ? goOn(next) : next;
    }
    case 'opinion-missing':
      return fact.again ? goOn(scene, fact.session) : scene;
    case 'paused':
      return { ...scene, paused: true };
    case 'continued':
      return { ...scene, paused: false, waiting: false };
  }
  return scene;
}

/** A session that is still open is sent what was said, and works on. */
function goOn(scene: Scene, session = scene.session): Scene {
  return session === undefined ? scene : withTurn(scene, session);
}

function withTurn(scene: Scene, session: number): Scene {
  return { ...scene, turns: new Set([...scene.turns, session]) };
}

function withoutTurn(scene: Scene, session: number): Scene {
  return { ...scene, turns: new Set([...scene.turns].filter((other) => other !== session)) };
}

function known(of: Pick<Scene, 'phase' | 'task' | 'session'>): Pick<Span, 'phase' | 'task' | 'session'> {
  return {
    ...(of.phase === undefined ? {} : { phase: of.phase }),
    ...(of.task === undefined ? {} : { task: of.task }),
    ...(of.session === undefined ? {} : { session: of.session }),
  };
}
