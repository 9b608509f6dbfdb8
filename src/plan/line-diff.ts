// A line diff of two texts, for people and planners to read. Not a patch.

/** Context lines around a change. */
const around = 2;
/** Beyond this many pairs of lines, no common part is searched for. */
const mostPairs = 4_000_000;

/** Changed lines with `-` and `+` and some context; parts in between are `…`. Empty for equal texts. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const script = compare(old, now);
  const isNear = (at: number) =>
    script.slice(Math.max(0, at - around), at + around + 1).some((line) => line[0] !== ' ');
  if (script.every((line) => line[0] === ' ')) return [];
  return script.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? ['…'] : [];
  });
}

function compare(old: readonly string[], now: readonly string[]): string[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const middle = compareMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const same = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  return [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))];
}

function compareMiddle(old: readonly string[], now: readonly string[]): string[] {
  if (old.length * now.length > mostPairs)
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i] ?? new Uint32Array();
    for (let j = now.length - 1; j >= 0; j -= 1)
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const script: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      script.push(` ${old[i]}`);
      [i, j] = [i + 1, j + 1];
    } else if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) {
      script.push(`-${old[i]}`);
      i += 1;
    } else {
      script.push(`+${now[j]}`);
      j += 1;
    }
  }
  return script;
}
