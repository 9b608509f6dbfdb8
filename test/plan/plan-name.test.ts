// What the file of a new plan is called, and which files are plans by their place.
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchName, isPlanFile, planFileName, slugOf } from '../../src/plan/plan-name.ts';

test.each([
  ['Add user authentication', 'add-user-authentication'],
  ['  `npm test` -- faster!  ', 'npm-test-faster'],
  ['Größe & Façade der Übersicht', 'große-facade-der-ubersicht'],
  ["Don't stop", 'dont-stop'],
  ['Кэш для API', 'кэш-для-api'],
  ['キャッシュを足す', 'キャッシュを足す'],
  ['../../etc/passwd\0.md', 'etc-passwd-md'],
  ['…', 'plan'],
  ['', 'plan'],
  [`${'a'.repeat(30)} ${'b'.repeat(28)} c`, `${'a'.repeat(30)}-${'b'.repeat(28)}`],
])('%s', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test.each([
  ['docs/plans/cache.md', true],
  ['docs/plans/README.md', false],
  ['docs/plans/cache.txt', false],
  ['docs/plans/completed/cache.md', false],
  ['plans/cache.md', false],
])('%s is a plan by its place: %s', (file, is) => expect(isPlanFile(file)).toBe(is));

test('a file’s name is the first that is free, and a branch can be named after it', () => {
  const taken = new Set<string>();
  const name = () => planFileName({ title: 'Add a cache', day: '2026-01-02' }, (one) => taken.has(one));
  expect(name()).toBe('2026-01-02-add-a-cache.md');
  taken.add(name());
  expect(name()).toBe('2026-01-02-add-a-cache-2.md');
  taken.add(name());
  expect(name()).toBe('2026-01-02-add-a-cache-3.md');
  expect(branchName(name())).toBe('add-a-cache-3');
});

/** Those of some names that git refuses as a branch. One shell for all, since each git is a process. */
function refused(names: readonly string[]): string[] {
  const loop =
    'for name in "$@"; do git check-ref-format --branch "$name" >/dev/null 2>&1 || printf "%s\\n" "$name"; done';
  return execFileSync('sh', ['-c', loop, 'sh', ...names], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

const table = [
  ['feature.md', 'feature'],
  ['2024-01-15-my-feature.md', 'my-feature'],
  ['20240115-my-feature.md', 'my-feature'],
  ['2024-01-15 my feature.md', 'my-feature'],
  ['3d-viewer.md', '3d-viewer'],
  ['2024-01-15-.md', '2024-01-15'],
  ['2024-01-15.md', '2024-01-15'],
  ['12345678-parts.md', '12345678-parts'],
  ['add cache (v2).md', 'add-cache-v2'],
  ['кэш.md', 'кэш'],
  ['缓存 计划.md', '缓存-计划'],
  ['a..b.lock.md', 'a-b'],
  ['a.lock.lock.md', 'a'],
  ['docs/plans/x.md', 'x'],
  ['v1.2.md', 'v1.2'],
  ['-x.md', 'x'],
  ['.hidden.md', 'hidden'],
  ['HEAD.md', 'plan-HEAD'],
  ['main.md', 'plan-main'],
  ['2024-01-15-Develop.md', 'plan-Develop'],
  ['main-menu.md', 'main-menu'],
  ['@.md', 'plan'],
  ['🎉.md', 'plan'],
  ['🎉 party.md', 'party'],
  ['a@{b}~1^2:3?*[4].md', 'a-b-1-2-3-4'],
  ['cafe\u0301.md', 'café'],
  ['plan.markdown', 'plan'],
  ['noext', 'noext'],
  ['snake_case.MD', 'snake_case'],
] as const;

describe('branchName', () => {
  test.each(table)('%s is %s', (file, name) => {
    expect(branchName(file)).toBe(name);
  });

  test('git accepts every name of the table', () => {
    expect(refused(table.map(([file]) => branchName(file)))).toEqual([]);
    expect(refused(['a..b', 'HEAD', 'a.lock'])).toEqual(['a..b', 'HEAD', 'a.lock']);
  });

  test('git accepts the name of any file', () => {
    const parts = fc.constantFrom(' ', ...'.lock .. . - / @{ \\ 2024-01-15- é HEAD \u200d \ud800'.split(' '));
    const names = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 8 });
    const files = fc.array(
      names.map((some) => `${some.join('')}.md`),
      { minLength: 100, maxLength: 100 },
    );
    fc.assert(
      fc.property(files, (some) => {
        expect(refused(some.map(branchName))).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });

  test('a long name is cut at a whole character and fits a file system', () => {
    const name = branchName(`${'я'.repeat(400)}.md`);
    expect(name).toBe('я'.repeat(100));
    expect(spawnSync('git', ['check-ref-format', '--branch', name]).status).toBe(0);
  });
});
