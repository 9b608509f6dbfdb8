// Whether a repository may run its own programs: the hash of what a person consented to. Pure.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { digestText } from '../digest.ts';
import type { TrustFile } from './trust-files.ts';

/** `at`: ISO 8601 in UTC; `files`: SHA-256 by path. */
export const consentSchema = z.object({ at: z.string(), files: z.record(z.string(), z.string()) });

export type Consent = Readonly<z.infer<typeof consentSchema>>;

/** SHA-256 over paths, kinds and bytes, in any order. */
export function trustHash(files: readonly TrustFile[]): string {
  return digestText(JSON.stringify(Object.entries(digestFiles(files)).sort()));
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
 * `ask`: a person is there to answer. `trustHash`: as CI expects it; 12 digits are enough. A link out of the repository
 * is refused, whatever they say: nobody would notice a changed target.
 */
export function judgeTrust(
  consent: Consent | undefined,
  files: readonly TrustFile[],
  flags: Readonly<{ trust?: boolean | undefined; trustHash?: string | undefined; canAsk: boolean }>,
): 'trusted' | 'ask' | 'refused' {
  if (files.some(({ outside }) => outside)) return 'refused';
  if (flags.trustHash !== undefined) return matchesHash(flags.trustHash, files) ? 'trusted' : 'refused';
  if (flags.trust || (consent && changedSince(files, consent.files).length === 0)) return 'trusted';
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

function matchesHash(given: string, files: readonly TrustFile[]): boolean {
  return /^[0-9a-f]{12,64}$/i.test(given) && trustHash(files).startsWith(given.toLowerCase());
}
