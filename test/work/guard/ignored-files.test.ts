import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { findOutsideLinks, formatHidden, takeMadeFiles } from '../../../src/work/guard/ignored-files.ts';
import { fact, stateOf } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const some = (number: number) =>
  Array.from({ length: number }, (_, at) => ({ file: `lib/${at}`, rule: 'lib/ in .gitignore, line 1' }));

test.each([
  [0, 0, undefined],
  [1, 1, 'lib/0 is ignored by git (lib/ in .gitignore, line 1), so no commit will have it'],
  [21, 21, 'so is 1 more file'],
  [300, 21, 'so are 280 more files'],
])('%i files that git ignores', (number, lines, last) => {
  const told = formatHidden(some(number));
  expect(told).toHaveLength(lines);
  expect(told.at(-1)).toBe(last);
});

// Which links of the work are told: those that lead a check to what no commit holds.
test.each<[name: string, target: string, told: boolean, step?: string]>([
  ['src', '../outside', true],
  ['src/deep', '../../outside/file', true],
  ['src', 'inside', false],
  ['src', '/dev/null', false],
  ['src', '.git/kept', true],
  ['src', '.gitkept', false],
  ['src', '../nothing', false],
  // The link inside leads on.
  ['two', 'one', true],
  ['src', '../outside', false, 'Make src a link to ../outside'],
  ['src', '../outside', true, 'Write src/file'],
])('%s, a link to %s: %s', (name, target, told, step = 'Write it') => {
  using folder = makeTempFolder();
  const root = path.join(folder.path, 'repo');
  for (const at of ['repo/inside', 'repo/.git/kept', 'repo/.gitkept', 'repo/src/..', 'outside'])
    mkdirSync(path.join(folder.path, at), { recursive: true });
  writeFileSync(path.join(folder.path, 'outside', 'file'), '');
  symlinkSync('../outside', path.join(root, 'one'));
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  symlinkSync(target, path.join(root, name));
  const [task] = parsePlan(`# P\n\n### Task 1: T\n- [ ] ${step}\n`, 'plan.md').tasks;
  if (!task) throw new Error('no task');
  const added = { status: 'added', insertions: 1, deletions: 0 } as const;
  const files = [name, 'inside'].map((file) => ({ file, ...added }));
  const found = findOutsideLinks({ repo: { root } }, { task }, files);
  expect(found).toEqual(
    told ? [`${name} leads out of the repository, to ${target}: no commit has what lies there`] : [],
  );
});

test.each([undefined, { number: 2 }])(
  'what checks made in its lane (%o) is work once a session writes it',
  (lane) => {
    const made = { ...fact('files-made', { files: ['made'] }), ...(lane && { lane: lane.number }) };
    const emitted: unknown[] = [];
    const run = { state: () => stateOf(made), emit: (event: unknown) => emitted.push(event) };
    const place = { run, repo: { root: '/repo' }, ...(lane && { lane }) } as unknown as Place;
    const [task] = parsePlan('# P\n\n### Task 1: T\n- [ ] Do it\n', 'plan.md').tasks;
    if (task) takeMadeFiles(place, { task }, { session: 1, written: ['made', 'new'] });
    expect(emitted).toEqual([{ type: 'files-made', files: ['made'], by: 'session' }]);
  },
);
