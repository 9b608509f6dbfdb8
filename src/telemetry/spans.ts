// The spans of a run, made when what they describe ends. Ids follow from the run, so that all its processes give the
// same.
import { defined } from '../defined.ts';
import type { Fact, FactOf, OfLane, Stamped } from '../event.ts';
import type { StageState } from '../journal/fold-review.ts';
import type { RunState, SessionState } from '../journal/state.ts';
import type { TaskState } from '../journal/task-state.ts';
import { agentCall, describeRun, describeSession, workflow } from './attributes.ts';
import { callerOf, idOf, placeSpan, type SpanDraft, type TraceSpan } from './trace.ts';

export function spansEnding(
  fact: Stamped<Fact>,
  state: RunState,
  before: RunState | undefined,
): readonly TraceSpan[] {
  return endedBy(fact, state, before).map((span) => placeSpan(state, span));
}

function endedBy(fact: Stamped<Fact>, state: RunState, before: RunState | undefined): readonly SpanDraft[] {
  const endMs = Date.parse(fact.at);
  switch (fact.type) {
    case 'session-ended': {
      const session = state.sessions.get(fact.session);
      // One that was cut off has ended with its pawl's life.
      return session && session.started.at >= state.lifeAt ? [sessionSpan(state, session, endMs)] : [];
    }
    case 'check-ended':
      return [checkSpan(state, fact, endMs)];
    case 'task-closed':
      return worksOf(state)
        .filter(({ id }) => id === fact.task)
        .flatMap((task) => taskSpans(state, task, endMs));
    case 'waiting':
    case 'waited':
      return before?.waiting ? [waitSpan(state, before.waiting, endMs)] : [];
    case 'intervention':
      return fact.kind === 'continue' && before?.pause?.since !== undefined
        ? [waitSpan(state, { at: before.pause.since, why: 'pause' }, endMs)]
        : [];
    case 'stage':
      return fact.state === 'ended'
        ? stageSpans(state, endMs, ({ started }) => started.stage === fact.stage)
        : [];
    case 'run-ended':
      return endLife(state, endMs);
    case 'run-resumed':
      return before && !before.course.ended ? endLife(before, Date.parse(before.lastAt), killed) : [];
    default:
      return [];
  }
}

const killed = 'pawl was killed, or the machine went down';

/** What is open when pawl ends, or was killed, ends with it. */
function endLife(state: RunState, endMs: number, error?: string): readonly SpanDraft[] {
  const open = [...state.sessions.values()].filter(
    ({ started, ended }) => !ended && started.at >= state.lifeAt,
  );
  const { ended } = state.course;
  const why = ended && ended.exit !== 0 ? describeExit(ended) : undefined;
  const works = worksOf(state).filter(({ standing }) => standing.is !== 'closed');
  return [
    ...[
      ...open.map((session) => sessionSpan(state, session, endMs)),
      ...works.flatMap((task) => taskSpans(state, task, endMs)),
      ...stageSpans(state, endMs, (stage) => !stage.ended),
    ].map((span) => ({ ...span, ...defined({ error }) })),
    {
      of: ['run', state.resumes],
      name: `${workflow} ${state.started.title}`,
      below: state.resumes === 0 ? callerOf(state)?.spanId : idOf(state, 'run', 0),
      startMs: Date.parse(state.lifeAt),
      endMs,
      error: error ?? why,
      attributes: { ...describeRun(state), 'pawl.crashed': error === undefined ? undefined : true },
    },
  ];
}

function describeExit({ exit, reasons }: FactOf<'run-ended'>): string {
  return reasons.find((reason) => reason.exit === exit)?.text ?? `exit ${exit}`;
}

function worksOf({ tasks, fixes }: RunState): readonly TaskState[] {
  return [...tasks.values(), ...fixes.values()];
}

