// What a run is at this moment: a fold over its facts, and the only state there is. It reads no file.
import type { Fact, FactOf, Stamped } from '../event.ts';

/** One task as far as the run has got with it. */
export type TaskState = Readonly<{
  id: string;
  title: string;
  standing: 'open' | 'closed' | 'closed-by-hand' | 'failed' | 'parked';
  /** Its first start; absent until then. */
  start?: Stamped<FactOf<'task-started'>>;
  /** Attempts that count, since the task's start or the last grant of new ones. */
  attempts: number;
  /** All attempts ever begun. */
  attemptsEver: number;
  corrections: number;
  /** Fingerprints of the attempts that ended red since the last grant, in order. */
  fingerprints: readonly string[];
  /** Trees that no session made: the start, and what checks alone changed. */
  untouched: readonly string[];
  /** Tree T as last written. */
  tree?: string;
  lastRound?: Stamped<FactOf<'round-ended'>>;
  closed?: Stamped<FactOf<'task-closed'>>;
  failed?: Stamped<FactOf<'task-failed'>>;
  question?: string;
  /** Rescue of a parked task's work that is to be put back before its next attempt. */
  parkedWork?: string;
  answers: readonly Readonly<{ question: string; answer: string }>[];
  acts: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  tamper: readonly FactOf<'tamper-noted'>[];
  /** Checks after the last turn, in the order they ran. */
  checks: readonly FactOf<'check-ended'>[];
  /** Milliseconds spent in checks of the task. */
  checkMs: number;
}>;

/** One session as far as it got; `ended` is absent while it runs and after a crash. */
export type SessionState = Readonly<{
  started: Stamped<FactOf<'session-started'>>;
  ready?: FactOf<'session-ready'>;
  /** Last known, cumulative, US dollars. */
  costUsd?: number;
  ended?: Stamped<FactOf<'session-ended'>>;
}>;

/** A run, folded. */
export type RunState = Readonly<{
  started: Stamped<FactOf<'run-started'>>;
  /** The plan as last read. */
  plan?: FactOf<'plan-read'>;
  planCommit?: string;
  branchCreated: boolean;
  tasks: ReadonlyMap<string, TaskState>;
  sessions: ReadonlyMap<number, SessionState>;
  /** A closing whose commit is not journaled yet. */
  closing?: Stamped<FactOf<'closing'>>;
  /** Checks started so far; numbers their log files. */
  checks: number;
  baseline: readonly FactOf<'check-ended'>[];
  atEnd: readonly FactOf<'check-ended'>[];
  /** New files that checks made. */
  checkMade: readonly string[];
  /** Acts outside any task. */
  acts: readonly FactOf<'act-found'>[];
  notices: readonly FactOf<'noticed'>[];
  setAside: readonly FactOf<'plan-edit-set-aside'>[];
  narrowed?: FactOf<'trust-narrowed'>;
  waiting?: Stamped<FactOf<'waiting'>>;
  waitedMs: number;
  /** Waits for an overloaded or crashing agent in a row, with no other round between. */
  outages: number;
  interventions: readonly Stamped<FactOf<'intervention'>>[];
  /** A move of the plan that was announced. */
  archiving?: FactOf<'plan-archiving'>;
  archived?: FactOf<'plan-archived'>;
  phasesEnded: readonly string[];
  resumes: number;
  /** Set while the run is not going on: the last end. Absent after a crash. */
  ended?: Stamped<FactOf<'run-ended'>>;
  /** Instant of the last fact. */
  lastAt: string;
}>;

type Draft = { -readonly [K in keyof RunState]: RunState[K] } & {
  tasks: Map<string, TaskState>;
  sessions: Map<number, SessionState>;
};

/** Folds all facts of a run; undefined when they do not begin with its start. */
export function foldRun(facts: readonly Stamped<Fact>[]): RunState | undefined {
  const [first, ...rest] = facts;
  if (first?.type !== 'run-started') return undefined;
  return rest.reduce<RunState>(foldFact, startState(first));
}

/** The state of a run that has just begun. */
export function startState(started: Stamped<FactOf<'run-started'>>): RunState {
  return {
    started,
    branchCreated: false,
    tasks: new Map(),
    sessions: new Map(),
    checks: 0,
    baseline: [],
    atEnd: [],
    checkMade: [],
    acts: [],
    notices: [],
    setAside: [],
    waitedMs: 0,
    outages: 0,
    interventions: [],
    phasesEnded: [],
    resumes: 0,
    lastAt: started.at,
  };
}

/** The state after one more fact. */
export function foldFact(state: RunState, fact: Stamped<Fact>): RunState {
  const draft: Draft = {
    ...state,
    lastAt: fact.at,
    tasks: state.tasks as Map<string, TaskState>,
    sessions: state.sessions as Map<number, SessionState>,
  };
  foldIntoRun(draft, fact);
  foldIntoSession(draft, fact);
  foldIntoTask(draft, fact);
  return draft;
}

