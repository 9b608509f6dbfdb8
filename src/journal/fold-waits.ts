// Folds what keeps a run from working: waits, how many in a row led nowhere, usage limits, a person's pause.
import { defined } from '../defined.ts';
import { isServiceWait, type Rest, waits } from '../event/waits.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Changes, Entry, type Fold, foldBy } from './changes.ts';
import { findWorkState, type RunState, type SessionState, type WaitsState } from './state.ts';

export const noWaits: WaitsState = {
  waitRows: {},
  metLimits: new Map(),
  unusable: new Set(),
  rests: [],
  asleepMs: 0,
  asleepInWaitsMs: 0,
};

export const foldWaits: Fold<RunState, WaitsState> = (run, fact) => ({
  ...foldRow(run, fact),
  ...foldSleep(run, fact),
});

const foldRow = foldBy<RunState, WaitsState>({
  waiting: (run, fact) => ({ ...ending(run, fact.at, 'wait'), waiting: fact, ...owe(run, fact) }),
  waited: (run, { how, at }) => ({
    ...(how !== 'interrupted' && { owedWait: undefined }),
    ...ending(run, at, 'wait'),
  }),
  'run-resumed': (run, { after, at }) => ({
    unusable: new Set(),
    // If cut off by a crash, they lasted until the last sign of life.
    ...ending({ ...run, rests: [...run.rests, stopUntil(run, at)] }, run.lastAt, ...lasting),
    ...(after === 'stop' && {
      // A person's start means go on; after a crash anything may have started it.
      pause: undefined,
      // An outage may be over when a person starts again; a limit is not, before its reset.
      waitRows: defined({ limit: run.waitRows.limit }),
      ...(run.owedWait?.why !== 'limit' && { owedWait: undefined }),
    }),
  }),
  'run-ended': (run, { at }) => ending(run, at, ...lasting),
  intervention: (run, { kind, now = false, at }) => {
    if (kind === 'pause') return { pause: { ...run.pause, now } };
    if (kind !== 'continue') return {};
    return {
      metLimits: new Map(),
      unusable: new Set(),
      triedAgainAt: at,
      owedWait: undefined,
      ...ending(run, at, 'wait', 'pause'),
      pause: undefined,
    };
  },
  paused: (run, { at }) => ({
    rests: ending(run, at, 'wait').rests,
    pause: { now: run.pause?.now ?? false, since: at },
  }),
  'session-started': ({ owedWait }, { agent }) => (isFor(owedWait, [agent]) ? { owedWait: undefined } : {}),
  'turn-ended': foldTurn,
  'session-cost': ({ waitRows: { limit: _, ...waitRows } }) => ({ waitRows }),
  'task-closed': () => ({ waitRows: {} }),
  'opinion-given': () => ({ waitRows: {} }),
  'round-ended': (run, fact) => (isInRow(run, fact) ? {} : { waitRows: {} }),
  dialogue: (run, { at }) => ending(run, at, 'dialogue'),
});

/** What ends with pawl. */
const lasting = ['wait', 'pause', 'dialogue'] as const;

/** What keeps it from working now. */
export function restsNow({ waiting, pause, dialogue, course, lifeAt }: RunState): readonly Rest[] {
  const rests: Rest[] = [];
  // A lane's wait may go on in a pause.
  if (waiting && !pause?.since) {
    const as = waits[waiting.why].of === 'person' ? 'paused' : 'waiting';
    rests.push({ kind: 'wait', as, from: waiting.at, says: waiting.text });
  }
  if (pause?.since) rests.push({ kind: 'pause', as: 'paused', from: pause.since, says: 'paused' });
  const { state = '', at } = dialogue.at(-1) ?? {};
  // The next start puts it to the person again.
  if (at && !course.ended && ['asked', 'drafted', 'tried'].includes(state)) {
    const from = at > lifeAt ? at : lifeAt;
    rests.push({ kind: 'dialogue', as: 'waiting', from, says: 'waiting for you' });
  }
  return rests;
}

