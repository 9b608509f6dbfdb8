// The spans of a run's facts: what is below what, and the same ids again after a kill.
import { expect, test } from 'vitest';
import type { Fact, Stamped } from '../../src/event.ts';
import { foldFact } from '../../src/journal/fold.ts';
import type { RunState } from '../../src/journal/state.ts';
import { spansEnding } from '../../src/telemetry/spans.ts';
import type { TraceSpan } from '../../src/telemetry/trace.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const start = fact('run-started', { title: 'Login' });
const session = (number: number, change: object = {}) =>
  fact('session-started', { session: number, role: 'task', task: '2', attempt: 1, ...change });
const over = (number: number) => fact('session-ended', { session: number, outcome: 'done' });
const check = { check: 'task:2:1', when: 'after', task: '2' } as const;

function spansOf(facts: readonly Stamped<Fact>[]): readonly TraceSpan[] {
  let before: RunState | undefined;
  return facts.flatMap((one) => {
    const state = foldFact(before, one);
    const spans = spansEnding(one, state, before);
    before = state;
    return spans;
  });
}

/** `parent > name` of each span, in the order of their ends. */
function shape(spans: readonly TraceSpan[]): readonly string[] {
  const names = new Map(
    spans.map(({ spanId, name, attributes }) => [
      spanId,
      attributes['pawl.start'] ? `start ${attributes['pawl.start']}` : name,
    ]),
  );
  return spans.map(({ spanId, below, error }) => {
    const above = below === undefined ? '' : `${names.get(below) ?? below} > `;
    return `${above}${names.get(spanId)}${error === undefined ? '' : ` ✗ ${error}`}`;
  });
}

const work: readonly Fact[] = [
  start,
  fact('plan-read'),
  fact('task-started'),
  session(1),
  fact('check-started', check),
  fact('check-ended', { ...check, result: 'red' }),
  over(1),
  fact('round-ended'),
];

test('tasks are below the run, sessions and checks below their task', () => {
  const facts = [
    ...work,
    fact('waiting'),
    fact('waited'),
    fact('task-closed'),
    fact('run-ended', { exit: 0, reasons: [], finished: true }),
  ];
  expect(shape(spansOf(stampAll(facts)))).toEqual([
    'task 2 > check task:2:1 ✗ red',
    'task 2 > invoke_agent task',
    'start 1 > wait limit',
    'start 1 > task 2',
    'start 1',
  ]);
});

test('a stage of the review has its reviewers and what mends its findings below it', () => {
  const facts = [
    start,
    fact('stage-started', { stage: 'first' }),
    session(1, { role: 'review', reviewer: 'quality', task: undefined, attempt: undefined }),
    over(1),
    fact('work-planned', { task: 'fix-1' }),
    fact('attempt-started', { task: 'fix-1' }),
    session(2, { role: 'fix', task: 'fix-1' }),
    over(2),
    fact('task-closed', { task: 'fix-1' }),
    fact('stage-ended', { stage: 'first', end: 'open' }),
    fact('run-ended', { exit: 4, reasons: [{ exit: 4, code: 'capped', text: 'capped' }], finished: true }),
  ];
  expect(shape(spansOf(stampAll(facts)))).toEqual([
    'review first > invoke_agent quality',
    'task fix-1 > invoke_agent fix',
    'review first > task fix-1',
    'start 1 > review first ✗ open',
    'start 1 ✗ capped',
  ]);
});

const cut: readonly Fact[] = [start, fact('plan-read'), fact('task-started'), session(1)];
const killed = 'pawl was killed, or the machine went down';