/** One for each start in which it was worked on. */
function taskSpans(state: RunState, task: TaskState, endMs: number): readonly SpanDraft[] {
  const { fixes, lifeAt, resumes } = state;
  const { id, title, start, standing } = task;
  const closed = standing.is === 'closed' ? standing : undefined;
  const begunAt = start?.at ?? sessionsOf(state, id)[0]?.started.at;
  if (begunAt === undefined || !isOfLife(state, task)) return [];
  return [
    {
      of: ['task', id, resumes],
      name: `task ${id}`,
      endMs,
      startMs: Date.parse(begunAt > lifeAt ? begunAt : lifeAt),
      below: fixes.has(id) ? stageOrRun(state) : runOf(state),
      attributes: {
        'pawl.task': id,
        'pawl.title': title,
        'pawl.task.result': standing.is,
        'pawl.proof': closed && (closed.judged?.word ?? closed.fact.proof),
        'pawl.commit': closed?.fact.oid,
      },
      error: standing.is === 'failed' ? standing.reason : undefined,
    },
  ];
}

function sessionsOf({ sessions, lifeAt }: RunState, task: string): readonly SessionState[] {
  return [...sessions.values()].filter(({ started }) => started.task === task && started.at >= lifeAt);
}

function isOfLife(state: RunState, { id, standing }: TaskState): boolean {
  if (standing.is === 'closed') return standing.fact.at >= state.lifeAt;
  return standing.is === 'open' || sessionsOf(state, id).length > 0;
}

function sessionSpan(state: RunState, session: SessionState, endMs: number): SpanDraft {
  const { started, ended } = session;
  const { session: number, task, role, reviewer, at } = started;
  return {
    of: ['session', number],
    name: `${agentCall} ${reviewer ?? role}`,
    startMs: Date.parse(at),
    endMs,
    error: ended && !goodOutcomes.has(ended.outcome) ? ended.outcome : undefined,
    attributes: describeSession(session),
    below: task === undefined ? stageOrRun(state) : idOf(state, 'task', task, state.resumes),
  };
}

const goodOutcomes = new Set(['done', 'already-done', 'needs-input', 'replan', 'interrupted']);

function checkSpan(state: RunState, fact: Stamped<FactOf<'check-ended'>> & OfLane, endMs: number): SpanDraft {
  const { check, command, when, task, result, durationMs, lane } = fact;
  return {
    of: ['check', check, when, task ?? '', fact.at, lane ?? 0],
    name: `check ${check}`,
    startMs: endMs - durationMs,
    endMs,
    below: task === undefined ? runOf(state) : idOf(state, 'task', task, state.resumes),
    attributes: {
      'pawl.check': check,
      'pawl.check.command': command,
      'pawl.check.when': when,
      'pawl.check.result': result,
      'pawl.lane': lane,
    },
    error: result === 'green' || result === 'interrupted' ? undefined : result,
  };
}

function waitSpan(
  state: RunState,
  { at, why }: Readonly<{ at: string; why: string }>,
  endMs: number,
): SpanDraft {
  return {
    of: ['wait', at],
    name: `wait ${why}`,
    startMs: Date.parse(at),
    endMs,
    below: runOf(state),
    attributes: { 'pawl.wait.why': why },
  };
}

function stageSpans(
  state: RunState,
  endMs: number,
  which: (stage: StageState) => boolean,
): readonly SpanDraft[] {
  return [...state.review.stages.values()].filter(which).map(({ started, ended }): SpanDraft => {
    const at = started.at > state.lifeAt ? started.at : state.lifeAt;
    const isGood = ended === undefined || ['clean', 'settled', 'skipped'].includes(ended.end);
    return {
      of: ['stage', started.stage, state.resumes],
      name: `review ${started.stage}`,
      below: runOf(state),
      startMs: Date.parse(at),
      endMs,
      error: isGood ? undefined : ended.end,
      attributes: { 'pawl.review.stage': started.stage, 'pawl.review.end': ended?.end },
    };
  });
}

function stageOrRun(state: RunState): string {
  const open = [...state.review.stages.values()].findLast(({ ended }) => !ended);
  return open ? idOf(state, 'stage', open.started.stage, state.resumes) : runOf(state);
}

function runOf(state: RunState): string {
  return idOf(state, 'run', state.resumes);
}
