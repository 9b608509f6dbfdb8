// Limits that a person's runs share: told to the next run on the same bill, and never in anybody's way.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openKnownLimits } from '../../src/journal/known-limits.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('a limit is known to other runs on the same bill until an agent answers', () => {
  using folder = makeTempFolder();
  const open = (bill: string) => openKnownLimits(folder.path, () => bill);
  open('a subscription').note('claude', { at: 5, until: 9 });
  expect(open('a subscription').read('claude')).toEqual({ at: 5, until: 9 });
  expect(open('a key').read('claude')).toBeUndefined();
  expect(open('a subscription').read('codex')).toBeUndefined();
  open('a subscription').note('claude', undefined);
  expect(open('a subscription').read('claude')).toBeUndefined();
});

test('what cannot be read is unknown, and what cannot be written is let go', () => {
  using folder = makeTempFolder();
  const known = openKnownLimits(folder.path, () => 'x');
  known.note('codex', { at: 1 });
  const [name = ''] = readdirSync(path.join(folder.path, 'limits'));
  writeFileSync(path.join(folder.path, 'limits', name), '{"at":');
  expect(known.read('codex')).toBeUndefined();
  const elsewhere = path.join(folder.path, 'file');
  writeFileSync(elsewhere, '');
  openKnownLimits(elsewhere, () => 'x').note('codex', { at: 1 });
  expect(openKnownLimits(elsewhere, () => 'x').read('codex')).toBeUndefined();
});
