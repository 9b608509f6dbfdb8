// Which errors are the file system's, and how they are told: what, where, what helps.
import { expect, it } from 'vitest';
import { asFailure, Failure } from '../src/failure.ts';

function systemError(code: string, more: object): Error {
  return Object.assign(new Error(code), { code, ...more });
}

it.each([
  [
    'ENOSPC',
    { syscall: 'write' },
    'cannot write /given: no space is left on the disk',
    /^Free some space, then/,
  ],
  [
    'EROFS',
    { syscall: 'open', path: '/a' },
    'cannot write /a: the file system is read-only',
    /^Make it writable/,
  ],
  ['EIO', { syscall: 'read', path: '/a' }, 'cannot read /a: the disk reports an error', /^Check the disk/],
  ['EACCES', { syscall: 'open', path: '/a' }, 'cannot open /a: permission is denied', /permission/],
  ['ENOENT', { syscall: 'open', path: '/a' }, 'cannot open /a: it does not exist', /^Put it back/],
  ['EXDEV?', { syscall: 'rename' }, undefined, undefined],
  [
    'EACCES',
    { syscall: 'rename', path: '/a', dest: '/b' },
    'cannot write /b: permission is denied',
    /permission/,
  ],
  ['ENOENT', { syscall: 'spawn git', path: 'git' }, undefined, undefined],
  ['ENOENT', {}, undefined, undefined],
])('%s of %j', (code, more, message, hint) => {
  const failure = asFailure(systemError(code, more), '/given');
  expect(failure?.message).toBe(message);
  if (hint) expect(failure).toMatchObject({ exit: 8, hint: expect.stringMatching(hint) });
});

it('a Failure is itself, anything else our bug', () => {
  const failure = new Failure('hook', 'no');
  expect(asFailure(failure)).toBe(failure);
  for (const bug of [new TypeError('x'), 'text', undefined, null]) expect(asFailure(bug)).toBeUndefined();
});
