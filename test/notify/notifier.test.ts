// A run told to a notifier with a clock of the test's own: what is sent when, and what a channel that fails or hangs costs.
import { expect, test } from 'vitest';
import { occasionSchema } from '../../src/config/schema.ts';
import { eventVersion, type Fact, type FactOf } from '../../src/event.ts';
import { withState } from '../../src/journal/fold.ts';
import { readChannel } from '../../src/notify/channel.ts';
import type { Trouble } from '../../src/notify/deliver.ts';
import type { Message } from '../../src/notify/message.ts';
import { Notifier, type NotifierOptions } from '../../src/notify/notifier.ts';
import { cleanWords } from '../../src/start/messages.ts';
import { byPerson, fact, setAside } from '../helpers/facts.ts';

const minute = 60_000;
const hour = 60 * minute;

const step = { closed: false, steps: 1, manual: [] };

/** A notifier in a time that only the test moves. */
function makeNight(given: Partial<Pick<NotifierOptions, 'on' | 'deliver' | 'dashboard'>> = {}) {
  let nowMs = Date.UTC(2026, 10, 22, 22);
  const timers = new Set<{ at: number; act: () => void }>();
  const sent: Message[] = [];
  const told: string[] = [];
  const channel = readChannel('json://127.0.0.1:9/x');
  if ('problem' in channel) throw new Error(channel.problem);
  const notifier = new Notifier({
    channels: [channel],
    on: occasionSchema.options,
    deliver: async (_, message) => {
      sent.push(message);
      return undefined;
    },
    tell: (text) => told.push(text),
    clean: cleanWords,
    now: () => nowMs,
    after: (ms, act) => {
      const timer = { at: nowMs + ms, act };
      timers.add(timer);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    ...given,
  });
  /** Lets time pass, with what is due in it. */
  const pass = async (ms: number) => {
    const end = nowMs + ms;
    for (;;) {
      const due = [...timers].sort((a, b) => a.at - b.at).find(({ at }) => at <= end);
      if (!due) break;
      timers.delete(due);
      nowMs = due.at;
      due.act();
      await new Promise((resolve) => setImmediate(resolve));
    }
    nowMs = end;
  };
  const hear = withState((...told) => notifier.report(...told));
  const tell = (...facts: readonly Fact[]) => {
    for (const one of facts) hear({ v: eventVersion, at: new Date(nowMs).toISOString(), ...one });
  };
  const tasks = Array.from({ length: 40 }, (_, at) => ({
    ...step,
    id: `${at + 1}`,
    title: `Part ${at + 1}`,
  }));
  tell(fact('run-started', { title: 'Letters' }), fact('plan-read', { tasks }));
  return { notifier, sent, told, tell, pass };
}

const parked = (task: string, question = 'Which colour?') => setAside('parked', { task, reason: question });
const ended = (change: Partial<FactOf<'run-ended'>>) => fact('run-ended', { reasons: [], ...change });
const reached = (share: 0.8 | 1) =>
  fact('budget-reached', { budget: 'cost', share, spent: 5 * share, cap: 5, atLeast: false });
const limit = fact('waiting', { why: 'limit' });

test('a message links to the run where a dashboard shows it at that moment', async () => {
  let served = false;
  const { sent, tell, pass } = makeNight({
    dashboard: (run) => (served ? `http://127.0.0.1:7295/#/run/k.${run}` : undefined),
  });
  tell(parked('1'));
  await pass(minute);
  served = true;
  tell(parked('2'));
  await pass(minute);
  const run = sent[0]?.events[0]?.about?.run;
  expect(sent.map(({ body }) => /^Dashboard: .*$/m.exec(body)?.[0])).toEqual([
    undefined,
    `Dashboard: http://127.0.0.1:7295/#/run/k.${run} (in a browser that has it open)`,
  ]);
});

test('a question is one message, with the command that answers it', async () => {
  const { sent, tell, pass } = makeNight();
  tell(parked('2'), fact('waiting', { why: 'answer' }));
  expect(sent).toEqual([]);
  await pass(3_000);
  expect(sent).toMatchObject([
    {
      title: 'pawl: Task 2 asks you',
      body: 'Which colour?\n→ pawl answer 2 "…"\n\nLetters (docs/plans/auth.md, branch auth)',
      priority: 5,
      events: [
        { occasion: 'needs-input', task: '2', command: 'pawl answer 2 "…"', about: { title: 'Letters' } },
      ],
    },
  ]);
  await pass(24 * hour);
  expect(sent).toHaveLength(1);
});

test.each<[what: string, facts: readonly Fact[], told: readonly string[]]>([
  ['answered', [parked('2'), byPerson('answer', { task: '2', said: 'blue' })], []],
  ['no longer so', [fact('stuck'), fact('task-closed')], ['task-done']],
  ['more than it was', [reached(0.8), reached(1)], ['budget']],
])('what is %s before it is told is not told', async (_, facts, told) => {
  const { sent, tell, pass } = makeNight();
  tell(...facts);
  await pass(hour);
  expect(sent.flatMap(({ events }) => events.map(({ occasion }) => occasion))).toEqual(told);
});

test('a night of limits is one message at its beginning: a wait that is over is not told', async () => {
  const { notifier, sent, tell, pass } = makeNight();
  for (let n = 0; n < 8; n += 1) {
    tell(limit);
    await pass(50 * minute);
    tell(fact('waited'));
    await pass(8 * minute);
  }
  expect(sent.map(({ title, priority }) => [title, priority])).toEqual([
    ['pawl: Waiting for the usage limit', 2],
  ]);
  tell(ended({ exit: 0, finished: true }));
  await notifier.settle();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ title: 'pawl: Finished', priority: 3 });
});

