import { expect, test } from 'vitest';
import { changesRepository } from './git-words.ts';

test.each([
  ['-c a=b -c c=d status --porcelain=v2', false],
  ['rev-parse HEAD', false],
  ['hash-object --stdin', false],
  ['hash-object -w --stdin', true],
  ['symbolic-ref -q HEAD', false],
  ['symbolic-ref HEAD refs/heads/x', true],
  ['config --get user.name', false],
  ['config user.name x', true],
  ['-c a=b update-ref x y', true],
  ['commit -q', true],
  ['unheard-of', true],
])('git %s: %s', (line, changes) => expect(changesRepository(line.split(' '))).toBe(changes));
