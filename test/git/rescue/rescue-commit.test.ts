// What refs and the stash name stays in the repository while sessions work: each is pruned by git as soon as it can be.
import { expect, test } from 'vitest';
import { takeSnapshot } from '../../../src/git/protect/snapshot.ts';
import { holdRefs } from '../../../src/git/rescue/rescue-commit.ts';
import { restoreRepository } from '../../../src/git/restore/restore-repository.ts';
import { type Opened, openTemp } from '../open.ts';

const more = `for name in one two; do echo $name > README.md; git stash -q; done
git switch -qc run
git branch side
git switch -qc mine; git commit -q --allow-empty -m mine
git tag light; git tag -a -m words annotated; git switch -q run
`;

async function open() {
  const made = await openTemp({ more });
  const repo = await made.reopen();
  const before = await takeSnapshot(repo);
  const names = ['stash@{0}', 'stash@{1}', 'mine'];
  const oids = await Promise.all(names.map((name) => made.oid(name)));
  return { ...made, repo, before, oids };
}

async function pruneAll({ temp }: Opened): Promise<void> {
  await temp.git('branch', '-q', '-D', 'mine');
  await temp.git('tag', '-d', 'light', 'annotated');
  await temp.git('stash', 'clear');
  await temp.git('reflog', 'expire', '--expire=now', '--all');
  await temp.git('gc', '-q', '--prune=now');
}

const acts = async ({ repo, before }: Awaited<ReturnType<typeof open>>) =>
  restoreRepository(repo, before, { run: 'r', branch: 'run' });

test('what is held can be brought back by the commands that are told', async () => {
  await using made = await open();
  const { repo, before, temp, oids } = made;
  await holdRefs(repo, 'r', { ...before, known: [before.head] });
  await pruneAll(made);
  const found = await acts(made);
  const told = found.map(({ detail }) => detail).join('\n');
  const commands = told.match(/git (?:update-ref \S+|stash store) \S+/g) ?? [];
  for (const command of commands.filter((one) => !one.includes('annotated')))
    await temp.git(...command.split(' ').slice(1));
  expect([await made.oid('stash@{0}'), await made.oid('stash@{1}')]).toEqual(oids.slice(0, 2));
  expect(await made.oid('mine')).toBe(oids[2]);
  expect(await made.oid('light')).toBe(oids[2]);
  // Of a tag with words the commit is left.
  expect(told).toMatch(/refs\/tags\/annotated was deleted \(it was \w+; git has pruned it/);
});

test('what is not held and pruned is told as gone, and the others are kept all the same', async () => {
  await using made = await open();
  await pruneAll(made);
  const found = await acts(made);
  expect(found.map(({ act, response, kept }) => `${act} ${response} ${kept}`)).toEqual([
    'expired-reflog reported undefined',
    'moved-ref reported undefined',
    'moved-ref reported undefined',
    'moved-ref reported undefined',
    'stashed reported undefined',
    'stashed reported undefined',
  ]);
  for (const { detail } of found.slice(1)) expect(detail).toContain('git has pruned it');
});

test('nothing is written where nothing is named but what is held anyway, or what was held last', async () => {
  await using made = await open();
  const { repo, before, temp } = made;
  const held = () => temp.git('for-each-ref', 'refs/pawl');
  await holdRefs(repo, 'r', {
    refs: new Map([['refs/heads/side', before.head]]),
    stashes: [],
    known: [before.head],
  });
  expect(await held()).toBe('');
  await holdRefs(repo, 'r', { ...before, known: [before.head] });
  const first = await held();
  await holdRefs(repo, 'r', { ...before, known: [before.head] });
  expect(await held()).toBe(first);
});
