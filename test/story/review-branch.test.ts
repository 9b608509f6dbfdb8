// `pawl review` on a branch without a plan: what it fixes, what it only tells, what it leaves alone byte for byte, and what
// it needs to begin.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, factsOf, type Scene, startPawl, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { inSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const quiet = [reviewer('quality', []), reviewer('testing', [])];

/** A branch with one commit beyond main. */
async function onBranch({ repo }: Scene): Promise<void> {
  await repo.git('switch', '-qc', 'feature');
  await repo.write('src/word.txt', 'right\n');
  await repo.commit('add a word');
}

/** Every file below a folder with mode, time and content, pawl's own folder left out. */
function everything(root: string): ReadonlyMap<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => !name.startsWith(path.join('.git', 'pawl')))
      .map((name) => {
        const file = path.join(root, name);
        const kind = lstatSync(file);
        const { mode, mtimeMs, ino } = kind;
        const text = kind.isDirectory()
          ? ''
          : kind.isSymbolicLink()
            ? readlinkSync(file)
            : createHash('sha256').update(readFileSync(file)).digest('hex');
        // pawl's folder lies in .git, whose own time it changes.
        return [name, name === '.git' ? '' : `${mode} ${mtimeMs} ${ino} ${text}`];
      }),
  );
}

