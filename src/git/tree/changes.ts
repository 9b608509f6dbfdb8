// The difference between two trees, as a list of files and as a patch.
import { cutText } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { type ChangedFile, changeFlags, parseChanges } from './raw-diff.ts';

/** Renames are detected. */
export async function changedFiles(repo: Repo, from: string, to: string): Promise<readonly ChangedFile[]> {
  return parseChanges(await repo.bytes(['diff-tree', ...changeFlags, from, to, '--']));
}

/** Both names of a renamed file. */
export async function changedNames(repo: Repo, from: string, to: string): Promise<readonly string[]> {
  return (await changedFiles(repo, from, to)).flatMap(({ file, from: old }) =>
    old === undefined ? [file] : [old, file],
  );
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
