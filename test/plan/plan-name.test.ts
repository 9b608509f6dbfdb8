// What the file of a new plan is called, and which files are plans by their place.
import { expect, test } from 'vitest';
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
  [`${'a'.repeat(40)} ${'b'.repeat(30)}`, 'a'.repeat(40)],
  [`${'a'.repeat(10)} ${'b'.repeat(70)}`, `${'a'.repeat(10)}-${'b'.repeat(49)}`],
  [`${'a'.repeat(30)} ${'b'.repeat(29)} c`, `${'a'.repeat(30)}-${'b'.repeat(29)}`],
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
