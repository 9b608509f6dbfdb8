import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { consentFile, readConsent, removeConsent, writeConsent } from '../../src/trust/consents.ts';
import { trustHash } from '../../src/trust/trust.ts';

let top: string;
const files = [{ path: '.mcp.json', kind: 'file' as const, bytes: Buffer.from('{}') }];
const at = '2026-01-01T00:00:00.000Z';

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'pawl-consent-'));
  mkdirSync(path.join(top, 'a'));
  mkdirSync(path.join(top, 'b'));
});
afterEach(() => rmSync(top, { recursive: true }));

const folders = () => findFolders({}, path.join(top, 'home'));

test('consent is kept per repository, private, and can be taken back', () => {
  const [a, b] = [path.join(top, 'a'), path.join(top, 'b')];
  expect(readConsent(folders(), a)).toBeUndefined();
  writeConsent(folders(), a, { files, at });
  writeConsent(folders(), b, { files: [], at });
  expect(readConsent(folders(), a)).toMatchObject({ hash: trustHash(files), at });
  expect(statSync(consentFile(folders())).mode & 0o777).toBe(0o600);
  expect(removeConsent(folders(), a)).toBe(true);
  expect(removeConsent(folders(), a)).toBe(false);
  expect(readConsent(folders(), a)).toBeUndefined();
  expect(readConsent(folders(), b)?.hash).toBe(trustHash([]));
});

test('a repository is known by its real path', () => {
  symlinkSync('a', path.join(top, 'link'));
  writeConsent(folders(), path.join(top, 'link'), { files, at });
  expect(readConsent(folders(), path.join(top, 'a'))).toBeDefined();
});

test.each(['', 'no json', '{"version":2,"repositories":{}}', '{"version":1,"repositories":{"x":true}}'])(
  'a file with %j is a failure, never consent and never overwritten',
  (text) => {
    mkdirSync(path.dirname(consentFile(folders())), { recursive: true });
    writeFileSync(consentFile(folders()), text);
    expect(() => readConsent(folders(), top)).toThrow(/not a list of consents/);
    expect(() => writeConsent(folders(), top, { files, at })).toThrow(/not a list of consents/);
  },
);
