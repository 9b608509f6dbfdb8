// Merges trees by git's own merge; touches no work tree and no index.
import { signing } from '../commit/commit.ts';
import { readHeadCommit } from '../protect/snapshot.ts';
import { ownIdentity } from '../rescue/rescue-commit.ts';
import { isSameTree, type LoggedCommit, readLog } from '../run/ancestry.ts';
import { moveHead } from '../run/head.ts';
import type { Repo } from '../run/repo.ts';

/** `work`: a tree. `isRewritten`: the head does not descend from the base. */
export type MergeRequest = Readonly<{ base: string; head: string; work: string; isRewritten?: boolean }>;

/** `conflicts`: files that contain both sides; `told`: what else git says; `clashes`: the files of each conflict. */
export type Merge = Readonly<{
  tree: string;
  conflicts: readonly string[];
  told: readonly string[];
  clashes: readonly (readonly string[])[];
}>;

/** As conflict markers name them. */
export const sides = { head: 'pawl/landed', work: 'pawl/your-work' } as const;

export const conflictMarks: readonly string[] = [`<<<<<<< ${sides.head}`, `>>>>>>> ${sides.work}`];

const standIn = new RegExp(
  `~(?:${Object.values(sides)
    .map((side) => side.replaceAll('/', '_'))
    .join('|')})(?:_\\d+)?(?:/|$)`,
);

/** Named by a merge, because the other side has something else under its name. */
export function isStandIn(file: string): boolean {
  return standIn.test(file);
}

export async function mergeTrees(repo: Repo, request: MergeRequest): Promise<Merge> {
  const { base, head, work, isRewritten = false } = request;
  const ours = isRewritten ? await commitOf(repo, head, base) : head;
  const theirs = await commitOf(repo, work, base);
  const input = `update refs/${sides.head} ${ours}\nupdate refs/${sides.work} ${theirs}\n`;
  await repo.write('name the sides', ['update-ref', '--stdin'], { input });
  return runMerge(repo, sides.head, sides.work);
}

export async function mergeCommits(
  repo: Repo,
  { ours, theirs, message }: Readonly<{ ours: string; theirs: string; message: string }>,
): Promise<Readonly<{ commit: string }> | Readonly<{ conflicts: readonly string[] }>> {
  const { tree, conflicts } = await runMerge(repo, ours, theirs);
  if (conflicts.length > 0) return { conflicts };
  const parents = ['-p', ours, '-p', theirs];
  const made = await repo.write('merge', ['commit-tree', tree, ...parents], {
    input: message,
    env: ownIdentity,
  });
  return { commit: made.trim() };
}

/** Exit 1: there are conflicts. */
async function runMerge(repo: Repo, ours: string, theirs: string): Promise<Merge> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs];
  const [tree = '', ...rest] = (await repo.write('merge trees', args, { okCodes: [0, 1] })).split('\0');
  const end = rest.indexOf('');
  const entries = end < 0 ? [] : rest.slice(0, end);
  const conflicts = [...new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)))];
  return { tree: tree.trim(), conflicts, ...readMessages(rest.slice(end + 1)) };
}

/** The base becomes the parent, so that git finds exactly that merge base. */
async function commitOf(repo: Repo, treeish: string, base: string): Promise<string> {
  const args = ['commit-tree', `${treeish}^{tree}`, '-p', base];
  return (await repo.write('side of a merge', args, { input: 'a side of a merge\n', env: identity })).trim();
}

/** Only names a file in conflict. */
const saysNoMore = /^CONFLICT \(content\): Merge conflict in /;

/** Each message: number of files, the files, its kind, its text. */
function readMessages(fields: readonly string[]): Pick<Merge, 'told' | 'clashes'> {
  const told: string[] = [];
  const clashes = new Map<string, readonly string[]>();
  for (let at = 0; at < fields.length; ) {
    const files = Number(fields[at]);
    if (!Number.isInteger(files) || fields[at] === '') break;
    const names = fields.slice(at + 1, at + 1 + files);
    const [kind = '', text = ''] = fields.slice(at + 1 + files, at + 3 + files);
    if (kind.startsWith('CONFLICT')) {
      if (!saysNoMore.test(text)) told.push(text.trim());
      clashes.set(names.join('\0'), names);
    }
    at += files + 3;
  }
  return { told, clashes: [...clashes.values()] };
}

const atNoTime = '2000-01-01T00:00:00Z';
const identity = { ...ownIdentity, GIT_AUTHOR_DATE: atNoTime, GIT_COMMITTER_DATE: atNoTime };

/** `after`: the commit that it shall follow. */
type Move = Readonly<{ run: string; oid: string; after: string }>;

/** A text: why it stays where it is. */
export async function moveCommit(repo: Repo, { run, oid, after }: Move): Promise<string | undefined> {
  const from = await readHeadCommit(repo);
  const above = (await readLog(repo, ['--first-parent', `${after}..${from}`, '--'])).toReversed();
  const merges = await repo.git(['rev-list', '--min-parents=2', '--count', `${after}..${from}`]);
  const moved = above.find((commit) => commit.oid === oid);
  if (!moved || merges.trim() !== '0') return 'there is a merge in between';
  let onto = after;
  for (const commit of [moved, ...above.filter((one) => one !== moved)]) {
    const next = await replay(repo, commit, onto);
    if (next === undefined) return `${commit.oid.slice(0, 10)} would be in conflict`;
    onto = next;
  }
  if (!(await isSameTree(repo, from, onto))) return 'the files would not be the same';
  await moveHead(repo, 'move a fix into its layer', { run, folder: 'moved', from, to: onto });
  return undefined;
}

/** Its change, message, author and dates on another commit; undefined in a conflict. */
async function replay(repo: Repo, { oid, parent, message }: LoggedCommit, onto: string) {
  if (parent === undefined) return undefined;
  const merge = await mergeTrees(repo, { base: parent, head: onto, work: oid, isRewritten: true });
  if (merge.conflicts.length > 0 || merge.clashes.length > 0) return undefined;
  const about = await repo.git(['show', '-s', '--format=%an%n%ae%n%aI%n%cn%n%ce%n%cI', oid]);
  const [authorName = '', authorEmail = '', authorDate = '', name = '', email = '', date = ''] =
    about.split('\n');
  const env = {
    GIT_AUTHOR_NAME: authorName,
    GIT_AUTHOR_EMAIL: authorEmail,
    GIT_AUTHOR_DATE: authorDate,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  const args = ['commit-tree', ...(await signing(repo)), '-p', onto, merge.tree];
  return (await repo.write('commit in another place', args, { input: message, env })).trim();
}
