// Lists ignored files, each with the rule that ignores it.
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { joinNul, nameOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';

/** `rule` in words, e.g. `lib/ in .gitignore, line 3`. */
export type IgnoredFile = Readonly<{ file: string; rule: string }>;

/** Those that exist inside the work tree, untracked; absolute or relative to the root. */
export async function findIgnoredFiles(
  repo: Repo,
  files: readonly string[],
): Promise<readonly IgnoredFile[]> {
  const inside = new Set(files.flatMap((file) => insideOf(repo, file)));
  if (inside.size === 0) return [];
  // Exit 128: one is in a nested repository, which is refused as such.
  const printed = await repo.bytes(['check-ignore', '-z', '-v', '--stdin'], {
    input: joinNul([...inside].map(rawOf)),
    okCodes: [0, 1, 128],
  });
  const fields = splitNul(printed).map(nameOf);
  const found: IgnoredFile[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, line, pattern = '', file = ''] = fields.slice(at, at + 4);
    // The last matching rule may include the file again.
    if (!pattern.startsWith('!')) found.push({ file, rule: `${pattern} in ${source}, line ${line}` });
  }
  return found;
}

/** Names that a rule ignores, whether or not git tracks such a file; raw. */
export async function matchIgnored(repo: Repo, raws: readonly string[]): Promise<readonly string[]> {
  if (raws.length === 0) return [];
  const args = ['check-ignore', '-z', '--no-index', '--stdin'];
  return splitNul(await repo.bytes(args, { input: joinNul(raws), okCodes: [0, 1] }));
}

/** Below the root, unless a folder is a link that leads elsewhere. */
function insideOf({ root }: Pick<Repo, 'root'>, file: string): readonly string[] {
  try {
    const whole = path.resolve(root, file);
    const where = path.join(realpathSync(path.dirname(whole)), path.basename(whole));
    const inside = path.relative(root, where);
    const found = lstatSync(where);
    // A nested repository, named with a trailing slash, counts as one.
    const isOne = found.isFile() || found.isSymbolicLink() || (file.endsWith('/') && found.isDirectory());
    if (!isOne || inside.startsWith('..') || path.isAbsolute(inside)) return [];
    return inside.split('/').includes('.git') ? [] : [found.isDirectory() ? `${inside}/` : inside];
  } catch {
    return [];
  }
}
