import { expect, test } from 'vitest';
import { findClose } from '../../../src/git/commit/history.ts';
import { planUndo, type UndoOptions, undoTask } from '../../../src/git/rescue/undo.ts';
import type { Repo } from '../../../src/git/run/repo.ts';
import { type Opened, openTemp, sh } from '../open.ts';

const files = { 'a.ts': 'a\n', 'b.ts': 'b\n', 'plan.md': '0\n' };

const close = `close() { git add -A; git commit -qm "Task $1

Pawl-Run: r
Pawl-Task: $1
Pawl-Checks: green
Pawl-Close: key$1"; }
`;

/** Three tasks closed one after another, each with a file of its own and its tick. */
async function closed(): Promise<Opened> {
  const made = await openTemp({ files });
  sh(made, `${close}for at in 1 2 3; do echo $at | tee plan.md > t$at.ts; echo $at >> a.ts; close $at; done`);
  return made;
}

const optionsOf = (made: Opened, task: string): UndoOptions => ({
  run: 'r',
  task,
  index: `${made.index}.rescue`,
});

test('one by its key, also behind a hook’s own trailer; a key in prose is none', async () => {
  await using made = await closed();
  const base = await made.oid('HEAD~3');
  expect((await findClose(made.repo, 'key2', base))?.task).toBe('2');
  expect(await findClose(made.repo, 'key', base)).toBeUndefined();
  expect(await findClose(made.repo, 'key2', 'HEAD~1')).toBeUndefined();
  const commit = (message: string) => made.temp.git('commit', '-q', '--allow-empty', '-m', message);
  await commit('x\n\nPawl-Task: 4\nPawl-Close: k4\n\nChange-Id: I');
  expect((await findClose(made.repo, 'k4', base))?.task).toBe('4');
  await commit('says Pawl-Close: k5 in prose');
  expect(await findClose(made.repo, 'k5', base)).toBeUndefined();
  const parent = await made.oid();
  sh(made, `git switch -q -c side HEAD~1; git commit -q --allow-empty -m side; git switch -q main`);
  await made.temp.git('merge', '-q', '--no-ff', '-m', 'x\n\nPawl-Task: 6\nPawl-Close: k6', 'side');
  expect((await findClose(made.repo, 'k6', base))?.parent).toBe(parent);
});

async function undo(repo: Repo, options: UndoOptions, withLater = false) {
  const plan = await planUndo(repo, options, (later) => {
    const first = later.map(({ message }) => message.split('\n')[0]);
    if (!withLater && later.length > 0) throw new Error(first.join());
  });
  return undoTask(repo, options, plan);
}

test('the last one: branch, index and work tree back, all kept', async () => {
  await using made = await closed();
  const [head, start] = [await made.oid(), await made.oid('HEAD~1')];
  await made.temp.write('mine.txt', 'mine');
  const undone = await undo(made.repo, optionsOf(made, '3'));
  expect(undone).toMatchObject({ kept: 'refs/pawl/r/undone/001' });
  expect(await made.oid('refs/pawl/r/undone/001')).toBe(head);
  expect(await made.oid('main')).toBe(start);
  expect(await made.temp.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(await made.temp.git('status', '--porcelain')).toBe('?? mine.txt');
  expect(await made.temp.read('plan.md')).toBe('2\n');
});

test('an undo that a kill cut off is refused once somebody has committed since', async () => {
  await using made = await closed();
  const options = optionsOf(made, '3');
  const plan = await planUndo(made.repo, options, () => {});
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'mine');
  const head = await made.oid();
  await expect(undoTask(made.repo, options, plan)).rejects.toMatchObject({ code: 'history' });
  expect(await made.oid()).toBe(head);
});

/** A task that removed `gone` and closed, and a person's own untracked things since. */
async function removed(own: Readonly<Record<string, string>>): Promise<Opened> {
  const made = await openTemp({ files: { ...files, gone: 'old\n' } });
  sh(made, `${close}git rm -q gone; close 1`);
  for (const [name, text] of Object.entries(own)) await made.temp.write(name, text);
  return made;
}

test('a person’s own file where one comes back is in the rescue', async () => {
  await using made = await removed({ gone: 'mine\n' });
  const undone = await undo(made.repo, optionsOf(made, '1'));
  expect(await made.temp.read('gone')).toBe('old\n');
  expect(await made.temp.git('show', `${undone.rescue}:gone`)).toBe('mine');
});

test.each<[string, Record<string, string>]>([
  ['too big for the rescue', { gone: 'x'.repeat(11_000_000) }],
  ['a folder of theirs in its place', { 'gone/mine': 'mine' }],
])('%s: refused, and nothing has moved', async (_, own) => {
  await using made = await removed(own);
  const head = await made.oid();
  await expect(undo(made.repo, optionsOf(made, '1'))).rejects.toMatchObject({
    message: expect.stringContaining('gone'),
  });
  expect(await made.oid()).toBe(head);
  const [name = '', text] = Object.entries(own)[0] ?? [];
  expect(await made.temp.read(name)).toBe(text);
});

test('what the rescue does not hold is said, and left alone', async () => {
  await using made = await removed({ 'big.bin': 'x'.repeat(11_000_000) });
  const undone = await undo(made.repo, optionsOf(made, '1'));
  expect(undone).toMatchObject({ notHeld: [{ file: 'big.bin' }] });
  expect(await made.temp.exists('big.bin')).toBe(true);
});

test('an earlier one says what stands on it, and does nothing', async () => {
  await using made = await closed();
  const head = await made.oid();
  await expect(undo(made.repo, optionsOf(made, '1'))).rejects.toThrow('Task 3,Task 2');
  expect(await made.oid()).toBe(head);
});

test('an earlier one with the later ones', async () => {
  await using made = await closed();
  const start = await made.oid('HEAD~3');
  const undone = await undo(made.repo, optionsOf(made, '1'), true);
  expect(undone.taken).toHaveLength(3);
  expect(await made.oid()).toBe(start);
  expect(await made.temp.git('status', '--porcelain')).toBe('');
});

test('changes in the tree, and a task that was never closed, are refused', async () => {
  await using made = await closed();
  await expect(undo(made.repo, optionsOf(made, '9'))).rejects.toMatchObject({ code: 'usage' });
  await made.temp.write('a.ts', 'dirt\n');
  await expect(undo(made.repo, optionsOf(made, '3'))).rejects.toMatchObject({
    code: 'preflight',
    message: expect.stringContaining('a.ts'),
  });
});