/** Sleep in a person's time is theirs. */
function foldSleep(run: RunState, { sleptMs = 0 }: Stamped<Fact>): Changes<WaitsState> {
  const now = restsNow(run);
  if (now.some(({ as }) => as === 'paused')) return {};
  return {
    asleepMs: run.asleepMs + sleptMs,
    asleepInWaitsMs: run.asleepInWaitsMs + (now.length > 0 ? sleptMs : 0),
  };
}

/** What of it goes on has lasted until `to`; a pause that is asked for goes on. */
function ending(run: RunState, to: string, ...kinds: readonly Rest['kind'][]): Changes<WaitsState> {
  const over = restsNow(run).filter(({ kind }) => kinds.includes(kind));
  return {
    ...(kinds.includes('wait') && { waiting: undefined }),
    ...(kinds.includes('pause') && run.pause && { pause: { now: run.pause.now } }),
    rests: [...run.rests, ...over.map((rest) => ({ ...rest, to }))],
  };
}

/** A person may have answered after the end. */
function stopUntil({ course: { ended }, lastAt }: RunState, to: string): Rest {
  return { kind: 'stop', as: 'stopped', from: ended?.at ?? lastAt, to, says: 'stopped' };
}

export function isFor(
  wait: Pick<FactOf<'waiting'>, 'agents'> | undefined,
  agents: readonly string[],
): boolean {
  return wait?.agents === undefined || wait.agents.some((agent) => agents.includes(agent));
}

/** Owed from its beginning, since a process may end without a word. */
function owe(run: RunState, fact: Stamped<FactOf<'waiting'>>): Changes<WaitsState> {
  const { why } = fact;
  if (!isServiceWait(why)) return {};
  const isSame = run.owedWait?.until === fact.until && run.owedWait.why === why;
  if (isSame) return { owedWait: fact };
  const row = run.waitRows[why];
  const oneMore = { since: row?.since ?? fact.at, count: (row?.count ?? 0) + 1 };
  return { owedWait: fact, waitRows: { ...run.waitRows, [why]: oneMore } };
}

/** Waits are in a row while the sessions between bring no verdict and no change to the tree. */
function isInRow(run: RunState, { verdict, task: id, tree }: FactOf<'round-ended'>): boolean {
  if (verdict === 'correct') return true;
  const task = findWorkState(run, id);
  const before = task?.lastRound?.tree ?? task?.start?.tree;
  return verdict === 'wait' && (tree === undefined || before === undefined || tree === before);
}

/** An agent is at its limit from the turn that hit it until the model works again. */
function foldTurn(run: RunState, fact: Stamped<FactOf<'turn-ended'>>): Changes<WaitsState> {
  const session = run.sessions.get(fact.session);
  if (session === undefined) return {};
  const { agent } = session.started;
  const without = () => new Map([...run.metLimits].filter(([name]) => name !== agent));
  return {
    ...(cannotStandIn(session, fact) && { unusable: new Set([...run.unusable, agent]) }),
    ...(metLimit(fact)
      ? { metLimits: new Entry(agent, { at: Date.parse(fact.at), ...defined({ until: fact.until }) }) }
      : hasWorked.has(fact.outcome) && { metLimits: without() }),
  };
}

/** Refused, or ended before its first word. */
function cannotStandIn({ started, ready }: SessionState, { outcome }: FactOf<'turn-ended'>): boolean {
  if (started.insteadOf === undefined) return false;
  return outcome === 'refused' || (ready === undefined && (outcome === 'crashed' || outcome === 'timed-out'));
}

function metLimit({ outcome, suspectsLimit }: FactOf<'turn-ended'>): boolean {
  return outcome === 'limited' || suspectsLimit === true;
}

/** Outcomes of turns in which the model finished speaking. */
const hasWorked: ReadonlySet<FactOf<'turn-ended'>['outcome']> = new Set([
  ...['done', 'failed', 'already-done', 'needs-input', 'replan', 'silent', 'unfinished'],
] as const);
