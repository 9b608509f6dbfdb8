// Whether any ref was moved since it was looked at, told by the times and inodes of git's own files. It reads no ref.
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from './repo.ts';

/** More files than this are left to git, which reads them faster. */
const mostFiles = 3_000;

/** A file system may put all changes of one tick (10 ms at the most) down to one instant: a younger state could change unseen. */
const tickMs = 20n;

/** A text that changes whenever a ref, but of a remote, is created, moved or deleted, however it is stored; undefined when it cannot be told. */
export function stampRefs(repo: Pick<Repo, 'gitDir' | 'commonDir'>): string | undefined {
  const waiting = [...new Set([repo.commonDir, repo.gitDir])].flatMap((folder) =>
    ['refs', 'packed-refs', 'reftable'].map((name) => path.join(folder, name)),
  );
  const remotes = path.join(repo.commonDir, 'refs', 'remotes');
  const lines: string[] = [];
  let newest = 0n;
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (file === remotes) continue;
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (lines.length > mostFiles || stat?.isSymbolicLink()) return undefined;
    if (stat && stat.ctimeNs > newest) newest = stat.ctimeNs;
    lines.push(`${file} ${stat ? formatStat(stat) : 'none'}`);
    if (!stat?.isDirectory()) continue;
    for (const name of listNames(file)) waiting.push(path.join(file, name));
  }
  return BigInt(Date.now()) - newest / 1_000_000n < tickMs ? undefined : lines.sort().join('\n');
}

/** A folder that goes just now changes the one it is in. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function formatStat({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
