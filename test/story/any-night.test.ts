// Any night: sessions do what chance says, and the person starts the run again. It ends, every round says why, bounds hold,
// and nothing closes without green checks on the commit after a session changed it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact, FactOf, Stamped } from '../../src/event.ts';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { makeNight, type Night } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { isSoak } from '../helpers/share.ts';

const leaves: readonly string[] = [
  'echo good $RANDOM > state.txt',
  'echo good $RANDOM > state.txt',
  'echo good > state.txt',
  'echo bad $RANDOM > state.txt',
  'echo worse > state.txt',
  'git checkout -q -- . 2>/dev/null; true',
  'true',
  'echo good $RANDOM > state.txt; git add -A; git commit -qm mine',
  "sed -i 's/- \\[ \\]/- [x]/' docs/plans/plan.md",
  'echo good $RANDOM > state.txt; (sleep 0.3; echo bad > state.txt) & true',
];

const ends: readonly Step[] = [
  { say: 'It is done.\n\n{{marker TASK_DONE wrote it}}' },
  { say: 'It is done.\n\n{{marker TASK_DONE wrote it}}' },
  { say: 'Something.' },
  { say: 'Which one do you want?' },
  { say: '{{marker TASK_FAILED no idea}}' },
  { say: '{{marker NEEDS_INPUT which colour}}' },
  { say: '{{marker ALREADY_DONE it was there}}' },
  { exit: 1, stderr: 'broken' },
  { kill: 'SIGKILL' },
  { api: { status: 529, times: 1 } },
];

const turn = fc
  .tuple(fc.constantFrom(...leaves), fc.constantFrom(...ends))
  .map(([bash, end]): Turn => ({ once: true, steps: [{ bash }, end] }));

const night = fc.record({
  turns: fc.array(turn, { minLength: 4, maxLength: 12 }),
  tasks: fc.integer({ min: 1, max: 3 }),
  own: fc.boolean(),
  attempts: fc.integer({ min: 1, max: 3 }),
  corrections: fc.integer({ min: 0, max: 2 }),
  keepGoing: fc.boolean(),
});

type AnyNight = typeof night extends fc.Arbitrary<infer Value> ? Value : never;

const check = 'grep -q good state.txt';

const planOf = ({ tasks, own }: AnyNight): string =>
  [
    `# Plan: P\n\n${own ? '' : `## Validation Commands\n- \`${check}\`\n`}`,
    ...Array.from({ length: tasks }, (_, at) => {
      return `### Task ${at + 1}: t\n- depends: none\n${own ? `- check: \`${check}\`\n` : ''}- [ ] s\n`;
    }),
  ].join('\n');

/** Other nights in each soak. */
const seed = Number(process.env['SEED'] ?? (isSoak ? Date.now() % 1_000_000 : 7));

test.each(fc.sample(night, { numRuns: isSoak ? 60 : 2, seed }).map((one, at) => ({ one, at })))(
  `seed ${seed}, night $at`,
  async ({ one }) => {
    await using scene = await makeNight({
      plan: planOf(one),
      files: { 'state.txt': 'start\n' },
      turns: [...one.turns, { steps: [{ say: '{{marker TASK_FAILED no idea}}' }] }],
      env: {
        PAWL_TASK_ATTEMPTS: `${one.attempts}`,
        PAWL_TASK_CORRECTIONS: `${one.corrections}`,
        PAWL_KEEP_GOING: `${one.keepGoing}`,
        FIXED_BACKOFF_MS: '8',
      },
    });
    for (const life of ['first', 'second']) {
      const ended = await scene.again('--require', 'unchecked');
      const said = `${life} life of ${JSON.stringify(one)}\n${tell(ended)}`;
      expectRounds(ended.events, said);
      expectBounds(ended.events, one, said);
      const open = await scene.repo
        .git('grep', '-c', '-e', '- \\[ \\]', 'HEAD', '--', 'docs')
        .catch(() => '');
      const [{ exit, reasons } = { exit: undefined, reasons: [] }] = factsOf(ended, 'run-ended');
      expect(exit === 0, said).toBe(open === '' && reasons.length === 0);
      expect(reasons.length > 0 || open === '', said).toBe(true);
      await expectProof(scene, factsOf(ended, 'task-closed'), said);
      if (open === '') break;
    }
    expect(
      await redCommits(scene.repo, (await scene.repo.git('log', '--format=%H', '--grep=^plan: ')) || 'main'),
    ).toEqual([]);
  },
);

/** Every attempt that begins is followed by its verdict or its close before another begins, and each says why. */
function expectRounds(events: readonly Stamped<Fact>[], said: string): void {
  let open = false;
  for (const event of events) {
    if ('reason' in event) expect(event.reason, said).not.toBe('');
    if (event.type === 'attempt-started') {
      expect(open, said).toBe(false);
      open = true;
    }
    if (event.type === 'task-closed' || (event.type === 'round-ended' && event.verdict !== 'correct'))
      open = false;
  }
  expect(open, said).toBe(false);
}

/** Attempts of one life, and corrections of one session. */
function expectBounds(
  events: readonly Stamped<Fact>[],
  { attempts, corrections }: AnyNight,
  said: string,
): void {
  const counts = new Map<string, number>();
  const count = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  for (const event of events) {
    if (event.type === 'round-ended' && event.counts)
      expect(count(`task ${event.task}`), said).toBeLessThanOrEqual(attempts);
    if (event.type === 'correction-sent')
      expect(count(`${event.session} ${event.kind}`), said).toBeLessThanOrEqual(
        event.kind === 'red' ? corrections : 1,
      );
  }
}

/** What is proven changed something, and what is more than unchecked is green in its commit. */
async function expectProof(
  { repo }: Night,
  closed: readonly FactOf<'task-closed'>[],
  said: string,
): Promise<void> {
  for (const { oid, proof } of closed) {
    const files = (await repo.git('show', '--name-only', '--format=', oid))
      .split('\n')
      .filter((file) => file === 'state.txt');
    if (proof === 'proven') expect(files, said).toEqual(['state.txt']);
    if (proof !== 'unchecked') expect(await repo.git('show', `${oid}:state.txt`), said).toMatch(/good/);
  }
}
