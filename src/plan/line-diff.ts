// A line diff of two texts to read, not a patch.
import { diffArrays } from 'diff';

const around = 2;
/** Beyond this, as if they had nothing in common. */
const mostChanges = 1_000;

/** Parts in between are `…`. Empty for equal texts. */
export function diffLines(before: string, after: string): readonly string[] {
  const script = compare(before.split(/\r?\n/), after.split(/\r?\n/));
  const isNear = (at: number) =>
    script.slice(Math.max(0, at - around), at + around + 1).some((line) => line[0] !== ' ');
  if (script.every((line) => line[0] === ' ')) return [];
  return script.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? ['…'] : [];
  });
}

function compare(old: string[], now: string[]): string[] {
  const parts = diffArrays(old, now, { maxEditLength: mostChanges }) ?? [
    { removed: true, value: old },
    { added: true, value: now },
  ];
  return parts.flatMap(({ added, removed, value }) =>
    value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`),
  );
}
