// Suggests the word that was probably meant, for a misspelled setting, option or plan key. Compares letters only.

/** The fewest insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const at = (cells: readonly number[], index: number) => cells[index] ?? 0;
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) best = Math.min(best, at(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length] ?? 0;
}

/**
 * The candidate nearest to `word`, ignoring case, if it is near enough: the distance may be a third of the letters, at
 * least two, and never all of them.
 */
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
