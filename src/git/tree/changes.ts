// The difference between two trees, as a list of files and as a patch.
import { cutText } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { type ChangedFile, changeFlags, parseChanges, type TreeChange } from './raw-diff.ts';

/** Renames are detected. */
export async function changedFiles(repo: Repo, from: string, to: string): Promise<readonly TreeChange[]> {
  return parseChanges(await repo.bytes(['diff-tree', ...changeFlags, from, to, '--']));
}

/** Of each commit to its parent, in one go; those that no longer exist are left out. */
export async function changesOfCommits(
  repo: Repo,
  oids: readonly string[],
): Promise<ReadonlyMap<string, readonly TreeChange[]>> {
  if (oids.length === 0) return new Map();
  const input = oids.map((oid) => `${oid}\n`).join('');
  const output = await repo.bytes(['diff-tree', '--stdin', '--always', ...changeFlags], { input });
  let end = 0;
  const parts = oids.flatMap((oid) => {
    const at = output.indexOf(`${oid}\0`, end);
    if (at < 0) return [];
    end = at + oid.length + 1;
    return { oid, at, from: end };
  });
  return new Map(
    parts.map(({ oid, from }, index) => [oid, parseChanges(output.subarray(from, parts[index + 1]?.at))]),
  );
}

/** A rename is two changes; lines are not counted. */
export async function changedEntries(repo: Repo, from: string, to: string): Promise<readonly TreeChange[]> {
  return parseChanges(await repo.bytes(['diff-tree', '-r', '-z', '--no-renames', from, to, '--']));
}

export async function changedNames(repo: Repo, from: string, to: string): Promise<readonly string[]> {
  return namesIn(await changedFiles(repo, from, to));
}

export function namesIn(changes: readonly ChangedFile[]): readonly string[] {
  return changes.flatMap(({ file, from }) => (from === undefined ? [file] : [from, file]));
}

/**
 * Cut at `maxBytes`, as a last line says; runs no program. `asText`: also what attributes call binary. `without`: one
 * file.
 */
export async function diffText(
  repo: Repo,
  from: string,
  to: string,
  { maxBytes, asText = false, without }: Readonly<{ maxBytes: number; asText?: boolean; without?: string }>,
): Promise<string> {
  const how = asText ? ['--text'] : [];
  const flags = ['-r', '-p', '-M', '--no-color', '--no-ext-diff', '--no-textconv', ...how];
  const files = without === undefined ? [] : ['.', `:(exclude,literal,top)${without}`];
  const output = await repo.bytes(['diff-tree', ...flags, from, to, '--', ...files], { maxBytes });
  if (output.length <= maxBytes) return output.toString('utf8');
  return `${cutText(output, maxBytes)}\n[the rest of the diff is cut: more than ${maxBytes} bytes]\n`;
}
