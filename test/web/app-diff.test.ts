// A difference as the page shows it: its files by name, and what was added and removed, whatever the lines say themselves.
import { expect, test } from 'vitest';
import { parseDiff } from '../../src/web/app.ts';

const head = (name: string, more = '') => `diff --git a/${name} b/${name}\n${more}`;
const told = (text: string) =>
  parseDiff(text).map(({ name, added, removed, lines }) => `${name} +${added} -${removed} ${lines.length}`);

test.each([
  ['nothing', '', []],
  [
    'a new file',
    `${head('a.ts', 'new file mode 100644\n')}--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+y\n`,
    ['a.ts +1 -0 2'],
  ],
  [
    'a removed one',
    `${head('a.ts', 'deleted file mode 100644\n')}--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n`,
    ['a.ts +0 -1 2'],
  ],
  [
    'a renamed one',
    'diff --git a/a.ts b/b.ts\nsimilarity index 100%\nrename from a.ts\nrename to b.ts\n',
    ['b.ts +0 -0 0'],
  ],
  [
    'a binary one',
    `${head('a.png')}index 1..2 100644\nBinary files a/a.png and b/a.png differ\n`,
    ['a.png +0 -0 1'],
  ],
  [
    'names with blanks, and with quotes and tabs',
    `${head('a b')}--- a/a b\t\n+++ b/a b\t\n@@ -1 +0,0 @@\n-x\n${'diff --git "a/\\"\\t" "b/\\"\\t"\n+++ "b/\\"\\t"\n@@ -1 +0,0 @@\n-x\n'}`,
    ['a b +0 -1 2', '"\t +0 -1 2'],
  ],
  ['a new name of quotes, empty', 'diff --git "a/\\"" "b/\\""\nnew file mode 100644\n', ['" +0 -0 0']],
  [
    'two files',
    `${head('a')}--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n${head('b')}--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n`,
    ['a +1 -1 3', 'b +1 -1 3'],
  ],
  [
    'a line that looks like a head',
    `${head('a')}--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- a/evil\n+diff --git a/x b/x\n`,
    ['a +1 -1 3'],
  ],
])('%s', (_, text, files) => {
  expect(told(text)).toEqual(files);
});
