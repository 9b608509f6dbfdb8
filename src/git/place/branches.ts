// The local branches, and how far each is ahead of or behind HEAD.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readHeadCommit } from '../protect/snapshot.ts';
import { changeRefs, readRef } from '../run/head.ts';
import type { Repo } from '../run/repo.ts';

/** Compared with HEAD. `worktree`: another that has it checked out. */
export type BranchFacts = Readonly<{
  relation: 'same' | 'ahead' | 'behind' | 'diverged';
  worktree: string | undefined;
}>;

/** Lines for `readBranches`. */
export async function listBranches(repo: Repo): Promise<readonly string[]> {
  const patterns = ['refs/heads', 'refs/remotes/*/HEAD', 'refs/tags'];
  return (await repo.git(['for-each-ref', `--format=${refFormat}`, ...patterns])).split('\n');
}

/**
 * `head` empty: no commit yet. `remoteHeads`: targets of `refs/remotes/<remote>/HEAD`. Runs git only if a branch is at
 * another commit.
 */
export async function readBranches(repo: Repo, lines: readonly string[], head: string) {
  const isAlone = lines.every((line) => !line.startsWith('refs/heads/') || line.split('\0')[1] === head);
  const near = async (flag: string) => {
    if (isAlone || head === '') return new Set<string>();
    return new Set((await repo.git(['for-each-ref', '--format=%(refname)', flag, 'refs/heads'])).split('\n'));
  };
  const [ahead, behind] = await Promise.all([near(`--contains=${head}`), near(`--merged=${head}`)]);
  const branches = new Map<string, BranchFacts>();
  const remoteHeads: string[] = [];
  const tags = new Set<string>();
  for (const line of lines) {
    const [ref = '', oid = '', symref = '', worktree = ''] = line.split('\0');
    if (ref.startsWith('refs/remotes/') && symref !== '') remoteHeads.push(symref);
    if (ref.startsWith('refs/tags/')) tags.add(ref.slice('refs/tags/'.length));
    if (!ref.startsWith('refs/heads/')) continue;
    const isElsewhere = worktree !== '' && worktree !== repo.root;
    branches.set(ref.slice('refs/heads/'.length), {
      relation: oid === head ? 'same' : ahead.has(ref) ? 'ahead' : behind.has(ref) ? 'behind' : 'diverged',
      worktree: isElsewhere ? worktree : undefined,
    });
  }
  return { branches, remoteHeads, tags };
}

const refFormat = '%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)';

/** Where an existing branch is checked out; empty if nowhere. */
export async function worktreeOf(repo: Repo, branch: string): Promise<string> {
  const format = ['for-each-ref', '--format=%(worktreepath)', `refs/heads/${branch}`];
  const where = (await repo.git(format)).trim();
  // To git a bare repository has its own HEAD checked out.
  return where === repo.commonDir ? '' : where;
}

const usualNames = ['main', 'master', 'trunk', 'develop', 'development', 'default'];

export function findDefaultBranch(
  facts: Readonly<{
    /** Targets of `refs/remotes/<remote>/HEAD`. */
    remoteHeads: readonly string[];
    /** `init.defaultBranch`; empty if it is not set. */
    configured: string;
    branches: readonly string[];
    current: string | undefined;
  }>,
): string | undefined {
  const { remoteHeads, configured, branches, current } = facts;
  const remote = remoteHeads.find((ref) => ref.startsWith('refs/remotes/origin/')) ?? remoteHeads[0];
  if (remote !== undefined) return remote.split('/').slice(3).join('/');
  // Of several usual names the current one wins: committing to a shared branch is the worse mistake.
  const usual = [current ?? '', ...usualNames].filter((name) => usualNames.includes(name));
  const only = branches.length === 1 ? branches : [];
  return [configured, ...usual, ...only].find((name) => branches.includes(name));
}

/** Throws Failure('git') if untracked files, ignored ones too, and the plan's changes cannot come along. */
export async function switchBranch(
  repo: Repo,
  { branch, create }: Readonly<{ branch: string; create: boolean }>,
): Promise<void> {
  if (create) await makeBranch(repo, branch);
  const args = ['switch', '-q', '--no-overwrite-ignore', '--no-recurse-submodules', '--no-guess', branch];
  await repo.write(`switch to ${branch}`, args);
}

/** On HEAD, where a start that was cut off may have made it already. */
async function makeBranch(repo: Repo, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  try {
    await changeRefs(repo, `branch ${branch}`, [{ ref, now: 'HEAD', old: undefined }]);
  } catch (error) {
    if ((await readRef(repo, ref)) !== (await readHeadCommit(repo))) throw error;
  }
}

/** False if in doubt. */
export function isNoRef(place: Pick<Repo, 'commonDir'>, ref: string): boolean {
  const at = (name: string): string => path.join(place.commonDir, name);
  if (existsSync(at('reftable')) || existsSync(at(ref))) return false;
  try {
    return !existsSync(at('packed-refs')) || !readFileSync(at('packed-refs'), 'latin1').includes(` ${ref}\n`);
  } catch {
    return false;
  }
}
