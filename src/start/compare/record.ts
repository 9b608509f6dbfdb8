// What a comparison remembers besides its runs' journals: its plan and commit, and each contender's branch and copy of the
// plan. Kept in the user's state folder, where the copies are ticked.

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../disk.ts';
import { orElse } from '../../or-else.ts';
import { branchName } from '../../plan/branch.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { slotsFolder } from '../worktree/slot.ts';
import type { Contestant } from './contestant.ts';

const recordSchema = z.object({
  id: z.string(),
  /** Relative to the repository's root, or absolute. */
  plan: z.string(),
  /** SHA-256 of the plan's bytes. */
  hash: z.string(),
  /** Commit that every contender begins from. */
  base: z.string(),
  contenders: z.array(z.object({ with: z.string(), branch: z.string(), plan: z.string() })),
});

/** A comparison as it was begun; a contender's `plan` is the absolute path of its copy. */
export type ComparisonRecord = Readonly<z.infer<typeof recordSchema>>;

const recordFile = 'comparison.json';

/** All comparisons of a repository, newest first; unreadable ones are skipped. */
export function listComparisons(state: string, commonDir: string): readonly ComparisonRecord[] {
  const all = folderOf(state, commonDir);
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .map((name) => ({ name, number: Number(/-(\d+)$/.exec(name)?.[1] ?? 0) }))
    .sort((a, b) => b.number - a.number)
    .flatMap(
      ({ name }) =>
        orElse(
          () => recordSchema.parse(JSON.parse(readFileSync(path.join(all, name, recordFile), 'utf8'))),
          undefined,
        ) ?? [],
    );
}

/** Writes a new one with its copies of the plan; it counts only once complete. */
export function beginComparison(
  { state, commonDir }: Readonly<{ state: string; commonDir: string }>,
  what: Readonly<{
    plan: string;
    hash: string;
    base: string;
    file: string;
    text: string;
    contestants: readonly Contestant[];
  }>,
): ComparisonRecord {
  makeFolder(folderOf(state, commonDir), 0o700);
  // Runs know a plan by its real path.
  const all = realpathSync(folderOf(state, commonDir));
  const numbers = readdirSync(all).map((name) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0));
  const id = `${branchName(what.file)}-${Math.max(0, ...numbers) + 1}`;
  const contenders = what.contestants.map(({ with: name, slug }) => {
    const plan = path.join(all, id, slug, path.basename(what.file));
    makeFolder(path.dirname(plan), 0o700);
    writeFileAtomic(plan, what.text, 0o600);
    return { with: name, branch: `compare/${id}/${slug}`, plan };
  });
  const record = { id, plan: what.plan, hash: what.hash, base: what.base, contenders };
  writeFileAtomic(path.join(all, id, recordFile), `${JSON.stringify(record, null, 2)}\n`, 0o600);
  return record;
}

/** Named like the folder of the repository's worktrees. */
function folderOf(state: string, commonDir: string): string {
  return path.join(state, 'compare', path.basename(slotsFolder(state, commonDir)));
}
