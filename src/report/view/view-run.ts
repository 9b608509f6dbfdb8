// Makes the view of a run from the folded journal and its lock's holder: nothing else decides what people are shown.
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import { capsInForce } from '../../event/caps.ts';
import { pickExit } from '../../failure.ts';
import { isUnsettled } from '../../journal/fold-review.ts';
import type { Holder } from '../../journal/holder.ts';
import { readLedger, timeTaken } from '../../journal/ledger.ts';
import { oncePerState, planOf, type RunEnd, type RunState } from '../../journal/state.ts';
import { isTaskClosed, type TaskStanding } from '../../journal/task-state.ts';
import { judgeFindings } from '../findings/judge-findings.ts';
import { formatShare } from '../text/figure.ts';
import { formatExit } from '../text/run-words.ts';
import { listNeeds } from './needs.ts';
import type { Forecast, RunView } from './run-view.ts';
import { countTasks, listInWork } from './works.ts';

/** What the journal does not know; the branch checked out where it is asked, if that matters. */
type Surroundings = Readonly<{
  /** Default: if there is a holder. */
  isHeld?: boolean;
  holder?: Pick<Holder, 'pid' | 'host' | 'since'> | undefined;
  checkedOut?: string | undefined;
  /** What goes on lasts until then, ISO 8601. */
  until?: string | undefined;
}>;

export const viewRun = oncePerState((state, surroundings: Surroundings): RunView => {
  const { holder, checkedOut, until, isHeld = holder !== undefined } = surroundings;
  const { waiting } = state;
  const { ended } = state.course;
  const stands = judgeState(state, isHeld);
  const isOpen = stands === 'stopped' || stands === 'died';
  const isRunning = stands === 'working' || stands === 'waiting';
  const view: Omit<RunView, 'needs' | 'tone'> = {
    ...baseOf(state),
    times: readLedger(state, until).times,
    state: stands,
    ...(isOpen ? { next: nextOf(state, checkedOut) } : {}),
    ...(ended
      ? { ...endOf(state, ended), ...defined({ changed: ended.difference }), endedAt: ended.at }
      : {}),
    ...(stands === 'working' && state.pause ? { pausing: true } : {}),
    ...(waiting && !ended
      ? { waitingFor: waiting.text, ...defined({ waitingUntil: isoOf(waiting.until) }) }
      : {}),
    ...(stands === 'paused' ? defined({ pausedSince: state.pause?.since }) : {}),
    inWork: ended?.finished ? [] : listInWork(state),
    isRunning,
    isAtWork: isRunning && waiting?.why !== 'answer',
    takenMs: timeTaken(state, Date.parse(state.lastAt)),
    ...defined({ forecast: isRunning ? forecastRun(state) : undefined }),
    ...defined({ holder: holder && { pid: holder.pid, host: holder.host, since: holder.since } }),
  };
  const toned = { ...view, tone: toneOf(view) };
  return { ...toned, needs: listNeeds(state, toned) };
});

function toneOf({ state, pausing, exit }: Pick<RunView, 'state' | 'pausing' | 'exit'>): RunView['tone'] {
  switch (state) {
    case 'working':
      return pausing ? 'warn' : 'plain';
    case 'waiting':
    case 'paused':
      return 'warn';
    case 'stopped':
      // As a person wanted it.
      return exit === undefined || exit === 0 || exit >= 128 ? 'plain' : 'bad';
    case 'died':
      return 'bad';
    case 'finished':
      return exit === 0 ? 'good' : 'warn';
  }
}

function baseOf(state: RunState) {
  const { started, carry, metLimits, notes } = state;
  const { phase } = state.course;
  const { spent, attempts, corrections } = readLedger(state);
  const { stages, findings } = judgeFindings(state);
  const lastReady = [...state.sessions.values()].findLast(({ ready }) => ready)?.ready;
  return {
    run: started.run,
    plan: planOf(state),
    title: started.title,
    branch: started.branch,
    billing: started.ground.billing,
    agent: started.ground.agent,
    what: started.review ? 'review' : started.planning ? 'planning' : 'run',
    ...defined({ worktree: state.worktree?.path, phase, model: lastReady?.model ?? started.ground.model }),
    tasks: countTasks(state),
    limited: [...metLimits].map(([agent, { until }]) => ({ agent, ...defined({ until: isoOf(until) }) })),
    windows: listWindows(state),
    ...(stages.length > 0 && { review: { stages, unsettled: findings.filter(isUnsettled) } }),
    questions: [...state.tasks.values()].flatMap(({ id, standing }) =>
      standing.is === 'parked' ? [{ task: id, question: standing.question }] : [],
    ),
    notes: notes
      .filter(({ session }) => session === undefined)
      .map(({ note, text, task }) => ({ note, text, ...defined({ task }) })),
    spent,
    attempts,
    corrections,
    caps: capsInForce(state.caps),
    ...defined({ apiEquivalent: equivalentOf(state) || undefined }),
    ...defined({
      carried: carry && {
        remote: carry.remote,
        ...defined({ failed: carry.failed?.reason, takenBy: carry.fenced?.by.host }),
      },
    }),
    startedAt: started.at,
    lastAt: state.lastAt,
  } as const;
}

