import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestFiles, judgeTrust, trustHash } from '../../src/trust/trust.ts';
import type { TrustFile } from '../../src/trust/trust-files.ts';

const file = (path: string, text: string, kind: TrustFile['kind'] = 'file'): TrustFile => ({
  path,
  kind,
  bytes: Buffer.from(text),
});
const files = [file('.claude/settings.json', '{}'), file('.mcp.json', '[]')];
const consent = { at: '2026-01-01T00:00:00Z', files: digestFiles(files) };
const hash = trustHash(files);

test('the hash is the files’, whatever their order', () => {
  expect(trustHash([...files].reverse())).toBe(trustHash(files));
  expect(trustHash([])).toMatch(/^[0-9a-f]{64}$/);
});

test('different files have different hashes, also when bytes move between name, kind and content', () => {
  const some = fc.array(
    fc.record({
      path: fc.string({ minLength: 1 }),
      kind: fc.constantFrom('file' as const, 'link' as const),
      bytes: fc.uint8Array(),
    }),
    { maxLength: 4 },
  );
  const plain = (list: readonly TrustFile[]) =>
    JSON.stringify(
      [...list].sort((a, b) => (a.path < b.path ? -1 : 1)).map((one) => [one.path, one.kind, [...one.bytes]]),
    );
  fc.assert(
    fc.property(
      some,
      some,
      (a, b) => (trustHash(a) === trustHash(b)) === (plain(a) === plain(b)) || hasTwins(a) || hasTwins(b),
    ),
  );
  expect(trustHash([file('a', 'b')])).not.toBe(trustHash([file('a', 'b', 'link')]));
  expect(trustHash([file('a 4 b', '')])).not.toBe(trustHash([file('a', 'b 0 ')]));
  expect(trustHash([file('ab', 'c')])).not.toBe(trustHash([file('a', 'bc')]));
});

function hasTwins(list: readonly TrustFile[]): boolean {
  return new Set(list.map((one) => one.path)).size < list.length;
}

test.each([
  ['nothing known, a person there', undefined, { canAsk: true }, 'ask'],
  ['nothing known, nobody there', undefined, { canAsk: false }, 'refused'],
  ['consent to these files', consent, { canAsk: false }, 'trusted'],
  ['consent to others, a person there', { ...consent, files: {} }, { canAsk: true }, 'ask'],
  ['consent to others, nobody there', { ...consent, files: {} }, { canAsk: false }, 'refused'],
  ['--trust', undefined, { canAsk: false, trust: true }, 'trusted'],
  ['the right hash', undefined, { canAsk: false, trustHash: hash }, 'trusted'],
  ['in capitals', undefined, { canAsk: false, trustHash: hash.toUpperCase() }, 'trusted'],
  ['its first 12 digits', undefined, { canAsk: false, trustHash: hash.slice(0, 12) }, 'trusted'],
  ['too few digits', undefined, { canAsk: true, trustHash: hash.slice(0, 11) }, 'refused'],
  ['an empty hash', consent, { canAsk: true, trustHash: '' }, 'refused'],
  ['another hash', consent, { canAsk: true, trust: true, trustHash: 'f'.repeat(64) }, 'refused'],
])('%s', (_, given, flags, verdict) => {
  expect(judgeTrust(given, files, flags)).toBe(verdict);
});
