// A plan made in a dialogue: a request becomes questions, answers, drafts and a file. What a planner writes elsewhere changes
// nothing, and no draft is lost.
import path from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from '../../src/journal/lock.ts';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { has } from '../helpers/needs.ts';
import { killAt } from '../helpers/night.ts';
import { expectExit, factsOf, makeScene } from '../helpers/pawl.ts';
import { type Seat, shows, sitDownTo } from '../helpers/seat.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun, runFolder } from '../helpers/story.ts';

const question = (value: unknown): Step => ({
  say: `I looked.\n\n<<<PAWL:QUESTION {{nonce}}>>>\n${JSON.stringify(value)}\n<<<PAWL:END {{nonce}}>>>`,
});
const draft = (text: string): Step => ({
  say: `Here it is.\n\n<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${text}<<<PAWL:END {{nonce}}>>>`,
});
const store = {
  question: 'Where are sessions kept?',
  options: [{ label: 'Redis', why: 'it is there', recommended: true }, { label: 'Memory' }],
};
const days = { question: 'For how many days?', options: ['1', '30'] };

const good = `# Plan: Add sessions

## Overview
People stay logged in.

### Task 1: Keep them
- check: \`grep -qx kept kept.txt\`
- [ ] Keep them
`;
const bad = good.replace('### Task 1:', '### Task 1');
const vacuous = good.replace('grep -qx kept kept.txt', 'test -f README.md');

const starts = (...steps: readonly Step[]): Turn => ({ when: 'What is wanted', once: true, steps });
const on = (when: string, ...steps: readonly Step[]): Turn => ({ when, steps });

test('questions, a draft that is corrected before anybody sees it, and a file, with nobody there', async () => {
  await using scene = await makeScene({
    turns: [
      starts({ bash: 'echo mine > planner.txt' }, question(store)),
      on('Where are sessions kept', question(days)),
      on('For how many days', draft(bad)),
      on('near-miss-heading', draft(vacuous)),
      on('passes before any work', draft(good)),
    ],
  });
  const words = ['Add sessions', '--yes', '--json', '--trust'];
  const run = acquireLock(path.join(scene.repo.path, '.git'), 'a run', new Date(), { tree: scene.repo.path });
  const ended = await expectExit(3, scene.pawl('plan', ...words));
  expect(ended.events.at(-1)).toMatchObject({
    reasons: [{ text: expect.stringContaining('not written yet: pawl (process') }],
  });
  expect(factsOf(ended, 'dialogue-answered').map(({ answer, by }) => `${by}: ${answer}`)).toEqual([
    'default: Redis',
    'default: 1',
  ]);
  expect(factsOf(ended, 'session-started').map(({ role }) => role)).toEqual(['plan']);
  expect(factsOf(ended, 'check-ended').map(({ command, result }) => `${command}: ${result}`)).toEqual([
    'test -f README.md: green',
    'grep -qx kept kept.txt: red',
  ]);
  expect(factsOf(ended, 'dialogue-corrected').map(({ what }) => what)).toEqual(['draft', 'checks']);
  expect(await scene.repo.exists('docs')).toBe(false);
  run[Symbol.dispose]();

  const twin = acquireLock(await runFolder(scene), 'the dialogue', new Date());
  const refused = await scene.pawl('plan', '--resume', '--yes');
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('works on run the dialogue')]);
  twin[Symbol.dispose]();
  const written = await expectExit(0, scene.pawl('plan', '--resume', '2', '--yes', '--json'));
  const to = factsOf(written, 'dialogue-written')[0]?.to ?? '';
  expect(to).toMatch(/^docs\/plans\/\d{4}-\d\d-\d\d-add-sessions\.md$/);
  expect(await scene.repo.read(to)).toBe(good);
  expect(await readRun(scene, 'draft-001.md')).toBe(bad);
  expect(await scene.repo.exists('planner.txt')).toBe(false);
  expect(await scene.repo.git('status', '--porcelain')).toBe('?? docs/');
  const twice = await expectExit(2, scene.pawl('plan', 'Add sessions', '--yes', '-o', to));
  expect(twice.stderr).toContain('already exists and is not overwritten');
});

test('asked by lines, with the real CLI: own words, an edit taken as it is, and a run to the end', async () => {
  // What stands before pawl gives it a pipe to read the person's lines from.
  const lines = ['2', 'as long as the law allows', 'y', 'edit', 'accept'].join('\\n');
  await using scene = await makeScene({
    cast: 'claude',
    enter: () => ['sh', '-c', `printf '${lines}\\n' | "$0" "$@"`],
    env: { EDITOR: "sed -i 's/stay logged in/stay/'", PAWL_BASELINE: 'skip', PAWL_ARCHIVE: 'false' },
    turns: [
      starts({ bash: 'echo mine > planner.txt' }, question(store)),
      on('Where are sessions kept', question(days)),
      on('For how many days', draft(bad)),
      on('near-miss-heading', draft(good)),
      on('### Task 1', { bash: 'echo kept > kept.txt' }, { say: 'Done.\n\n{{marker TASK_DONE kept}}' }),
    ],
  });
  const ended = await expectExit(
    0,
    scene.pawl('plan', 'Add sessions', '--json', '--run', '--trust', '--model', 'opus'),
  );
  expect(factsOf(ended, 'dialogue-answered').map(({ answer, by }) => `${by}: ${answer}`)).toEqual([
    'person: Memory',
    'person: as long as the law allows',
  ]);
  // The mistake was put right before there was anything to look at.
  expect(ended.stderr.split('# Plan: Add sessions')).toHaveLength(3);
  expect(factsOf(ended, 'dialogue-judged').map(({ draft: number, choice }) => `${number} ${choice}`)).toEqual(
    ['3 accepted'],
  );
  expect(factsOf(ended, 'session-started').map(({ role, model = '' }) => `${role} ${model}`)).toEqual([
    'plan opus',
    'task ',
  ]);
  const { to = '' } = factsOf(ended, 'dialogue-written')[0] ?? {};
  expect(await scene.repo.git('show', `HEAD~1:${to}`)).toBe(good.replace('stay logged in', 'stay').trimEnd());
  expect(await scene.repo.log()).toEqual([
    'Keep them',
    expect.stringMatching(/^plan: .*sessions.md$/),
    'start',
  ]);
  expect(await scene.repo.exists('planner.txt')).toBe(false);
});