/** To answer, else to continue, which does nothing for skipped tasks alone. */
function nextOf(state: RunState, checkedOut: string | undefined): string {
  const left = [...state.tasks.values()].filter((task) => !isTaskClosed(task));
  const [first] = left;
  if (first && left.every(({ standing }) => standing.is === 'skipped')) return `pawl retry ${first.id}`;
  const again = commandAgain({ ...state, checkedOut });
  const asks = left.find(({ standing }) => standing.is === 'parked');
  return asks ? `pawl answer ${asks.id} "…" && ${again}` : again;
}

/** What a person has dealt with is no longer a reason; without reasons there is no exit code. */
function endOf(state: RunState, ended: RunEnd): Pick<RunView, 'exit' | 'exitText' | 'reasons' | 'hints'> {
  const reasons = ended.reasons.filter(({ code }) => ended.finished || stillHolds(state, code));
  if (reasons.length === 0 && ended.reasons.length > 0) return {};
  const isAll = reasons.length === ended.reasons.length;
  const exit = isAll ? ended.exit : pickExit(reasons.map((reason) => reason.exit));
  return {
    exit,
    exitText: formatExit(exit, reasons),
    reasons: reasons.map(({ text }) => text),
    hints: reasons.flatMap(({ hint }) => hint ?? []),
  };
}

function stillHolds(state: RunState, code: string): boolean {
  const { tasks, caps, interventions } = state;
  const { ended } = state.course;
  const has = (is: TaskStanding['is']) => [...tasks.values()].some(({ standing }) => standing.is === is);
  switch (code) {
    case 'needs-person':
      return has('parked');
    case 'skipped':
      return has('skipped');
    case 'task-failed':
      return has('failed');
    case 'budget': {
      const isSet = interventions.some(({ kind, at }) => kind === 'budget' && at > (ended?.at ?? ''));
      const cap = capsInForce(caps).find(({ budget }) => budget === 'cost')?.cap;
      return !isSet || cap === undefined || (readLedger(state).spent.costUsd ?? 0) >= cap;
    }
    default:
      return true;
  }
}

function judgeState({ course: { ended }, waiting, pause }: RunState, isHeld: boolean): RunView['state'] {
  if (ended) return ended.finished ? 'finished' : 'stopped';
  if (!isHeld) return 'died';
  if (pause?.since !== undefined) return 'paused';
  return waiting ? 'waiting' : 'working';
}

/** A window that has ended means nothing. */
function listWindows({ limits, lastAt }: RunState): RunView['windows'] {
  return [...limits.values()].flatMap(({ window = '', utilization, resetsAt, at }) =>
    utilization === undefined || (resetsAt !== undefined && resetsAt < Date.parse(lastAt))
      ? []
      : [{ name: window, utilization, at, ...defined({ resetsAt }) }],
  );
}

/** Undefined if unknown, or standing for never. */
function isoOf(epochMs: number | undefined): string | undefined {
  return epochMs !== undefined && Math.abs(epochMs) < 8.64e15 ? new Date(epochMs).toISOString() : undefined;
}

/** Undefined before two are closed, and once none is left. */
export function forecastRun(state: RunState): Forecast | undefined {
  const all = [...state.tasks.values()];
  const { byWork, spent } = readLedger(state);
  const took = all.flatMap(({ id, start, standing }) => {
    const { working = 0, checking = 0 } = byWork.get(id) ?? {};
    return start && standing.is === 'closed' ? [working + checking] : [];
  });
  const left = all.filter(({ standing }) => standing.is === 'open').length;
  if (took.length < 2 || left === 0) return undefined;
  const meanMs = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const { costUsd } = spent;
  return {
    leftMs: (meanMs * left) / Math.max(1, listInWork(state).length),
    ...(costUsd === undefined ? {} : { costUsd: (costUsd / took.length) * (took.length + left) }),
  };
}

/** Empty if dollars are dollars; a subscription pays by the month. */
function equivalentOf({ started, limits }: Pick<RunState, 'started' | 'limits'>): string {
  const windows = [...limits.values()].filter(({ window }) => window !== undefined);
  if (!/\bsubscription\b/i.test(started.ground.billing) && windows.length === 0) return '';
  const used = windows.flatMap(({ window, utilization }) =>
    utilization === undefined ? [] : [`${window} window ${formatShare(utilization)} used`],
  );
  return ['what the API would charge; a subscription pays', ...used].join(', ');
}
