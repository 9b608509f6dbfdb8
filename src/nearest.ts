// Suggests the word that was probably meant.
import { distance as editDistance } from 'fastest-levenshtein';

/** Ignores case. The distance may be a third of the letters, at least two, and never all of them. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let found: string | undefined;
  let least = Math.min(Math.max(2, Math.floor(word.length / 3)) + 1, Math.max(word.length, 2));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least && distance < candidate.length) [found, least] = [candidate, distance];
  }
  return found;
}
