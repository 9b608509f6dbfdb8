// Creates a lane's checkout: a git folder of its own with the repository's branches, settings and hooks, so that tools find
// everything they know, and nothing done to it reaches the repository. Objects are borrowed, not copied.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { writeFileUnsynced } from '../../write-file.ts';
import { initCheckout } from '../place/checkout.ts';
import { listRefs } from '../place/private.ts';
import type { Repo } from '../run/repo.ts';

type MakeRequest = Readonly<{
  folder: string;
  branch: string;
  head: string;
  refs?: Readonly<Record<string, string>>;
}>;

/**
 * Creates it with `head` as its branch's commit, and `refs` of pawl's own. Whatever a kill left half made in the folder is
 * removed first.
 */
export async function makeLane(repo: Repo, { folder, branch, head, refs = {} }: MakeRequest): Promise<Repo> {
  removeOwnFolder(folder);
  makeFolder(folder, 0o700);
  const lane = laneAt(repo, folder);
  await initCheckout(repo, lane);
  writeFileUnsynced(path.join(lane.gitDir, laneMark), repo.root);
  writeFileUnsynced(path.join(lane.gitDir, 'packed-refs'), await listRefs(repo));
  await copySettings(repo, lane);
  for (const name of ['info/exclude', 'info/attributes']) {
    const file = path.join(repo.commonDir, name);
    if (!existsSync(file)) continue;
    makeFolder(path.join(lane.gitDir, 'info'));
    writeFileUnsynced(path.join(lane.gitDir, name), readFileSync(file, 'utf8'));
  }
  await lane.write('branch of lane', ['update-ref', `refs/heads/${branch}`, head]);
  for (const [ref, oid] of Object.entries(refs))
    await lane.write('own ref of lane', ['update-ref', ref, oid]);
  await lane.write('HEAD of lane', ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  await lane.write('fill lane', ['read-tree', '-m', '-u', 'HEAD'], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
    index: path.join(lane.gitDir, 'index'),
  });
  return lane;
}

/** A file in a lane's git folder that names the repository's working tree. */
export const laneMark = 'pawl-lane';

/** The Repo of a lane's folder. Hooks inside the work tree are inside the lane's too. */
export function laneAt(repo: Repo, folder: string): Repo {
  const gitDir = path.join(folder, '.git');
  const inTree = path.relative(repo.root, repo.hooksDir);
  const hooksDir =
    repo.hooksDir === path.join(repo.commonDir, 'hooks')
      ? path.join(gitDir, 'hooks')
      : inTree.startsWith('..')
        ? repo.hooksDir
        : path.join(folder, inTree);
  return repo.at(folder, { gitDir, commonDir: gitDir, hooksDir });
}

/** Settings about other repositories, or about where this one is. */
const left =
  /^(remote|branch|submodule|include|includeif|extensions|gc|maintenance)\.|^core\.(worktree|bare|repositoryformatversion|fsmonitor|sparsecheckout|untrackedcache)/;

async function copySettings(repo: Repo, lane: Repo): Promise<void> {
  const listed = await repo.git(['config', '--local', '--includes', '--list', '-z']);
  const entries = listed.split('\0').filter((entry) => entry !== '' && !left.test(entry));
  const file = path.join(lane.gitDir, 'config');
  const text = [...entries.map(formatSetting), '[gc]\n\tauto = 0\n'].join('');
  writeFileUnsynced(file, `${readFileSync(file, 'utf8')}${text}`);
}

/** One entry of git's list in config file format. */
function formatSetting(entry: string): string {
  const [key = '', ...value] = entry.split('\n');
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const quote = (text: string) => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  const below = first === last ? '' : ` "${quote(key.slice(first + 1, last))}"`;
  const set = entry.includes('\n') ? ` = "${quote(value.join('\n'))}"` : '';
  return `[${key.slice(0, first)}${below}]\n\t${key.slice(last + 1)}${set}\n`;
}
