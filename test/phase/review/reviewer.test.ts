// Findings get ids that they keep, and files that are those of the repository, wherever a reviewer saw them.
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FindingState } from '../../../src/journal/fold-review.ts';
import { nameFindings } from '../../../src/phase/review/reviewer.ts';
import { complaint } from '../../helpers/review.ts';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-names-')));
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(path.join(root, 'a.ts'), 'one\n  two\n');
symlinkSync('/etc/hostname', path.join(root, 'link'));

const crash = complaint({ file: 'a.ts', line: 2, title: 'Crashes on empty input' });

function known(id: string, finding = crash): FindingState {
  return { id, ...finding, anchor: 'two', fingerprint: '', raised: [], standing: 'open' };
}

test('what nobody raised before is numbered on', () => {
  const other = complaint({ file: 'a.ts', line: 0, title: 'No test for it' });
  const named = nameFindings(root, [crash, other], [known('F1', complaint({ file: 'b.ts' }))]);
  expect(named.map(({ id, anchor }) => [id, anchor])).toEqual([
    ['F2', 'two'],
    ['F3', ''],
  ]);
});

test('no number is given twice where some of those before are gone', () => {
  expect(nameFindings(root, [crash], [known('F4', complaint({ file: 'b.ts' }))])[0]?.id).toBe('F5');
});

test('the same in other words and on another line keeps its id', () => {
  const again = { ...crash, line: 30, title: 'It crashes when the input is empty' };
  expect(nameFindings(root, [again], [known('F7')])).toMatchObject([{ id: 'F7' }]);
});

test('said twice in one opinion it is one', () => {
  expect(nameFindings(root, [crash, { ...crash, title: 'crashes on an empty input' }], [])).toHaveLength(1);
});

test('the same words of one opinion about two lines are two, of which neither is lost', () => {
  const worse = { ...crash, line: 1, severity: 'critical' } as const;
  const named = nameFindings(root, [crash, worse], []);
  expect(named.map(({ id, line, severity }) => [id, line, severity])).toEqual([
    ['F1', 2, 'major'],
    ['F2', 1, 'critical'],
  ]);
});

test('two complaints of one opinion about one line stay two, in the next round as well', () => {
  const titles = ['The argument is not quoted', 'Nothing checks that there is an argument'];
  const both = titles.map((title) => complaint({ file: 'a.ts', line: 2, title }));
  expect(nameFindings(root, both, []).map(({ id }) => id)).toEqual(['F1', 'F2']);
  const before = both.map((one, at) => known(`F${at + 1}`, one));
  expect(nameFindings(root, both.toReversed(), before).map(({ id }) => id)).toEqual(['F2', 'F1']);
});

test('a place in the checkout is one in the repository; what lies outside is not read', () => {
  const inside = { ...crash, file: path.join(root, 'a.ts') };
  const [named] = nameFindings(root, [inside], []);
  expect(named).toMatchObject({ file: 'a.ts', anchor: 'two' });
  for (const file of ['../x', '/etc/hostname', 'link'])
    expect(nameFindings(root, [{ ...crash, file, line: 1 }], [])[0]?.anchor).toBe('');
});
