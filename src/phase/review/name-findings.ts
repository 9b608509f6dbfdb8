// Gives findings ids: one raised before, in other words or on a moved line, keeps its own.
import path from 'node:path';
import type { Finding } from '../../event/finding.ts';
import type { FactOf } from '../../event.ts';
import { anchorOf, fingerprintOf, isRepeated, isSame, type Placed } from '../../finding/same-finding.ts';
import type { FindingState } from '../../journal/fold-review.ts';
import { readInside } from '../../plan/read-inside.ts';

type NamedFinding = FactOf<'opinion-given'>['findings'][number];

/** `root`: the checkout that their lines are read in. */
export function nameFindings(
  root: string,
  findings: readonly Finding[],
  known: readonly FindingState[],
): readonly NamedFinding[] {
  const named: NamedFinding[] = [];
  let last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1))));
  for (const given of findings) {
    const finding = { ...given, file: relativeTo(root, given.file) };
    const placed: Placed = { finding, anchor: anchorOf(finding, readInside(root, finding.file)) };
    // Two findings of one opinion in different words are two things.
    if (named.some((one) => isRepeated({ finding: one, anchor: one.anchor }, placed))) continue;
    const free = known.filter(({ id }) => named.every((one) => one.id !== id));
    const same = free.find((one) => isRepeated(one, placed)) ?? free.find((one) => isSame(one, placed));
    if (!same) last += 1;
    const id = same?.id ?? `F${last}`;
    named.push({ ...finding, id, anchor: placed.anchor, fingerprint: fingerprintOf(placed) });
  }
  return named;
}

function relativeTo(root: string, file: string): string {
  const relative = path.isAbsolute(file) ? path.relative(root, file) : path.normalize(file);
  return relative.startsWith('..') ? file : relative;
}