function foldIntoRun(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'run-resumed':
      draft.resumes += 1;
      if (fact.after === 'stop') grantAttempts(draft);
      delete draft.ended;
      return;
    case 'plan-read':
      draft.plan = fact;
      draft.tasks = readTasks(draft, fact);
      return;
    case 'branch-created':
      draft.branchCreated = true;
      return;
    case 'plan-committed':
      draft.planCommit = fact.oid;
      return;
    case 'closing':
      draft.closing = fact;
      return;
    case 'round-ended':
      if (fact.verdict !== 'wait') draft.outages = 0;
      delete draft.closing;
      return;
    case 'task-closed':
      delete draft.closing;
      return;
    case 'files-made':
      draft.checkMade = [...draft.checkMade, ...fact.files];
      return;
    case 'noticed':
      draft.notices = [...draft.notices, fact];
      return;
    case 'plan-edit-set-aside':
      draft.setAside = [...draft.setAside, fact];
      return;
    case 'trust-narrowed':
      draft.narrowed = fact;
      return;
    case 'intervention':
      draft.interventions = [...draft.interventions, fact];
      return;
    case 'waiting':
      draft.waiting = fact;
      if (fact.why !== 'limit') draft.outages += 1;
      return;
    case 'waited':
      if (draft.waiting) draft.waitedMs += Date.parse(fact.at) - Date.parse(draft.waiting.at);
      delete draft.waiting;
      return;
    case 'phase-ended':
      draft.phasesEnded = [...draft.phasesEnded, fact.phase];
      return;
    case 'plan-archiving':
      draft.archiving = fact;
      return;
    case 'plan-archived':
      draft.archived = fact;
      return;
    case 'run-ended':
      draft.ended = fact;
      return;
    case 'act-found':
      if (fact.task === undefined) draft.acts = [...draft.acts, fact];
      return;
    case 'check-started':
      draft.checks += 1;
      return;
    case 'check-ended':
      if (fact.when === 'baseline') draft.baseline = [...draft.baseline, fact];
      if (fact.when === 'at-end') draft.atEnd = [...draft.atEnd, fact];
      return;
  }
}

function foldIntoSession(draft: Draft, fact: Stamped<Fact>): void {
  if (fact.type === 'session-started') {
    draft.sessions = new Map(draft.sessions).set(fact.session, { started: fact });
    return;
  }
  if (fact.type !== 'session-ready' && fact.type !== 'session-cost' && fact.type !== 'session-ended') return;
  const session = draft.sessions.get(fact.session);
  if (!session) return;
  const change =
    fact.type === 'session-ready'
      ? { ready: fact }
      : fact.type === 'session-cost'
        ? { costUsd: fact.costUsd }
        : { ended: fact, ...(fact.costUsd === undefined ? {} : { costUsd: fact.costUsd }) };
  draft.sessions = new Map(draft.sessions).set(fact.session, { ...session, ...change });
}

function foldIntoTask(draft: Draft, fact: Stamped<Fact>): void {
  if (!('task' in fact) || fact.task === undefined) return;
  const task = draft.tasks.get(fact.task);
  if (!task) return;
  const change = changeOfTask(task, fact);
  if (change) draft.tasks = new Map(draft.tasks).set(task.id, { ...task, ...change });
}

function changeOfTask(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  switch (fact.type) {
    case 'task-started':
      return { start: fact, untouched: [fact.tree], standing: 'open' };
    case 'attempt-started':
      return { attemptsEver: fact.attempt, standing: 'open' };
    case 'correction-sent':
      return { corrections: task.corrections + 1 };
    case 'round-ended':
      return {
        lastRound: fact,
        attempts: task.attempts + (fact.counts && fact.verdict !== 'correct' ? 1 : 0),
        fingerprints:
          fact.fingerprint === undefined ? task.fingerprints : [...task.fingerprints, fact.fingerprint],
      };
    case 'tree-written':
      return {
        tree: fact.tree,
        ...(fact.untouched && !task.untouched.includes(fact.tree) ? { untouched: [...task.untouched, fact.tree] } : {}),
      };
    case 'task-closed':
      return { closed: fact, standing: 'closed' };
    case 'task-closed-by-hand':
      return { standing: 'closed-by-hand' };
    case 'task-reopened':
      return { ...newTask(task.id, task.title), answers: task.answers };
    case 'task-parked':
      return {
        standing: 'parked',
        question: fact.question,
        ...(fact.rescue === undefined ? {} : { parkedWork: fact.rescue }),
      };
    case 'task-answered':
      return {
        standing: 'open',
        answers: [...task.answers, { question: task.question ?? '', answer: fact.answer }],
      };
    case 'task-failed':
      return { standing: 'failed', failed: fact };
    case 'act-found':
      return { acts: [...task.acts, fact] };
    case 'file-refused':
      return { refused: [...task.refused, fact] };
    case 'tamper-noted':
      return { tamper: [...task.tamper, fact] };
    case 'check-ended':
      return {
        checkMs: task.checkMs + fact.durationMs,
        checks: [
          ...task.checks.filter((other) => other.check !== fact.check || other.when !== fact.when),
          fact,
        ],
      };
  }
  return undefined;
}

function readTasks(draft: Draft, plan: FactOf<'plan-read'>): Map<string, TaskState> {
  return new Map(
    plan.tasks.map(({ id, title }) => {
      const known = draft.tasks.get(id);
      return [id, known ? { ...known, title } : newTask(id, title)];
    }),
  );
}

function newTask(id: string, title: string): TaskState {
  return {
    id,
    title,
    standing: 'open',
    attempts: 0,
    attemptsEver: 0,
    corrections: 0,
    fingerprints: [],
    untouched: [],
    answers: [],
    acts: [],
    refused: [],
    tamper: [],
    checks: [],
    checkMs: 0,
  };
}

/** A person who starts a stopped run again grants every open task new attempts. */
function grantAttempts(draft: Draft): void {
  draft.tasks = new Map(
    [...draft.tasks].map(([id, task]) => [
      id,
      task.standing === 'failed' || task.standing === 'open'
        ? { ...task, standing: 'open', attempts: 0, fingerprints: [] }
        : task,
    ]),
  );
}