test('what a kill cut off ends at the last fact; the next start goes on in the same trace', () => {
  const lives = stampAll([
    ...cut,
    fact('run-resumed', { after: 'crash' }),
    over(1),
    fact('attempt-started'),
    session(2),
    over(2),
    fact('task-closed'),
    fact('run-ended', { exit: 0, reasons: [], finished: true }),
  ]);
  const spans = spansOf(lives);
  expect(shape(spans)).toEqual([
    `task 2 > invoke_agent task ✗ ${killed}`,
    `start 1 > task 2 ✗ ${killed}`,
    `start 1 ✗ ${killed}`,
    'task 2 > invoke_agent task',
    'start 2 > task 2',
    'start 1 > start 2',
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(6);
  const [crashed] = spans;
  expect(crashed?.endMs).toBe(Date.parse(lives[3]?.at ?? ''));
  expect(spansOf(lives.slice(0, 5)).map(({ spanId }) => spanId)).toEqual(
    spans.slice(0, 3).map(({ spanId }) => spanId),
  );
});

const caller = (span: string) => `00-0af7651916cd43dd8448eb211c80319c-${span.repeat(16)}-01`;

test('in a caller’s trace the run is below the caller, and stays in that trace', () => {
  const [, ...rest] = cut;
  const spans = spansOf(
    stampAll([
      fact('run-started', { ground: { ...start.ground, traceparent: caller('a') } }),
      ...rest,
      fact('run-resumed', { after: 'stop', ground: { ...start.ground, traceparent: caller('b') } }),
      fact('run-ended'),
    ]),
  );
  expect([...new Set(spans.map(({ traceId }) => traceId))]).toEqual(['0af7651916cd43dd8448eb211c80319c']);
  const starts = spans.filter(({ attributes }) => attributes['pawl.start']);
  expect(starts.map(({ below }) => below)).toEqual(['a'.repeat(16), starts[0]?.spanId]);
});

test('a wait that follows another one without its end loses neither', () => {
  const facts = [start, fact('waiting'), fact('waiting', { why: 'overload' }), fact('waited')];
  expect(spansOf(stampAll(facts)).map(({ name }) => name)).toEqual(['wait limit', 'wait overload']);
});

const inLane = (lane: number, one: Fact): Fact => ({ ...one, lane }) as Fact;
const laneCheck = { check: 'plan:1', when: 'lane', task: undefined } as const;

/** What happens in lanes, and the spans with their parent, first and last fact. */
test.each<[string, readonly Fact[], readonly string[]]>([
  [
    'sessions that overlap are each below their own task',
    [
      fact('task-started', { task: '1' }),
      inLane(1, session(1, { task: '1' })),
      fact('task-started', { task: '2' }),
      inLane(2, session(2, { task: '2' })),
      inLane(1, over(1)),
      fact('task-closed', { task: '1' }),
      inLane(2, over(2)),
      fact('task-closed', { task: '2' }),
    ],
    [
      'task 1 > invoke_agent task 2-5 in lane 1',
      'start 1 > task 1 1-6',
      'task 2 > invoke_agent task 4-7 in lane 2',
      'start 1 > task 2 3-8',
    ],
  ],
  [
    'the same check of several lanes is a span in each',
    [
      inLane(1, fact('check-started', laneCheck)),
      inLane(2, fact('check-started', laneCheck)),
      inLane(2, fact('check-ended', { ...laneCheck, result: 'green', durationMs: 1_000 })),
      inLane(1, fact('check-ended', { ...laneCheck, result: 'green', durationMs: 3_000 })),
    ],
    ['start 1 > check plan:1 2-3 in lane 2', 'start 1 > check plan:1 1-4 in lane 1'],
  ],
  [
    'a wait goes on while another lane works',
    [inLane(1, fact('waiting')), inLane(2, session(1)), inLane(2, over(1)), inLane(1, fact('waited'))],
    ['task 2 > invoke_agent task 2-3 in lane 2', 'start 1 > wait limit 1-4'],
  ],
])('lanes: %s', (_, facts, spans) => {
  const stamped = stampAll([start, fact('plan-read'), ...facts]);
  const at = new Map(stamped.map((one, index) => [Date.parse(one.at), index - 1]));
  const made = spansOf([...stamped, ...stampAll([fact('run-ended')])]);
  const names = shape(made);
  const told = made.map(({ startMs, endMs, attributes }, index) => {
    const lane = attributes['pawl.lane'];
    return `${names[index]} ${at.get(startMs)}-${at.get(endMs)}${lane === undefined ? '' : ` in lane ${lane}`}`;
  });
  // Without those that only the run's end closes.
  expect(told.slice(0, spansOf(stamped).length)).toEqual(spans);
});

test('a session tells model, tokens and cost by the names of GenAI', () => {
  const spans = spansOf(
    stampAll([
      ...cut,
      fact('session-ready', { session: 1, model: 'm' }),
      fact('session-ended', {
        ...{ session: 1, outcome: 'timed-out', costUsd: 0.5, costAtLeast: true },
        tokens: { input: 1, output: 2, cacheRead: 10, cacheWrite: 100 },
      }),
    ]),
  );
  expect(spans[0]).toMatchObject({
    error: 'timed-out',
    attributes: {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.provider.name': 'anthropic' },
      ...{ 'gen_ai.response.model': 'm', 'gen_ai.usage.input_tokens': 111, 'gen_ai.usage.output_tokens': 2 },
      ...{ 'gen_ai.usage.cache_read.input_tokens': 10, 'gen_ai.usage.cache_write.input_tokens': 100 },
      ...{
        'pawl.cost': 0.5,
        'pawl.cost.at_least': true,
        'pawl.outcome': 'timed-out',
        'error.type': 'timed-out',
      },
    },
  });
});

test('another login of an agent has that agent’s provider', () => {
  const [span] = spansOf(stampAll([start, session(1, { agent: 'work', uses: 'claude' }), over(1)]));
  expect(span?.attributes).toMatchObject({
    'gen_ai.provider.name': 'anthropic',
    'pawl.agent': 'work',
  });
});
