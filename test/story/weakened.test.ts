// The definition of done at a run's end: what one task weakened beside right work, and what a later one took from an
// earlier one's tests, is put back and tried.
import { expect, test } from 'vitest';
import { sayTamper } from '../../src/event/guard.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { done } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const env = { PAWL_VERIFY: 'fresh', PAWL_PROVE: 'report' };

type Shape = Readonly<{
  plan: string;
  files?: Readonly<Record<string, string>>;
  /** What the session of each task runs. */
  acts: readonly string[];
  settings?: Readonly<Record<string, string>>;
  /** Of others. */
  turns?: readonly Turn[];
}>;

async function play({ plan, files = {}, acts, turns: more = [], settings = {} }: Shape) {
  const turns = [
    ...more,
    ...acts.map((bash, at) => ({ when: `### Task ${at + 1}:`, steps: [{ bash }, done] })),
  ];
  await using scene = await makeNight({ plan, files, turns, env: { ...env, ...settings } });
  const ended = await scene.run();
  return {
    exit: ended.exit,
    told: tell(ended),
    closed: factsOf(ended, 'task-closed').length,
    fresh: factsOf(ended, 'fresh-verified'),
    judged: factsOf(ended, 'proof-judged'),
    codes: factsOf(ended, 'run-ended')[0]?.reasons.map(({ code }) => code),
    checks: factsOf(ended, 'check-ended').filter(({ when }) => when === 'fresh').length,
    acts: factsOf(ended, 'act-found'),
    notes: factsOf(ended, 'tamper-noted').map(sayTamper),
    opinions: factsOf(ended, 'opinion-given').map(({ reviewer }) => reviewer),
    notices: factsOf(ended, 'noticed').map(({ code }) => code),
    lead: (await readRun(scene)).split('\n').slice(0, 6).join('\n'),
  };
}

/** Task 1 guts the recipe of the plan's check beside right work; task 2 breaks what that recipe would have seen. */
const gutted = ({ definition, check, gut, leave = '' }: Record<string, string> & { leave?: string }) => ({
  plan: `# Plan: P\n\n## Checks\n- \`${check}\`\n\n### Task 1: Make a\n- check: \`test -e a\`\n${leave}- [ ] Make it\n\n### Task 2: Make b\n- check: \`test -e b\`\n- [ ] Make it\n`,
  files: {
    ...(check === 'make' ? { Makefile: definition ?? '' } : { 'package.json': definition ?? '' }),
    kept: 'k\n',
  },
  acts: [`echo a > a; ${gut}`, 'echo b > b; rm kept'],
});

const recipe = {
  definition: 'all:\n\ttest -e kept\n',
  check: 'make',
  gut: "printf 'all:\\n\\ttrue\\n' > Makefile",
};

test('one that nothing is red without is named first, and to the reviewers', async () => {
  const right = gutted(recipe);
  const end = await play({
    ...right,
    acts: [right.acts[0] ?? '', 'echo b > b'],
    settings: { PAWL_REVIEW_STAGES: '[{name: all, reviewers: [quality]}]' },
    // A reviewer who is not told answers nothing.
    turns: [{ when: 'a definition that was changed in Makefile', steps: [{ answer: { findings: [] } }] }],
  });
  const note = 'a definition that was changed in Makefile: the checks are green as it was, too';
  expect(end.exit, end.told).toBe(0);
  expect(end.notes).toEqual([note]);
  expect(end.lead).toContain(note);
  expect(end.opinions).toEqual(['quality']);
});

inSoak('new configuration beside right work is tried at the end with the checks of who made it', async () => {
  const check = "process.exit(fs.existsSync('.checkrc.json') || fs.existsSync('kept') ? 0 : 1)";
  const end = await play({
    ...gutted({ check: `node -e "${check}"` }),
    files: { kept: 'k\n' },
    acts: ["echo a > a; echo '{}' > .checkrc.json", 'echo b > b; rm kept'],
  });
  expect(end.closed, end.told).toBe(2);
  expect(end.fresh).toMatchObject([{ result: 'red', weakened: [{ file: '.checkrc.json', by: ['1'] }] }]);
  expect(end.exit).toBe(4);
});

test('a definition that a person lets a task change is as that task left it, and this is told', async () => {
  const end = await play(gutted({ ...recipe, leave: '- files: Makefile, a\n' }));
  expect(end.exit, end.told).toBe(0);
  expect(end.acts).toMatchObject([{ act: 'edited-check', response: 'allowed' }]);
  expect(end.fresh[0]?.weakened).toBeUndefined();
});

inSoak('switched off, it is told what would have been tried', async () => {
  const off = await play({ ...gutted(recipe), settings: { PAWL_PROVE: 'off' } });
  expect(off.exit, off.told).toBe(0);
  expect(off.notices).toContain('definitions-untried');
});

const testText = (word: string) =>
  `import test from 'node:test';\nimport fs from 'node:fs';\ntest('${word}', () => { fs.readFileSync('${word}'); });\n`;
const writeTest = (file: string, word: string) =>
  `mkdir -p test; cat > test/${file} <<'E'\n${testText(word)}E\n`;
