import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asFailure, Failure } from '../../src/failure.ts';
import { locatePlan, readPlanFile, restorePlanFile, writePlanFile } from '../../src/plan/file.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function failureOf(act: () => unknown): Failure {
  const error = thrownBy(act);
  if (error instanceof Failure) return error;
  throw error;
}

const byPath = 'Name a markdown file by its path, or one in docs/plans/ by its name.';

describe('locatePlan', () => {
  test('a relative path, and links resolved once', () => {
    using dir = makeTempFolder();
    mkdirSync(path.join(dir.path, 'real'));
    const file = path.join(dir.path, 'real', 'a.md');
    writeFileSync(file, '# a\n');
    symlinkSync('real', path.join(dir.path, 'link'));
    symlinkSync(file, path.join(dir.path, 'b.md'));
    expect(locatePlan('link/a.md', dir.path)).toBe(file);
    expect(locatePlan('b.md', dir.path)).toBe(file);
    expect(locatePlan(file, '/')).toBe(file);
  });

  test.each([
    ['a misspelled name', 'auth-paln.md', 'there is no plan auth-paln.md', 'Did you mean auth-plan.md?'],
    ['a forgotten extension', './auth-plan', 'there is no plan ./auth-plan', 'Did you mean auth-plan.md?'],
    [
      'a misspelled name without its day',
      'shpo',
      'there is no plan shpo',
      'Did you mean 2026-01-02-shop.md?',
    ],
    [
      'a misspelled name of docs/plans/',
      'logni',
      'there is no plan logni',
      'Did you mean docs/plans/login.md?',
    ],
    ['a name unlike all others', 'zzz.md', 'there is no plan zzz.md', byPath],
    ['a folder that is not there', 'no/such.md', 'there is no plan no/such.md', byPath],
    ['a file as folder', 'auth-plan.md/x.md', 'there is no plan auth-plan.md/x.md', byPath],
    [
      'one that its run has archived',
      './done.md',
      './done.md is done, and has been moved to completed/done.md',
      'To do some of it again, untick its boxes there, and name that file.',
    ],
    ['no name', ' ', 'the name of a plan is empty', undefined, 'usage'],
    ['a folder', 'sub', 'sub is a folder, not a plan', 'Name the markdown file in it.'],
    ['a dangling link', 'dangling.md', 'dangling.md is a broken symlink', undefined],
    ['a link to itself', 'loop.md', 'loop.md is a broken symlink', undefined],
    ['a pipe', 'pipe.md', 'pipe.md is not a regular file, so it cannot be a plan', undefined],
  ])('%s', (_, given, sentence, hint, code = 'plan') => {
    using dir = makeTempFolder();
    writeFileSync(path.join(dir.path, 'auth-plan.md'), '');
    writeFileSync(path.join(dir.path, '2026-01-02-shop.md'), '');
    mkdirSync(path.join(dir.path, 'completed'));
    writeFileSync(path.join(dir.path, 'completed', 'done.md'), '');
    writeFileSync(path.join(dir.path, 'auth-plan.txt'), '');
    mkdirSync(path.join(dir.path, 'sub'));
    mkdirSync(path.join(dir.path, 'docs/plans'), { recursive: true });
    writeFileSync(path.join(dir.path, 'docs/plans/login.md'), '');
    symlinkSync('gone', path.join(dir.path, 'dangling.md'));
    symlinkSync('loop.md', path.join(dir.path, 'loop.md'));
    execFileSync('mkfifo', [path.join(dir.path, 'pipe.md')]);
    const failure = failureOf(() => locatePlan(given, dir.path));
    expect([failure.code, failure.message, failure.hint]).toEqual([code, sentence, hint]);
  });
});

