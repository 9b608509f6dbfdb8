// When a task's next session goes on with the last one's conversation.
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { findContinuation, type Next } from '../../../src/work/session/continuation.ts';
import { fact, sampleFacts, stampAll } from '../../helpers/facts.ts';

type Ended = Partial<FactOf<'session-ended'>>;

const tokens = (input: number) => ({ input, output: 1, cacheRead: 0, cacheWrite: 0 });

/** One session of task 1 from its start to its end. */
function session(number: number, ended: Ended, started: Partial<FactOf<'session-started'>> = {}): Fact[] {
  const { contextShare: _, ...turn } = sampleFacts['turn-ended'];
  const { model: __, ...begun } = sampleFacts['session-started'];
  const end = { outcome: 'limited', costUsd: 1, exitCode: 1, signal: null } as const;
  return [
    { ...begun, session: number, task: '1', ...started },
    fact('session-ready', { session: number, agentSession: `id-${number}` }),
    { ...turn, session: number },
    fact('session-ended', { session: number, ...end, tokens: tokens(number), ...ended }),
  ];
}

const plan = fact('plan-read', {
  tasks: ['1', '2'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] })),
});

function find(facts: readonly Fact[], next: Partial<Next> = {}) {
  const state = foldRun(stampAll([sampleFacts['run-started'], plan, ...facts]));
  const task = state?.tasks.get('1');
  if (!state || !task) throw new Error('no such task');
  return findContinuation(state, task, {
    agent: { name: 'claude', can: { resume: true } },
    samePlan: true,
    settings: { attempts: 3 },
    readTokens: () => 1_000,
    ...next,
  });
}

const share = (contextShare: number): Fact => ({ ...sampleFacts['turn-ended'], session: 1, contextShare });
const died: Ended = { outcome: 'crashed', exitCode: 1 };
const diedWithPawl: Ended = { outcome: 'crashed', exitCode: null };
const round = (attempt: number) => fact('round-ended', { task: '1', attempt });

const limited = session(1, {});
const done = session(1, { outcome: 'done' });
/** After the first, another of the same conversation. */
const gone = (ended: Ended = {}) => [...limited, ...session(2, ended, { continues: 1 })];
const since = (started: Partial<FactOf<'session-started'>>) => [...limited, ...session(2, {}, started)];
const agent = (name: string, resume: boolean) => ({ agent: { name, can: { resume } } });
const unspoken = { readTokens: () => undefined };
const reads = (tokens: number) => ({ readTokens: () => tokens });
const heldBack = { ...round(1), counts: false } as Fact;
const stuck = [...limited, round(1), round(2)];
const set = fact('task-set-aside', { task: '1', as: 'failed', rescue: 'r' });

test.each<[string, readonly Fact[], Partial<Next>, number | undefined]>([
  ['cut off by a limit', limited, {}, 1],
  ['by an overload', session(1, { outcome: 'overloaded' }), {}, 1],
  ['by a person', session(1, { outcome: 'interrupted' }), {}, 1],
  ['by a budget', session(1, { outcome: 'over-budget' }), {}, 1],
  ['by its own death', session(1, died), {}, 1],
  ['by the death of pawl', session(1, diedWithPawl), {}, 1],
  ['hung', session(1, { outcome: 'timed-out' }), {}, undefined],
  ['in circles', session(1, { outcome: 'stuck' }), {}, undefined],
  ['full', session(1, { outcome: 'unfinished' }), {}, undefined],
  ['finished', done, {}, undefined],
  ['finished, red, and a pause came before its correction', [...done, heldBack], {}, 1],
  ['never up', limited.filter(({ type }) => type !== 'session-ready'), {}, undefined],
  ['not ended', limited.filter(({ type }) => type !== 'session-ended'), {}, undefined],
  ['dead again after it was gone on with', gone(died), {}, undefined],
  ['pawl dead again', gone(diedWithPawl), {}, 2],
  ['limited again', gone(), {}, 2],
  ['an agent that cannot', limited, agent('claude', false), undefined],
  ['another agent', limited, agent('codex', true), undefined],
  ['another model', limited, { model: 'opus' }, undefined],
  ['the same model', session(1, {}, { model: 'opus' }), { model: 'opus' }, 1],
  ['another plan', limited, { samePlan: false }, undefined],
  ['another task since', since({ task: '2' }), {}, undefined],
  ['a reviewer since', since({ role: 'review' }), {}, 1],
  ['under half full', [...limited, share(0.49)], {}, 1],
  ['half full', [...limited, share(0.5)], {}, undefined],
  ['without a word of the model', limited, unspoken, undefined],
  ['without a word since it was gone on with', gone(), unspoken, 2],
  ['few tokens', limited, reads(99_999), 1],
  ['many tokens', limited, reads(100_000), undefined],
  ['many tokens in a big window', [...limited, share(0.2)], reads(200_000), 1],
  ['work taken away', [...limited, set], {}, undefined],
  ['stuck: it begins on its start', stuck, {}, undefined],
])('%s', (_, facts, next, wanted) => {
  const found = find(facts, next);
  expect(found?.session).toBe(wanted);
  if (wanted !== undefined) expect(found?.id).toBe(`id-${wanted}`);
});

test('names all that the agent may count as spent before', () => {
  const facts = [...session(1, { costUsd: 0.5 }), ...session(2, { costUsd: 0.25 }, { continues: 1 })];
  expect(find(facts)?.earlier).toEqual([
    { costUsd: 0.25, tokens: tokens(2) },
    { costUsd: 0.75, tokens: { ...tokens(3), output: 2 } },
  ]);
});