inSoak.each(['journal dialogue-answered#1+1', 'journal dialogue-drafted#1+1', 'journal dialogue-written#1'])(
  'killed at %s it goes on where it was',
  async (effect) => {
    const told: Turn = { when: 'What was said so far', steps: [draft(good)] };
    await using scene = await makeScene({
      turns: [
        told,
        starts(question(store)),
        on('Where are sessions kept', draft(bad)),
        on('near-miss', draft(good)),
      ],
      env: killAt(effect),
    });
    const killed = await expectExit(
      'SIGKILL',
      scene.pawl('plan', 'Add sessions', '--yes', '--json', '-o', 'sessions.md'),
    );
    delete scene.env['KILL_PAWL_AT'];
    const ended = await expectExit(0, scene.pawl('plan', '--resume', '--yes', '--json'));
    // Nobody is asked twice.
    const asked = [...factsOf(killed, 'dialogue-asked'), ...factsOf(ended, 'dialogue-asked')];
    expect(asked).toHaveLength(1);
    expect(await scene.repo.read('sessions.md')).toBe(good);
    const [second] = factsOf(ended, 'session-started');
    if (second) expect(await readRun(scene, 'sessions/002.prompt.md')).toContain('- The answer: Redis');
    const again = await scene.pawl('plan', '--resume', '--yes');
    expect(again.stderr).toContain('no plan dialogue is open here');
  },
);

inSoak('who asks for ever drafts nothing: with nobody there it is left to a person', async () => {
  await using scene = await makeScene({ turns: [{ when: { regex: '.' }, steps: [question(days)] }] });
  const ended = await expectExit(3, scene.pawl('plan', 'Add sessions', '--yes', '--json'));
  expect(factsOf(ended, 'dialogue-answered')).toHaveLength(20);
  const [only] = factsOf(ended, 'run-ended');
  expect(only?.reasons[0]?.text).toContain('asked 20 questions');
});

inSoak('a planner that only ever says that it is done is given up', async () => {
  const silent: Step = { say: '<<<PAWL:TASK_DONE {{nonce}}>>>' };
  await using scene = await makeScene({ turns: [{ when: '', steps: [silent] }] });
  const words = ['plan', 'Add sessions', '--yes', '--json', '--set', 'budgets.maxSessions=6'];
  const ended = await expectExit(1, scene.pawl(...words));
  expect(ended.stdout).toContain('the planner gives no answer: it said nothing');
  expect(factsOf(ended, 'session-started')).toHaveLength(3);
});

test.runIf(has('terminals (script)'))(
  'at a terminal: left, gone on with, answered, commented on, accepted',
  async () => {
    const short = good.replace('People stay logged in.', 'They stay.');
    await using scene = await makeScene({
      turns: [
        { when: 'What was said so far', steps: [question(days)] },
        starts(question(store)),
        on('For how many days', draft(good)),
        on('make it short', draft(short)),
      ],
    });
    {
      using seat = await sitDownTo(scene, 'plan', 'Add sessions');
      await shows(seat, 'Redis (recommended): it is there');
      await shows(seat, 'Your answer');
      seat.type('\x03');
      expect((await seat.ended).exit, seat.screen()).toBe(130);
    }
    using seat = await sitDownTo(scene, 'plan', '--resume');
    await shows(seat, 'Where are sessions kept?');
    await shows(seat, '2. Memory');
    await press(seat, '2\r', 'Answer 1: Memory');
    await shows(seat, 'For how many days?');
    await press(seat, 'a week\r', 'Answer 2: a week');
    await shows(seat, 'Run the draft’s checks once');
    await press(seat, 'y\r', 'each of its checks fails now, as it should');
    await press(seat, 'comment\r', 'Your comment:');
    await press(seat, 'make it short\r', 'Draft 1 was commented on');
    await shows(seat, 'They stay.');
    await press(seat, 'accept\r', 'Draft 2 was accepted');
    await shows(seat, 'The plan is written: docs/plans/');
    const { exit, before, after } = await seat.ended;
    expect(exit, seat.screen()).toBe(0);
    expect(after).toBe(before);
    const name = await scene.repo.git('ls-files', '-o', 'docs');
    expect(await scene.repo.read(name)).toBe(short);
  },
);

/** Types until it is answered: between two prompts nobody listens. */
async function press(seat: Seat, keys: string, text: string): Promise<void> {
  const typing = setInterval(() => seat.type(keys), 10_000);
  seat.type(keys);
  await shows(seat, text).finally(() => clearInterval(typing));
}
