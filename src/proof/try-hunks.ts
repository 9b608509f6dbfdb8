// Whether anything misses single hunks of the sources, the largest first, while there is time.
import { type Change, withText } from './change.ts';
import {
  groupHunks,
  type Hunk,
  hunksOf,
  isWithoutCode,
  newWords,
  onlyRemoves,
  sizeOf,
  takeBack,
  textWithout,
} from './hunks.ts';
import { isLoadError, type Lab, type TrialEnd } from './lab.ts';
import { failingAt, statementsOf } from './statements.ts';
import type { Experiments } from './task-proof.ts';
import { spotOf } from './try-definitions.ts';

type Tried = Readonly<{ group: readonly Hunk[]; end: TrialEnd }>;

const mostStatements = 14;

export async function tryHunks(change: Change, lab: Lab): Promise<Experiments['hunks']> {
  const all = sourceHunksOf(change);
  const code = all.filter((hunk) => !isWithoutCode(hunk));
  const removing = code.filter(onlyRemoves);
  const groups = [...groupHunks(code.filter((hunk) => !onlyRemoves(hunk)))].sort(
    (one, other) => sizeOf(other) - sizeOf(one),
  );
  const tried: Tried[] = [];
  for (const group of groups) {
    if (!lab.hasTime()) break;
    tried.push({ group, end: await runWithout(group, lab) });
  }
  const proven = await joinLoading(tried, lab);
  const unproven = [
    ...tried.filter(({ group }) => !proven.has(group)).flatMap(({ group }) => group),
    ...(await tryStatements([...proven].flat(), lab)),
  ];
  const linesOf = (hunks: readonly Hunk[]): number => hunks.reduce((sum, { added }) => sum + added.length, 0);
  const lines = linesOf(tried.flatMap(({ group }) => group));
  return {
    lines,
    provenLines: lines - linesOf(unproven),
    unproven: await describeUnproven(unproven, lab),
    onlyRemoving: removing.length,
    withoutCode: all.length - code.length,
    untried: groups.slice(tried.length).flat().length,
  };
}

const sourceHunksOf = (change: Change): readonly Hunk[] =>
  change.filter(({ kind }) => kind === 'source').flatMap((file) => hunksOf(file));

/** Where it does not load, a build may have read the comments as code. */
async function runWithout(hunks: readonly Hunk[], lab: Lab): Promise<TrialEnd> {
  const what = `without ${nameOf(hunks)}`;
  const end = await lab.run(what, takeBack(hunks));
  if (!failsToLoad(end)) return end;
  return lab.run(`${what}, nor as comments`, takeBack(hunks, { commented: false }));
}

/** The checks are green with all of it as comments. */
export async function isOnlyRead(change: Change, lab: Lab): Promise<boolean> {
  return !(await lab.isRed('with the work as comments', takeBack(sourceHunksOf(change))));
}

/**
 * A group missed only because others name what it brings is taken back with these; if nobody misses all of them, none
 * is proven.
 */
async function joinLoading(tried: readonly Tried[], lab: Lab): Promise<ReadonlySet<readonly Hunk[]>> {
  const proven = new Set(tried.filter(({ end }) => end.result !== 'green').map(({ group }) => group));
  for (const { group } of tried.filter(({ end }) => failsToLoad(end))) {
    const cluster = clusterOf(
      group,
      tried.map((one) => one.group),
    );
    if (cluster.length === 1 || !lab.hasTime()) continue;
    if ((await runWithout(cluster.flat(), lab)).result === 'green') proven.delete(group);
  }
  return proven;
}

/** Groups that share new words, directly or by way of others. */
function clusterOf(
  first: readonly Hunk[],
  groups: readonly (readonly Hunk[])[],
): readonly (readonly Hunk[])[] {
  const cluster = new Set([first]);
  for (const member of cluster) {
    const words = newWords(member);
    for (const other of groups) if ([...newWords(other)].some((word) => words.has(word))) cluster.add(other);
  }
  return [...cluster];
}

async function tryStatements(hunks: readonly Hunk[], lab: Lab): Promise<readonly Hunk[]> {
  const unproven: Hunk[] = [];
  for (const part of hunks.flatMap(statementsOf).slice(0, mostStatements)) {
    if (!lab.hasTime()) break;
    const isWithin = ({ change, from, added }: Hunk): boolean =>
      change === part.change && part.from >= from && part.from < from + added.length;
    if (unproven.some(isWithin)) continue;
    const variant = withText(part.change, textWithout(part.change, [part]));
    if (!(await lab.isRed(`without the statement at ${nameOf([part])}`, variant))) unproven.push(part);
  }
  return unproven;
}

async function describeUnproven(hunks: readonly Hunk[], lab: Lab): Promise<Experiments['hunks']['unproven']> {
  const described: Experiments['hunks']['unproven'] = [];
  for (const hunk of hunks) {
    const spot = { file: hunk.change.file, ...spotOf(hunk.from, hunk.added.length) };
    const text = lab.hasTime() ? failingAt(hunk) : undefined;
    const end = text && (await lab.run(`failing at ${nameOf([hunk])}`, withText(hunk.change, text)));
    const isKnown = end && !failsToLoad(end);
    described.push(isKnown ? { ...spot, executed: end.result !== 'green' } : spot);
  }
  return described;
}

const failsToLoad = (end: TrialEnd): boolean => end.result === 'red' && isLoadError(end);

function nameOf(hunks: readonly Hunk[]): string {
  const names = hunks.map(({ change, from }) => `${change.file}:${from}`);
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}