test('quiet ones come soon at first, then with a loud one, or hours later; the gravest is the headline', async () => {
  const { sent, tell, pass } = makeNight();
  tell(parked('1'));
  await pass(minute);
  tell(limit);
  await pass(3_000);
  expect(sent).toHaveLength(2);
  tell(fact('waited'), fact('task-closed', { task: '3' }));
  await pass(hour);
  expect(sent).toHaveLength(2);
  tell(parked('2'));
  await pass(3_000);
  expect(sent[2]).toMatchObject({
    title: 'pawl: Task 2 asks you (+1)',
    body: expect.stringMatching(/^Task 2 asks you\. Which colour\?\n→ .*\n\nTask 3 is done, proven\. /),
    ...{ priority: 5, tone: 'warning' },
  });
  tell(fact('task-closed', { task: '4' }));
  await pass(6 * hour);
  expect(sent).toHaveLength(3);
  await pass(hour + minute);
  expect(sent).toHaveLength(4);
});

test('many things are bounded, and how many more there are is said', async () => {
  const { sent, tell, pass } = makeNight();
  for (let n = 1; n <= 40; n += 1) tell(parked(`${n}`, 'y'.repeat(5_000)));
  await pass(3_000);
  expect(sent[0]?.title).toBe('pawl: Task 1 asks you (+39)');
  expect(sent[0]?.body.length).toBeLessThan(4_000);
  expect(sent[0]?.body).toContain('… and 34 more: pawl status');
});

test('tasks that fail one after another are a message a minute at most', async () => {
  const { sent, tell, pass } = makeNight();
  for (let n = 1; n <= 30; n += 1) {
    tell(setAside('failed', { task: String(n), reason: 'red' }));
    await pass(10_000);
  }
  await pass(hour);
  expect(sent.length).toBeLessThanOrEqual(6);
  expect(sent.flatMap(({ events }) => events)).toHaveLength(30);
});

test('only what is asked for is told', async () => {
  const { sent, tell, pass } = makeNight({ on: ['failed'] });
  tell(parked('2'), limit, setAside('failed', { task: '3' }));
  await pass(hour);
  expect(sent.flatMap(({ events }) => events.map(({ occasion }) => occasion))).toEqual(['failed']);
});

test('neither code nor what looks like a key leaves the machine', async () => {
  const { sent, tell, pass } = makeNight();
  const key = `AKIA${'Q3ZT7VYK2MXW9PRB'.replaceAll('9', 'N')}`;
  tell(parked('1', `Is this right?\n\`\`\`js\nconst x = 1;\n\`\`\`\nOr not?`), parked('2', `Use ${key}?`));
  await pass(hour);
  const text = JSON.stringify(sent);
  expect(text).toContain('Is this right? [code] Or not?');
  expect(text).not.toContain('const x');
  expect(text).not.toContain(key);
  expect(text).toContain('[left out: it seems to hold a secret]');
});

test('a channel that fails is tried again where that may help, and told once if it does not', async () => {
  let tries = 0;
  const deliver = async (): Promise<Trouble | undefined> => {
    tries += 1;
    return tries === 2 ? undefined : { why: 'connect ECONNREFUSED', isPassing: true };
  };
  const { told, tell, pass } = makeNight({ deliver });
  tell(parked('1'));
  await pass(hour);
  expect([tries, told]).toEqual([2, []]);
  for (const task of ['2', '3']) {
    tell(parked(task));
    await pass(hour);
  }
  expect(tries).toBe(6);
  expect(told).toEqual(['A message could not be sent to json://127.0.0.1:9/…: connect ECONNREFUSED']);
});

test('what a run’s end says is tried again as well', async () => {
  const sent: string[] = [];
  const deliver = async (_: unknown, { title }: Message): Promise<Trouble | undefined> => {
    sent.push(title);
    return sent.length > 1 ? undefined : { why: '503', isPassing: true };
  };
  const { notifier, told, tell } = makeNight({ deliver });
  tell(ended({ exit: 0, finished: true }));
  await notifier.settle();
  expect([sent, told]).toEqual([['pawl: Finished', 'pawl: Finished'], []]);
});

test('a channel that hangs costs the run’s end a few seconds, once', async () => {
  const { notifier, told, tell, pass } = makeNight({ deliver: () => new Promise(() => {}) });
  tell(parked('1'));
  await pass(hour);
  tell(ended({ exit: 3 }));
  const settled = notifier.settle();
  await pass(5_000);
  await settled;
  expect(told).toEqual([
    'A message could not be sent to json://127.0.0.1:9/…: no answer within 5 s of the run’s end',
  ]);
  await notifier.settle();
});

test('a run that goes on is told of by what it was', async () => {
  const { notifier, sent, tell, pass } = makeNight();
  tell(fact('run-resumed', { after: 'crash' }));
  await pass(hour);
  expect(sent).toMatchObject([{ title: 'pawl: Continues after a crash', priority: 4 }]);
  await notifier.settle();
});