test('it mends what it finds, and goes on with nothing of the user’s', async () => {
  await using scene = await makeReview({
    turns: [
      reviewer('quality', [complaint()], { once: true }),
      ...quiet,
      fixer([{ bash: 'echo "right is the word" > src/README.md' }, answersTo({ F1: true })]),
    ],
    env: { PAWL_CHECKS: 'grep -qx right src/word.txt' },
  });
  await onBranch(scene);
  const ended = await expectExit(0, scene.pawl('review', '--json', '--trust'));
  expect(reviewOf(ended)).toContain('fixer: committed');
  expect(reviewOf(ended).at(-1)).toBe('first ended clean');
  expect(await scene.repo.git('log', '--format=%s', 'main..feature')).toBe(
    'fix: The word is not explained\nadd a word',
  );
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  await expectExit(0, scene.pawl('logs', '--json'));
  const status = await scene.pawl('status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'finished', branch: 'feature', exit: 0 });
});

test('a report changes nothing, byte for byte, on a dirty tree without trust; with --prove only facts are errors', async () => {
  const proof = { command: 'grep -q explained src/word.txt', patch: '' };
  const findings = [
    complaint({ severity: 'minor' }),
    complaint({ severity: 'minor', file: 'src/word.txt', title: 'It says too little', proof }),
  ];
  const write = { bash: 'echo x > new.txt; echo y > src/word.txt' };
  await using scene = await makeReview({
    turns: [reviewer('quality', findings, { before: [write] }), ...quiet],
  });
  await onBranch(scene);
  await scene.repo.write('README.md', 'not committed\n');
  await scene.repo.write('mine.txt', 'mine\n');
  // The index has its times from now on.
  await scene.repo.git('status');
  const before = everything(scene.repo.path);
  const ended = await scene.pawl('review', '--report-only', '--json');
  expect(everything(scene.repo.path)).toEqual(before);
  expect(ended.exit, tell(ended)).toBe(4);
  expect(ended.stderr).toContain('Uncommitted changes are not reviewed: README.md, mine.txt');
  expect(reviewOf(ended).at(-1)).toBe('first ended open');
  expect(factsOf(ended, 'session-started').every(({ configKeptOut }) => configKeptOut)).toBe(true);
  expect(factsOf(ended, 'finding-tried')).toEqual([]);
  await expectExit(0, scene.pawl('review', '--report-only', '--fail-on', 'major', '--json'));
  Object.assign(scene.env, { GITHUB_ACTIONS: 'true' });
  const proved = await scene.pawl('review', '--prove', '--json');
  expect(factsOf(proved, 'finding-tried').map(({ result }) => result)).toEqual(['confirmed']);
  expect(proved.exit, tell(proved)).toBe(4);
  expect(proved.stderr).toMatch(/^::error file=src\/word.txt,.*::It says too little/m);
  expect(proved.stderr).toMatch(/^::notice file=src\/README.md,.*::The word is not explained/m);
  expect(everything(scene.repo.path)).toEqual(before);
});

test('a report that was stopped is continued only on its own commit', async () => {
  await using scene = await makeReview({ turns: quiet, env: { FIXED_REVIEWERS: '1' } });
  await onBranch(scene);
  const report = ['review', '--report-only', '--json', '--set'];
  await expectExit(5, scene.pawl(...report, 'budgets.maxSessions=1'));
  const more = await expectExit(0, scene.pawl(...report, 'budgets.maxSessions=2'));
  expect(reviewOf(more)).toEqual(['testing: nothing', 'first ended clean']);
  await expectExit(5, scene.pawl(...report, 'budgets.maxSessions=1'));
  await scene.repo.write('src/word.txt', 'wrong\n');
  await scene.repo.commit('change the word');
  const other = await expectExit(0, scene.pawl(...report, 'budgets.maxSessions=2'));
  expect(factsOf(other, 'review-round-started').map(({ head }) => head)).toEqual([
    await scene.repo.git('rev-parse', 'HEAD'),
  ]);
});

inSoak('a stopped review that finds a file changed by hand names its own command to go on', async () => {
  await using scene = await makeReview({
    turns: [
      reviewer('quality', [], { before: [{ usage: { input: 0, output: 50_000 } }] }),
      ...quiet.slice(1),
    ],
    env: { FIXED_REVIEWERS: '1' },
  });
  await onBranch(scene);
  await expectExit(5, scene.pawl('review', '--json', '--trust', '--max-cost', '1'));
  await scene.repo.write('src/word.txt', 'by hand\n');
  const refused = await expectExit(2, scene.pawl('review', '--json', '--max-cost', '5'));
  const [reason] = factsOf(refused, 'run-ended')[0]?.reasons ?? [];
  const command = /`pawl (review --take-edits [^`]+)`/.exec(reason?.hint ?? '')?.[1] ?? '';
  const again = await expectExit(0, scene.pawl(...command.split(' '), '--json', '--max-cost', '5'));
  expect(factsOf(again, 'intervention').map(({ kind }) => kind)).toContain('hand-edit');
});

test('what keeps it from beginning is said with its remedy', async () => {
  await using scene = await makeReview({ turns: quiet });
  const nothing = await expectExit(2, scene.pawl('review', '--trust'));
  expect(nothing.stderr).toContain('there is nothing to look at: HEAD has no commits that main lacks');
  await onBranch(scene);
  const unknown = await scene.pawl('review', '--trust', '--base', 'nowhere');
  expect(unknown.stderr).toContain('the base nowhere is not in this clone');
  expect(unknown.stderr).toContain('git fetch origin nowhere');
  const stage = await scene.pawl('review', '--trust', '--stage', 'fist');
  expect(stage.stderr).toContain('there is no review stage fist');
  await scene.repo.write('README.md', 'not committed\n');
  const dirty = await expectExit(2, scene.pawl('review', '--trust'));
  expect(dirty.stderr).toContain('pawl review --report-only');
  await expectExit(2, scene.pawl('review', '--report-only', '--pr'));
  await scene.repo.git('switch', '-q', '--detach');
  const detached = await expectExit(2, scene.pawl('review', '--trust'));
  expect(detached.stderr).toContain('HEAD is detached');
  await expectExit(0, scene.pawl('review', '--report-only'));
});

inSoak(
  'a shallow clone: each step that it asks for leads to the next, and the last one to a review',
  async () => {
    await using scene = await makeReview({ turns: quiet });
    await onBranch(scene);
    using folder = makeTempFolder();
    const cwd = path.join(folder.path, 'clone');
    const { repo, env } = scene;
    await repo.git('clone', '-q', '--depth', '1', '--branch', 'feature', `file://${repo.path}`, cwd);
    const review = (...args: readonly string[]) =>
      startPawl(['review', '--report-only', '--json', ...args], { cwd, env }).ended;
    const missing = await expectExit(2, review('--base', 'main'));
    expect(missing.stderr).toContain('the base main is not in this clone');
    expect(missing.stderr).toContain('git fetch origin main && pawl review --base FETCH_HEAD');
    const byRemote = await review('--base', 'origin/main');
    expect(byRemote.stderr).toContain('git fetch origin main && pawl review --base FETCH_HEAD');
    await repo.git('-C', cwd, 'fetch', '-q', '--depth', '1', 'origin', 'main');
    const apart = await expectExit(2, review('--base', 'FETCH_HEAD'));
    expect(apart.stderr).toContain('this clone is shallow: the commit where HEAD and FETCH_HEAD diverged');
    expect(apart.stderr).toContain('git fetch --unshallow origin;');
    await repo.git('-C', cwd, 'fetch', '-q', '--unshallow', 'origin', 'main');
    const there = await expectExit(0, review('--base', 'FETCH_HEAD'));
    expect(reviewOf(there).at(-1)).toBe('first ended clean');
  },
);