describe('readPlanFile', () => {
  test('a text that is too long is refused before it is read', () => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    writeFileSync(file, 'x'.repeat(1024 * 1024));
    expect(readPlanFile(file)).toHaveLength(1024 * 1024);
    truncateSync(file, 2 ** 40);
    expect(failureOf(() => readPlanFile(file)).message).toContain(
      'is too long for a plan: the limit is 1 MB',
    );
  });

  test('bytes and text stand for each other, byte order mark included', () => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    const content = '\uFEFF# a\r\n- [ ] 👩‍👩‍👧 e\u0301 \uFFFD \0\r\n';
    writeFileSync(file, content);
    expect(readPlanFile(file)).toBe(content);
    expect(Buffer.from(content).equals(readFileSync(file))).toBe(true);
  });

  test.each([
    ['a lone byte', Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x63])],
    ['a cut character', Buffer.from([0x61, 0xc3])],
    ['a cut character that begins like a replacement', Buffer.from([0x0a, 0x0a, 0xef, 0xbf, 0x41])],
    ['behind a real replacement character', Buffer.from([0xef, 0xbf, 0xbd, 0x80])],
    ['UTF-16', Buffer.from('\uFEFF# a', 'utf16le')],
  ])('not UTF-8: %s', (_, bytes) => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    writeFileSync(file, bytes);
    const failure = failureOf(() => readPlanFile(file));
    expect(failure.message).toBe(`${file} is not UTF-8`);
  });

  test.each([
    ['gone', () => {}, 'no longer exists'],
    ['a link', (file: string) => symlinkSync('/etc/hostname', file), 'is now a symlink'],
    ['a folder', (file: string) => mkdirSync(file), 'is no longer a regular file'],
    [
      'a pipe that nobody writes to',
      (file: string) => void execFileSync('mkfifo', [file]),
      'is no longer a regular file',
    ],
  ])('%s', (_, make, words) => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    make(file);
    const failure = failureOf(() => readPlanFile(file));
    expect(failure.code).toBe('plan');
    expect(failure.message).toContain(words);
  });
});

describe('writePlanFile and restorePlanFile', () => {
  test.each([
    ['writePlanFile', writePlanFile],
    ['restorePlanFile', restorePlanFile],
  ])('%s keeps the mode and leaves nothing else behind', (_, write) => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    writeFileSync(file, 'old');
    chmodSync(file, 0o666);
    write(file, '\uFEFFnew\r\n');
    expect(readFileSync(file, 'utf8')).toBe('\uFEFFnew\r\n');
    expect(statSync(file).mode & 0o777).toBe(0o666);
    expect(execFileSync('ls', ['-A', dir.path], { encoding: 'utf8' })).toBe('a.md\n');
    unlinkSync(file);
    write(file, 'again');
    expect(readFileSync(file, 'utf8')).toBe('again');
  });

  test('a link is refused by the one, replaced by the other, and never followed', () => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    const target = path.join(dir.path, 'target');
    writeFileSync(target, 'untouched');
    symlinkSync(target, file);
    expect(failureOf(() => writePlanFile(file, 'new')).message).toContain(
      'is now a symlink, so pawl does not write the plan',
    );
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    restorePlanFile(file, 'new');
    expect(lstatSync(file).isFile()).toBe(true);
    expect([readFileSync(file, 'utf8'), readFileSync(target, 'utf8')]).toEqual(['new', 'untouched']);
  });

  test('a folder is a failure for both', () => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'a.md');
    mkdirSync(file);
    expect(failureOf(() => writePlanFile(file, 'new')).message).toContain('is now no regular file');
    expect(failureOf(() => restorePlanFile(file, 'new')).message).toContain('is now a folder');
  });

  test('a folder that is gone is made again; a link or a file in its place is a failure', () => {
    using dir = makeTempFolder();
    const file = path.join(dir.path, 'docs', 'plans', 'a.md');
    restorePlanFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    const other = path.join(dir.path, 'other');
    mkdirSync(path.join(other, 'plans'), { recursive: true });
    rmSync(path.join(dir.path, 'docs'), { recursive: true });
    symlinkSync('other', path.join(dir.path, 'docs'));
    const failure = failureOf(() => restorePlanFile(file, 'new'));
    expect([failure.exit, failure.message]).toEqual([8, expect.stringContaining('leads elsewhere')]);
    expect(readdirSync(path.join(other, 'plans'))).toEqual([]);
    unlinkSync(path.join(dir.path, 'docs'));
    writeFileSync(path.join(dir.path, 'docs'), 'a file');
    const why = asFailure(thrownBy(() => restorePlanFile(file, 'new')))?.message;
    expect(why).toContain('something else is where its folder was');
  });
});