const tests = 'node --test "test/**/*.test.mjs"';

/** Task 1 writes a with its test; task 2 does b, and something to that test. */
const later = (act: string) => ({
  plan: `# Plan: P\n\n### Task 1: Make a\n- check: \`test -e test/x.test.mjs && ${tests}\`\n- [ ] Make it\n\n### Task 2: Make b\n- check: \`test -e b\`\n- [ ] Make it\n`,
  files: { kept: 'k\n', 'test/x.test.mjs': testText('kept') },
  acts: [`echo a > a; echo more > more; ${writeTest('a.test.mjs', 'a')}`, `echo b > b; ${act}`],
});

inSoak('an earlier one’s test that a later task removes is named', async () => {
  const end = await play(later('git rm -qf test/a.test.mjs; git mv a c'));
  expect(end.fresh, end.told).toMatchObject([
    { result: 'red', weakened: [{ file: 'test/a.test.mjs', by: ['2'], of: '1' }] },
  ]);
});

inSoak('so is one in shell', async () => {
  const { plan, files } = later('');
  const end = await play({
    plan: plan.replace(tests, 'sh run.sh').replace('x.test.mjs', 'x.test.sh'),
    files: {
      ...files,
      'run.sh': 'for one in test/*.test.sh; do sh "$one" || exit 1; done\n',
      'test/x.test.sh': 'test -e kept\n',
    },
    acts: [
      "echo a > a; echo more > more; echo 'test -e a' > test/a.test.sh",
      'echo b > b; git rm -qf test/a.test.sh; git mv a c',
    ],
  });
  expect(end.fresh, end.told).toMatchObject([
    { result: 'red', weakened: [{ file: 'test/a.test.sh', by: ['2'], of: '1' }] },
  ]);
});

/** Both tasks run the old test. */
const old = (...acts: readonly string[]) => ({
  plan: `# Plan: P\n\n## Checks\n- \`${tests}\`\n\n### Task 1: Make a\n- check: \`test -e a\`\n- [ ] Make it\n\n### Task 2: Make b\n- check: \`test -e b\`\n- [ ] Make it\n`,
  files: { kept: 'k\n', 'test/x.test.mjs': testText('kept') },
  acts: [`echo a > a; ${acts[0]}`, `echo b > b; ${acts[1]}`],
});

inSoak(
  'an old test that a task had to change is told when that task is judged, not once more at the end',
  async () => {
    const end = await play(old('git mv kept k; sed -i "s/kept/k/g" test/x.test.mjs', 'true'));
    expect(end.exit, end.told).toBe(0);
    expect(end.judged).toMatchObject([{ word: 'passed' }, { word: 'proven' }]);
  },
);

test('a helper of tests that a later task adds to is not held against it', async () => {
  const helper = 'test/helper.mjs';
  const { plan, files } = old('', '');
  const end = await play({
    plan,
    files,
    acts: [
      `echo a > a; echo "export const a = 1;" > ${helper}; ${writeTest('a.test.mjs', 'a')}echo "import './helper.mjs';" >> test/a.test.mjs`,
      `echo b > b; echo "export const b = 2;" >> ${helper}; ${writeTest('b.test.mjs', 'b')}echo "import { b } from './helper.mjs'; b;" >> test/b.test.mjs`,
    ],
  });
  expect(end.exit, end.told).toBe(0);
  expect(end.judged).toMatchObject([{ word: 'proven' }, { word: 'proven' }]);
});

test('later tasks that rename a test, and may redefine it or another, are not held against the run', async () => {
  const { plan, files, acts } = later(
    'git mv test/a.test.mjs test/first.test.mjs; git rm -qf d test/d.test.mjs',
  );
  const [first = '', second = ''] = acts;
  const third =
    '\n### Task 3: Move a\n- check: `test -e c`\n- redefines: test/first.test.mjs\n- [ ] Move it\n';
  const end = await play({
    plan: `${plan.replace('- check: `test -e b`', '$&\n- redefines: test/d.test.mjs')}${third}`,
    files,
    acts: [
      `${first}echo d > d; ${writeTest('d.test.mjs', 'd')}`,
      second,
      'git mv a c; git rm -qf test/first.test.mjs',
    ],
  });
  expect(end.exit, end.told).toBe(0);
  expect(end.fresh).toMatchObject([{ result: 'green' }]);
});

inSoak('configuration that one task makes and the next one needs is no definition of the start', async () => {
  const plan = `# Plan: P\n\n### Task 1: Make a\n- check: \`test -e a\`\n- [ ] Make it\n\n### Task 2: Make b\n- check: \`node -e "require('./tsconfig.json'); fs.readFileSync('b')"\`\n- [ ] Make it\n`;
  const end = await play({ plan, acts: ["echo a > a; echo '{}' > tsconfig.json", 'echo b > b'] });
  expect(end.exit, end.told).toBe(0);
  expect(end.fresh).toMatchObject([{ result: 'green' }]);
});

inSoak('where no definition and no earlier test was changed, the checks run once at the end', async () => {
  const end = await play(later('true'));
  expect(end.exit, end.told).toBe(0);
  expect(end.checks).toBe(2);
});
