// The loop of attempts driven through any night: it ends, every round says why, bounds hold, and nothing closes without
// green checks on the committed tree after a session changed it (the world itself looks at every close).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixed } from '../../src/config/fixed.ts';
import { outcomeKindSchema } from '../../src/event/session.ts';
import { type TasksEnd, workTasks } from '../../src/phase/tasks.ts';
import { factsOf } from '../helpers/pawl.ts';
import { type Deed, type Setting, World } from './loop-world.ts';

const colour = fc.constantFrom('green', 'red', 'other red');

const deed: fc.Arbitrary<Deed> = fc.record({
  outcome: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('done', 'silent', 'already-done') },
    { weight: 2, arbitrary: fc.constantFrom(...outcomeKindSchema.options) },
  ),
  asks: fc.boolean(),
  alive: fc.boolean(),
  contextShare: fc.constantFrom(0.1, 0.9),
  move: fc.constantFrom('new', 'new', 'none', 'start', 'old'),
  colour,
  guard: fc.nat(4).map((chance) => chance === 0),
  flaky: fc.nat(5).map((chance) => chance === 0),
  checksWrite: fc.nat(5).map((chance) => chance === 0),
  slow: fc.nat(5).map((chance) => chance === 0),
  late: fc.constantFrom(0, 0, 0, 1, 2, 3),
  commit: fc.constantFrom('made', 'made', 'made', 'rejected', 'interrupted'),
  resetsInMs: fc.constantFrom(0, 60_000, 7_200_000),
  forgets: fc.boolean(),
  costUsd: fc.constantFrom(0.01, 0.5),
});

const planOf = ({ tasks, own, shared }: Readonly<{ tasks: number; own: boolean; shared: boolean }>): string =>
  [
    '# Plan: P\n',
    ...(shared ? ['## Validation Commands\n- `true`\n'] : []),
    ...Array.from({ length: tasks }, (_, at) => {
      const check = own ? '- check: `true`\n' : '';
      return `### Task ${at + 1}: t\n- depends: none\n${check}- [ ] s\n`;
    }),
  ].join('\n');

const plan = fc.record({ tasks: fc.integer({ min: 1, max: 3 }), own: fc.boolean(), shared: fc.boolean() });

const config = fc.record({
  keepGoing: fc.boolean(),
  task: fc.record(
    {
      attempts: fc.integer({ min: 1, max: 6 }),
      corrections: fc.integer({ min: 0, max: 3 }),
      escalate: fc.constant('opus'),
    },
    { requiredKeys: ['attempts', 'corrections'] },
  ),
  limits: fc.record({
    maxWait: fc.constant('1h'),
  }),
});

const setting: fc.Arbitrary<Setting> = fc.record({
  deeds: fc.array(deed, { minLength: 1, maxLength: 10 }),
  plan: plan.map(planOf),
  startColour: colour,
  config,
  maxSessions: fc.integer({ min: 1, max: 40 }),
  interruptAt: fc.option(fc.nat(60), { nil: undefined }),
});

test('any night ends, with reasons and within its bounds', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(setting, fc.integer({ min: 1, max: 3 }), async (one, lives) => {
      using world = new World(one);
      for (let life = 1; life <= lives; life += 1) {
        if (life > 1) world.startAgain();
        expectEnd(world, await workTasks(world.place()));
      }
      expectReasons(world);
      expectRounds(world);
      expectBounds(world, one);
      expectWaits(world);
      for (const what of happened(world)) seen.set(what, (seen.get(what) ?? 0) + 1);
    }),
    { numRuns: 150 },
  );
  // A night in which nothing happens proves nothing.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([...common]));
}, 60_000);

const common = ['proven', 'unchecked', 'again', 'correct', 'wait', 'park', 'fail', 'stop', 'diagnose'];

/** Kinds of closes, of rounds and of steps that a night had. */
function happened({ facts }: World): ReadonlySet<string> {
  return new Set(
    facts.flatMap((event) => {
      if (event.type === 'task-closed') return [event.proof];
      if (event.type === 'round-ended') return [event.verdict];
      return event.type === 'stuck' ? [event.step] : [];
    }),
  );
}

/** A night that did not do all says why, and none runs into the last bound of all. */
function expectEnd(world: World, end: TasksEnd): void {
  expect(end.reason).not.toBe('');
  for (const { text } of end.reasons) expect(text).not.toMatch(/^$|rounds without an end|bound of rounds/);
  const standings = [...world.state.tasks.values()].map(({ standing }) => standing);
  expect(end.allClosed).toBe(standings.every((standing) => standing === 'closed'));
  expect(end.allClosed || end.reasons.length > 0).toBe(true);
}

const reasoned = ['round-ended', 'attempt-started', 'task-closed', 'task-set-aside', 'phase'] as const;

function expectReasons(world: World): void {
  for (const type of reasoned) for (const { reason } of of(world, type)) expect(reason, type).not.toBe('');
  for (const { why } of of(world, 'stuck')) expect(why).not.toBe('');
  for (const { text } of of(world, 'waiting')) expect(text).not.toBe('');
}

/** Every attempt that begins is followed by its verdict or its close before anything else begins. */
function expectRounds(world: World): void {
  let open = '';
  for (const event of world.facts) {
    if (event.type === 'attempt-started') {
      expect(open, `before attempt ${event.attempt}`).toBe('');
      open = event.task;
    }
    if (event.type === 'task-closed') open = '';
    if (event.type === 'round-ended' && event.verdict !== 'correct') open = '';
    if (event.type === 'phase' && event.state === 'ended') expect(open, 'at the end').toBe('');
  }
}

/** Attempts between two starts by a person, corrections of one session, sessions of the run. */
function expectBounds(world: World, { config: given, maxSessions }: Setting): void {
  const { attempts, corrections } = given['task'] as { attempts: number; corrections: number };
  let counted = new Map<string, number>();
  const sent = new Map<string, number>();
  for (const event of world.facts) {
    if (event.type === 'run-resumed') counted = new Map();
    if (event.type === 'round-ended' && event.counts) {
      counted.set(event.task, (counted.get(event.task) ?? 0) + 1);
      expect(counted.get(event.task)).toBeLessThanOrEqual(attempts);
    }
    if (event.type === 'correction-sent') {
      const key = `${event.session} ${event.kind}`;
      sent.set(key, (sent.get(key) ?? 0) + 1);
      expect(sent.get(key), key).toBeLessThanOrEqual(event.kind === 'red' ? corrections : 1);
    }
  }
  const served = of(world, 'session-ended').filter(({ outcome }) => outcome !== 'overloaded');
  expect(served.length).toBeLessThanOrEqual(maxSessions);
}

/** Each wait has an end within its cap, and is cut off or over before anything follows; crashes in a row are few. */
function expectWaits(world: World): void {
  for (const [at, event] of world.facts.entries()) {
    if (event.type !== 'waiting') continue;
    const most = event.why === 'limit' ? 3_600_000 : 300_000 * 1.25;
    expect(event.until - Date.parse(event.at)).toBeLessThanOrEqual(most);
    expect(world.facts[at + 1]?.type).toBe('waited');
  }
  expect(world.state.crashes).toBeLessThanOrEqual(fixed.backoffs);
}

const of = <T extends Parameters<typeof factsOf>[1]>({ facts: events }: World, type: T) =>
  factsOf<T>({ events }, type);
