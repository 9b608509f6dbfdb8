import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { consentFile, readConsent, removeConsent, writeConsent } from '../../src/trust/consents.ts';
import { digestFiles } from '../../src/trust/trust.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const folder = eachTest(makeTempFolder);
const files = [{ path: '.mcp.json', kind: 'file' as const, bytes: Buffer.from('{}') }];
const at = '2026-01-01T00:00:00.000Z';

beforeEach(() => {
  for (const name of ['a', 'b']) mkdirSync(path.join(folder.path, name));
});

const folders = () => findFolders({}, path.join(folder.path, 'home'));

test('consent is kept per repository, private, and can be taken back', () => {
  const [a, b] = [path.join(folder.path, 'a'), path.join(folder.path, 'b')];
  expect(readConsent(folders(), a)).toBeUndefined();
  writeConsent(folders(), a, { files, at });
  writeConsent(folders(), b, { files: [], at });
  expect(readConsent(folders(), a)).toEqual({ files: digestFiles(files), at });
  expect(statSync(consentFile(folders())).mode & 0o777).toBe(0o600);
  expect(path.relative(folders().state, consentFile(folders()))).toBe('trust.json');
  expect(removeConsent(folders(), a)).toBe(true);
  expect(removeConsent(folders(), a)).toBe(false);
  expect(readConsent(folders(), a)).toBeUndefined();
  expect(readConsent(folders(), b)).toEqual({ files: {}, at });
});

test('a repository is known by its real path', () => {
  symlinkSync('a', path.join(folder.path, 'link'));
  writeConsent(folders(), path.join(folder.path, 'link'), { files, at });
  expect(readConsent(folders(), path.join(folder.path, 'a'))).toBeDefined();
});

test.each(['', 'no json', '{"version":2,"repositories":{}}', '{"version":1,"repositories":{"x":true}}'])(
  'a file with %j is a failure, never consent and never overwritten',
  (text) => {
    mkdirSync(path.dirname(consentFile(folders())), { recursive: true });
    writeFileSync(consentFile(folders()), text);
    expect(() => readConsent(folders(), folder.path)).toThrow(/not a list of consents/);
    expect(() => writeConsent(folders(), folder.path, { files, at })).toThrow(/not a list of consents/);
  },
);
