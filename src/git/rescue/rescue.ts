// Saves rescue points: commits of the work tree, so that plain git can inspect them.
import { existsSync } from 'node:fs';
import { readFlags, readHead } from '../protect/snapshot.ts';
import { nameOf, rawOf } from '../run/names.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { readyIndex, replaceIndex, stageChoice, withCopy, writeIndexTree } from '../tree/index-file.ts';
import { isAsHead, type Look, lookAtTree } from '../tree/look.ts';
import type { StatusEntry } from '../tree/status.ts';
import { type ExactFile, rememberExact, stageExact, storeExact } from './exact-files.ts';
import { storeLossy } from './lossy-files.ts';
import { commitPoint, commitPointAt, hasStaged, readTips, writeStagedTree } from './rescue-commit.ts';
import { chooseRescued, formatPoint, isSamePoint, type NotHeld, type RescueChoice } from './rescue-point.ts';

export type RescueOptions = Readonly<{
  run: string;
  /** In words; the commit's first line. */
  reason: string;
  /** Default: `refs/pawl/<run>/rescue`. */
  ref?: string;
  /** The chain's own, kept between points. */
  index: string;
  /** Globs of ignored files to copy, up to 1 MB each. */
  include: readonly string[];
  /** Raw names of ignored files to hold whatever they are. */
  ignored?: readonly string[];
  /** Larger new files are listed, not copied. Default 10. */
  maxFileMb?: number;
  /** A look that is still valid, with its index file: the point starts there. */
  seen?: Readonly<{ index: string; look: Look }>;
}>;

export type Rescue = Readonly<{ oid: string; ref: string; notHeld: readonly NotHeld[] }>;

/** Saves HEAD, index, work tree and untracked files. Returns the last point if nothing has changed. */
export async function saveRescue(repo: Repo, options: RescueOptions): Promise<Rescue> {
  const { ref = pawlRef(options.run, 'rescue') } = options;
  const tips = readTips(repo, ref);
  const [{ head, tip }, base, isStaged, hidden] = await Promise.all([
    tips,
    seeFiles(repo, options, tips),
    tips.then((of) => hasStaged(repo, of.head?.oid)),
    listHidden(repo),
  ]);
  const known = head && base.head.commit === head.oid && isAsHead(base) ? head.tree : undefined;
  const { tree, exact } = await writeRescued(repo, {
    from: base.index,
    to: options.index,
    chosen: base.chosen,
    hidden,
    known,
  });
  const notHeld = nameSubmodules(base.chosen.notHeld, base.submodules);
  const index = isStaged ? await writeStagedTree(repo) : undefined;
  const text = {
    reason: options.reason,
    branch: readHead(repo).branch ?? 'detached',
    head: head?.oid ?? '',
    index: index ?? (isStaged ? 'has conflicts' : 'as HEAD'),
    exact: exact.map(({ oid: _, ...one }) => one),
    notHeld,
  };
  if (tip && tip.tree === tree && isSamePoint(tip.message, text)) {
    rememberExact(repo, tip.oid, exact);
    return { oid: tip.oid, ref, notHeld };
  }
  const origin =
    tip?.oid ??
    (await commitPoint(repo, tree, { parents: [], message: `rescue points of ${options.run}\n` }));
  const parents = [origin, ...(head ? [head.oid] : [])];
  if (index !== undefined)
    parents.push(
      await commitPoint(repo, index, { parents: head ? [head.oid] : [], message: 'what was staged\n' }),
    );
  const oid = await commitPointAt(repo, tree, { parents, message: formatPoint(text), ref, old: tip?.oid });
  rememberExact(repo, oid, exact);
  return { oid, ref, notHeld };
}

/** Files that git was told not to look at: no tree holds their changes. A sparse checkout has too many. Raw names. */
async function listHidden(repo: Repo): Promise<readonly string[]> {
  const flags = await readFlags(repo);
  return flags.size > mostHidden ? [] : [...flags.keys()];
}

const mostHidden = 1_000;

/** More are not read again for each point: the chain's own index knows them. */
const mostCopied = 100;

async function seeFiles(repo: Repo, options: RescueOptions, tips: ReturnType<typeof readTips>) {
  const { index, seen, ignored = [] } = options;
  if (seen) {
    const chosen = chooseRescued(repo.root, allOf(seen.look), options);
    if (chosen.stage.length + chosen.exact.length <= mostCopied)
      return { index: seen.index, ...seen.look, chosen };
  }
  if (!existsSync(index)) await readyIndex(repo, index, (await tips).head?.oid);
  const look = await lookAtTree(repo, index);
  const chosen = chooseRescued(repo.root, allOf(look), options);
  return { index, ...look, chosen: { ...chosen, exact: [...new Set([...chosen.exact, ...ignored])] } };
}

function allOf({ entries, ignored }: Look): readonly StatusEntry[] {
  return [...entries, ...ignored];
}

/** git's status reports a submodule's changed commit; changes inside it are added. */
function nameSubmodules(notHeld: readonly NotHeld[], submodules: Look['submodules']): readonly NotHeld[] {
  const told = new Set(notHeld.map(({ file }) => file));
  const dirty = submodules.map(({ file }) => nameOf(file)).filter((file) => !told.has(file));
  return [...notHeld, ...dirty.map((file) => ({ file, why: 'changed files of a submodule' }))];
}

/**
 * Held byte for byte: new and `hidden` files, those that git would not check out as they are, and all if it rejects
 * one. `known`: the tree of `from`.
 */
async function writeRescued(
  repo: Repo,
  way: Readonly<{
    from: string;
    to: string;
    chosen: RescueChoice;
    hidden: readonly string[];
    known: string | undefined;
  }>,
): Promise<Readonly<{ tree: string; exact: readonly ExactFile[] }>> {
  const { from, to, chosen, hidden, known } = way;
  const { stage, unstage } = chosen;
  const exact = [...(await storeExact(repo, [...new Set([...chosen.exact, ...hidden])]))];
  const held = new Set(exact.map(({ file }) => rawOf(file)));
  const others = [...stage, ...chosen.exact.filter((raw) => !held.has(raw))];
  const isPlain = others.length + unstage.length === 0;
  const index = isPlain ? from : to;
  if (index !== from) replaceIndex(from, index);
  const isRejected = !isPlain && (await stageChoice(repo, index, { stage: others, unstage })) !== undefined;
  if (isRejected) exact.push(...(await storeExact(repo, others)));
  exact.push(...(await storeLossy(repo, index, exact)));
  if (exact.length === 0 && isPlain && known !== undefined) return { tree: known, exact };
  if (exact.length === 0) return { tree: await writeIndexTree(repo, index), exact };
  // The index stays as git would have it, since attributes apply to what is in it.
  const tree = await withCopy(index, 'exact', async (copy) => {
    await stageExact(repo, copy, exact);
    return writeIndexTree(repo, copy);
  });
  return { tree, exact };
}
