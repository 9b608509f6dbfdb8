// Saves rescue points: commits of the work tree, so that plain git can inspect them.
import { readHead } from '../protect/snapshot.ts';
import { nameOf, rawOf } from '../run/names.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { listMarks, readFlags } from '../tree/flags.ts';
import { copyIndex, readyIndex, stageChoice, withCopy, writeIndexTree } from '../tree/index-file.ts';
import { type Look, lookAtTree } from '../tree/look.ts';
import { type ExactFile, rememberExact, stageExact, storeExact } from './exact-files.ts';
import { storeLossy } from './lossy-files.ts';
import { commitPoint, commitPointAt, hasStaged, readTips, writeStagedTree } from './rescue-commit.ts';
import { chooseRescued, formatPoint, isSamePoint, type NotHeld, type RescueChoice } from './rescue-point.ts';

export type RescueOptions = Readonly<{
  run: string;
  /** In words; the commit's first line. */
  reason: string;
  /** The chain's own, kept between points. */
  index: string;
  /** Raw names of ignored files to hold whatever they are. */
  ignored?: readonly string[];
  /** What was just seen, with its index, which the chain's own becomes. Default: it looks itself. */
  seen?: Readonly<{ look: Look; index: string }> | undefined;
}>;

export type Rescue = Readonly<{ oid: string; ref: string; notHeld: readonly NotHeld[] }>;

/** Saves HEAD, index, work tree and untracked files. Returns the last point if nothing has changed. */
export async function saveRescue(repo: Repo, options: RescueOptions): Promise<Rescue> {
  const { run, index: own, ignored = [], seen } = options;
  const ref = pawlRef(run, 'rescue');
  const { head, tip } = await readTips(repo, ref);
  if (seen) copyIndex(seen.index, own);
  else await readyIndex(repo, own, head);
  const [look, isStaged, hidden] = await Promise.all([
    seen?.look ?? lookAtTree(repo, own),
    hasStaged(repo, head),
    listHidden(repo, own),
  ]);
  const chosen = chooseRescued(repo.root, [...look.entries, ...look.ignored]);
  const exactly = [...new Set([...chosen.exact, ...ignored, ...hidden])];
  const { tree, exact } = await writeRescued(repo, own, { ...chosen, exact: exactly });
  const notHeld = nameSubmodules(chosen.notHeld, look.submodules);
  const index = isStaged ? await writeStagedTree(repo) : undefined;
  const text = {
    reason: options.reason,
    branch: readHead(repo).branch ?? 'detached',
    head: head ?? '',
    index: index ?? (isStaged ? 'has conflicts' : 'as HEAD'),
    exact: exact.map(({ oid: _, ...one }) => one),
    notHeld,
  };
  if (tip && tip.tree === tree && isSamePoint(tip.message, text)) {
    rememberExact(repo, tip.oid, exact);
    return { oid: tip.oid, ref, notHeld };
  }
  const origin =
    tip?.oid ?? (await commitPoint(repo, tree, { parents: [], message: `rescue points of ${run}\n` }));
  const parents = [origin, ...(head ? [head] : [])];
  if (index !== undefined)
    parents.push(
      await commitPoint(repo, index, { parents: head ? [head] : [], message: 'what was staged\n' }),
    );
  const oid = await commitPointAt(repo, tree, { parents, message: formatPoint(text), ref, old: tip?.oid });
  rememberExact(repo, oid, exact);
  return { oid, ref, notHeld };
}

/**
 * Files that git was told not to look at, now or when the chain's index was made: no tree holds their changes. A sparse
 * checkout has too many. Raw names.
 */
async function listHidden(repo: Repo, index: string): Promise<readonly string[]> {
  // One after the other: mostly they are the same.
  const flags = await readFlags(repo);
  const own = await listMarks(repo, index);
  return [flags, own.flags].flatMap((hidden) => (hidden.size > mostHidden ? [] : [...hidden.keys()]));
}

const mostHidden = 1_000;

/** git's status reports a submodule's changed commit; changes inside it are added. */
function nameSubmodules(notHeld: readonly NotHeld[], submodules: Look['submodules']): readonly NotHeld[] {
  const told = new Set(notHeld.map(({ file }) => file));
  const dirty = submodules.map(({ file }) => nameOf(file)).filter((file) => !told.has(file));
  return [...notHeld, ...dirty.map((file) => ({ file, why: 'changed files of a submodule' }))];
}

/** Held byte for byte: `exact`, those that git would not check out as they are, and all if it rejects one. */
async function writeRescued(
  repo: Repo,
  index: string,
  chosen: RescueChoice,
): Promise<Readonly<{ tree: string; exact: readonly ExactFile[] }>> {
  const exact = [...(await storeExact(repo, chosen.exact))];
  const held = new Set(exact.map(({ file }) => rawOf(file)));
  const stage = [...chosen.stage, ...chosen.exact.filter((raw) => !held.has(raw))];
  const words = await stageChoice(repo, index, { stage, unstage: chosen.unstage });
  if (words !== undefined) exact.push(...(await storeExact(repo, stage)));
  exact.push(...(await storeLossy(repo, index, exact)));
  if (exact.length === 0) return { tree: await writeIndexTree(repo, index), exact };
  // The index stays as git would have it, since attributes apply to what is in it.
  const tree = await withCopy(index, 'exact', async (copy) => {
    await stageExact(repo, copy, exact);
    return writeIndexTree(repo, copy);
  });
  return { tree, exact };
}
