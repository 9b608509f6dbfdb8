// Tree T, written with an index of pawl's own: tracked changes and the files that belong in, without touching the
// repository's index. Which files belong in is judged in `choose.ts`.

import { lstatSync } from 'node:fs';
import { type Choice, chooseFiles, type RefusedFile, type SecretJudge, type TreeRules } from './choose.ts';
import { type ChangedFile, changeFlags, parseChanges } from './diff.ts';
import { matchesAny } from './glob.ts';
import { knownTree, stageFiles, unstageFiles, writeIndexTree } from './index-file.ts';
import { type Look, lookAtTree } from './look.ts';
import { readLooseCommit } from './loose.ts';
import { cutText, joinNul, nameOf, pathOf, rawOf, splitNul } from './names.ts';
import type { Repo } from './repo.ts';
import { readStatus, type StatusEntry } from './status.ts';
import { changedUserFiles } from './user-files.ts';

export type WrittenTree = Readonly<{
  /** Object id of the tree. */
  tree: string;
  refused: readonly RefusedFile[];
  /** Against `against`. */
  files: readonly ChangedFile[];
  /** What it was made from. */
  look: Look;
}>;

export type WriteTreeOptions = Readonly<{
  /** Commit or tree that `files` is told against. */
  against: string;
  rules: TreeRules;
  /** Judges new files by name and first bytes. */
  secret: SecretJudge;
  /** A look that still holds; default: a new one. */
  look?: Look;
}>;

/** Writes the work tree as tree T; `index` is a file of the run's own that is kept, so that only what changed is read. */
export async function writeTree(repo: Repo, index: string, options: WriteTreeOptions): Promise<WrittenTree> {
  const look = options.look ?? (await lookAtTree(repo, index));
  const known = knownTree(repo, index);
  const { entries, submodules } = look;
  const choice = chooseFiles({
    root: repo.root,
    entries,
    rules: options.rules,
    secret: options.secret,
    ignored: await findIgnored(repo, entries),
    changedUserFiles: changedUserFiles(repo, index),
  });
  await unstageFiles(repo, index, choice.unstage);
  await stageFiles(repo, index, choice.stage);
  const isSame = known !== undefined && choice.stage.length + choice.unstage.length === 0;
  const [tree, files] = await Promise.all([
    isSame ? known : writeIndexTree(repo, index),
    indexChanges(repo, index, { against: options.against, tree: isSame ? known : undefined }),
  ]);
  // A name such as HEAD may mean another commit next time.
  if (isOid(options.against)) changes.set(repo, { against: options.against, tree, files });
  return {
    tree,
    refused: [...choice.refused, ...refuseSubmodules(submodules, choice, options)],
    files,
    look,
  };
}

/** The last answer; what two trees differ in never changes. */
const changes = new WeakMap<
  Repo,
  Readonly<{ against: string; tree: string; files: readonly ChangedFile[] }>
>();

/** The tree of a commit whose file tells it; else what was given. */
function treeOf(repo: Repo, treeish: string): string {
  return (isOid(treeish) ? readLooseCommit(repo, treeish)?.tree : undefined) ?? treeish;
}

function isOid(treeish: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(treeish);
}

async function indexChanges(
  repo: Repo,
  index: string,
  sides: Readonly<{ against: string; tree: string | undefined }>,
): Promise<readonly ChangedFile[]> {
  if (treeOf(repo, sides.against) === sides.tree) return [];
  const last = changes.get(repo);
  if (last && last.against === sides.against && last.tree === sides.tree) return last.files;
  const args = ['diff-index', '--cached', ...changeFlags, sides.against, '--'];
  return parseChanges(await repo.bytes(args, { index }));
}

/** Tree of the index with one file's content replaced; the index holds that content from then on, until the next `writeTree` reads the work tree again. */
export async function withFile(
  repo: Repo,
  index: string,
  file: string,
  content: Uint8Array,
): Promise<string> {
  const raw = rawOf(file);
  const args = ['hash-object', '-w', '--stdin', `--path=${file}`];
  const hashed = await repo.write('write blob', args, { input: content });
  const isProgram = ((lstatSync(pathOf(repo.root, raw), { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0;
  const mode = isProgram ? '100755' : '100644';
  await repo.write('replace file', ['update-index', '-z', '--add', '--replace', '--index-info'], {
    index,
    input: joinNul([`${mode} ${hashed.trim()} 0\t${raw}`]),
  });
  return writeIndexTree(repo, index);
}

/** Files that differ between two commits or trees, renames found. */
export async function changedFiles(repo: Repo, from: string, to: string): Promise<readonly ChangedFile[]> {
  return parseChanges(await repo.bytes(['diff-tree', ...changeFlags, from, to, '--']));
}

/** The difference of two commits or trees as a patch, cut at `maxBytes` with a last line that says so; no program of the repository's runs. */
export async function diffText(
  repo: Repo,
  from: string,
  to: string,
  options: Readonly<{ maxBytes: number }>,
): Promise<string> {
  const flags = ['-r', '-p', '-M', '--no-color', '--no-ext-diff', '--no-textconv'];
  const output = await repo.bytes(['diff-tree', ...flags, from, to, '--'], { maxBytes: options.maxBytes });
  if (output.length <= options.maxBytes) return output.toString('utf8');
  return `${cutText(output, options.maxBytes)}\n[the rest of the diff is cut: more than ${options.maxBytes} bytes]\n`;
}

/** Untracked files that are not ignored, one by one; a repository of its own ends in a slash. */
export async function listUntracked(repo: Repo): Promise<readonly string[]> {
  return splitNul(await repo.bytes(['ls-files', '-o', '--exclude-standard', '-z'])).map(nameOf);
}

/** Tracked files that are changed, staged or not. */
export async function listDirt(repo: Repo): Promise<readonly string[]> {
  return (await readStatus(repo, { untracked: false })).map(({ file }) => file);
}

/** New files that an earlier writing took in and that a rule ignores by now; raw names. */
async function findIgnored(repo: Repo, entries: readonly StatusEntry[]): Promise<ReadonlySet<string>> {
  const added = entries
    .filter(({ staged, kind }) => kind === 'tracked' && staged === 'A')
    .map(({ raw }) => raw);
  const isRuleChanged = entries.some(({ file }) => file === '.gitignore' || file.endsWith('/.gitignore'));
  if (added.length === 0 || !isRuleChanged) return new Set();
  const args = ['check-ignore', '-z', '--no-index', '--stdin'];
  return new Set(splitNul(await repo.bytes(args, { input: joinNul(added), okCodes: [0, 1] })));
}

function refuseSubmodules(
  submodules: readonly string[],
  choice: Choice,
  options: WriteTreeOptions,
): readonly RefusedFile[] {
  const known = new Set(choice.refused.map(({ file }) => file));
  const isWanted = (file: string): boolean => !known.has(file) && !matchesAny(file, options.rules.allow);
  return submodules
    .map(nameOf)
    .filter(isWanted)
    .map((file) => ({
      file,
      why: 'dirty-submodule',
      detail: 'files inside the submodule changed; commit them there, or put them back',
    }));
}
