// Whether a repository may run its own programs: the hash of what a person consented to. Pure.
import { createHash } from 'node:crypto';
import type { TrustFile } from './trust-files.ts';

export type Consent = Readonly<{
  /** From `trustHash`. */
  hash: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** SHA-256 by path. */
  files: Readonly<Record<string, string>>;
}>;

export type TrustFlags = Readonly<{
  trust?: boolean | undefined;
  /** `--trust-hash H`, as CI expects it; a prefix of at least 12 digits is enough. */
  trustHash?: string | undefined;
  canAsk: boolean;
}>;

/** SHA-256 over paths, kinds and bytes, in any order. */
export function trustHash(files: readonly TrustFile[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${file.kind} ${Buffer.byteLength(file.path)} ${file.path} ${file.bytes.length} `);
    hash.update(file.bytes);
    if (file.target !== undefined) hash.update(` ${Buffer.byteLength(file.target)} ${file.target}`);
  }
  return hash.digest('hex');
}

/** Saved to name a later difference. */
export function digestFiles(files: readonly TrustFile[]): Readonly<Record<string, string>> {
  const digests = files.map((file) => [
    file.path,
    createHash('sha256')
      .update(`${file.kind} ${file.target === undefined ? '' : `${file.target}\0`}`)
      .update(file.bytes)
      .digest('hex'),
  ]);
  return Object.fromEntries(digests) as Record<string, string>;
}

/**
 * `ask`: a person is there to answer. A link out of the repository is refused, whatever they say: nobody would notice
 * a changed target.
 */
export function judgeTrust(
  consent: Consent | undefined,
  files: readonly TrustFile[],
  flags: TrustFlags,
): 'trusted' | 'ask' | 'refused' {
  if (files.some(({ outside }) => outside)) return 'refused';
  const hash = trustHash(files);
  if (flags.trustHash !== undefined) return matchesHash(flags.trustHash, hash) ? 'trusted' : 'refused';
  if (consent?.hash === hash || flags.trust === true) return 'trusted';
  return flags.canAsk ? 'ask' : 'refused';
}

/** Changed, new or gone; sorted. */
export function changedSince(
  files: readonly TrustFile[],
  consented: Readonly<Record<string, string>>,
): readonly string[] {
  const now = digestFiles(files);
  const paths = new Set([...Object.keys(now), ...Object.keys(consented)]);
  return [...paths].filter((file) => now[file] !== consented[file]).sort();
}

function matchesHash(given: string, hash: string): boolean {
  return /^[0-9a-f]{12,64}$/i.test(given) && hash.startsWith(given.toLowerCase());
}
