// Reading diffs: git's own on real repositories of names, hand-made ones for the rest, and anything at all.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readDiff } from '../../src/check/diff.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function gitDiff(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-diff-'));
  folders.push(folder);
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
  };
  git('init', '-q');
  write(before);
  git('add', '-A');
  const old = git('write-tree').trim();
  for (const file of Object.keys(before)) rmSync(path.join(folder, file));
  write(after);
  git('add', '-A');
  return git(
    '-c',
    'core.quotePath=false',
    'diff-tree',
    '-r',
    '-p',
    '-M',
    '-U3',
    old,
    git('write-tree').trim(),
  );
}

describe('git’s own diffs', () => {
  it('give status, lines and their numbers', () => {
    const ten = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`);
    const changed = ten.with(1, 'two').toSpliced(8, 1).concat('last');
    const diff = gitDiff(
      { 'mod.ts': `${ten.join('\n')}\n`, 'gone.ts': 'x\n', 'old.ts': `${ten.join('\n')}\n` },
      { 'mod.ts': `${changed.join('\n')}\n`, 'new.ts': 'y\n', 'moved.ts': `${ten.join('\n')}\nmore` },
    );
    expect(readDiff(diff)).toEqual([
      { file: 'gone.ts', status: 'deleted', lines: [{ sign: '-', text: 'x', line: 1 }] },
      {
        file: 'mod.ts',
        status: 'modified',
        lines: [
          { sign: '-', text: 'line 2', line: 2 },
          { sign: '+', text: 'two', line: 2 },
          { sign: '-', text: 'line 9', line: 9 },
          { sign: '+', text: 'last', line: 10 },
        ],
      },
      { file: 'moved.ts', from: 'old.ts', status: 'renamed', lines: [{ sign: '+', text: 'more', line: 11 }] },
      { file: 'new.ts', status: 'added', lines: [{ sign: '+', text: 'y', line: 1 }] },
    ]);
  });

  it.each([
    'a b.ts',
    'tab\there.ts',
    'quote".ts',
    'line\nbreak.ts',
    'ünï.ts',
    'back\\slash.ts',
    ' b/x b.ts',
    'b/b/b.ts',
    '-x.ts',
    'a -> b.ts',
  ])('give the name %j whatever happens to the file', (file) => {
    const others = { 'other.ts': 'x\n' };
    const cases = [
      gitDiff({ [file]: 'a\n' }, { [file]: 'b\n' }),
      gitDiff(others, { ...others, [file]: 'b\n' }),
      gitDiff({ ...others, [file]: 'a\n' }, others),
      gitDiff({ [file]: 'a\u0000' }, { [file]: 'b\u0000' }),
      gitDiff(others, { ...others, [file]: '' }),
      gitDiff({ [file]: 'same\nsame\nsame\n' }, { [`z${file}`]: 'same\nsame\nsame\n' }),
    ];
    const read = cases.map((diff) => readDiff(diff).map(({ file, from, status }) => [from ?? file, status]));
    expect(read).toEqual(
      ['modified', 'added', 'deleted', 'modified', 'added', 'renamed'].map((status) => [[file, status]]),
    );
  });

  it('take lines that look like headers for what they are', () => {
    const diff = gitDiff(
      { 'a.sql': '-- old\n-- a/x\n' },
      { 'a.sql': '++ b/y\n+++ b/z\ndiff --git a/q b/q\n' },
    );
    expect(readDiff(diff).map(({ file, lines }) => [file, lines.length])).toEqual([['a.sql', 5]]);
  });

  it('pass over a missing newline at the end, and CRLF', () => {
    const diff = gitDiff({ a: 'x\r\ny' }, { a: 'z\r\ny\r\n' });
    expect(readDiff(diff)[0]?.lines.map(({ sign, text }) => sign + text)).toEqual(['-x', '-y', '+z', '+y']);
  });
});

describe('any text', () => {
  it('gives what can be read when the diff is cut short', () => {
    const whole = gitDiff({ a: 'x\ny\nz\n', b: '1\n' }, { a: 'x\nq\nz\n', b: '2\n' });
    for (let length = 0; length <= whole.length; length += 1) {
      const files = readDiff(whole.slice(0, length));
      expect(files.length).toBeLessThanOrEqual(2);
    }
  });

  it('is read without an error', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'diff --git a/x b/x',
        'diff --git ',
        '--- a/x',
        '+++ /dev/null',
        '@@ -1,2 +3 @@',
        '@@ -0,0 +1,99 @@',
        'rename from "a',
        'rename to "\\777\\q"',
        'deleted file mode 100644',
        '\\ No newline',
        '-',
        '+a',
        ' b',
        '',
      ),
      fc.string(),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void readDiff(lines.join('\n'))));
  });
});
