// Commits the plan file or its move alone. What was staged stays only in the work tree.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import type { Mark } from '../../process/sweep.ts';
import { pathOf, rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { essenceOf } from '../run/run-git.ts';
import { changedNames } from '../tree/changes.ts';
import { setIndex, stageFiles, unstageFiles, withCopy, writeIndexTree } from '../tree/index-file.ts';
import { type CommitRejected, commitTree } from './commit.ts';

/** `from`: where it was before. `onAdded` is told what else a hook put into the commit; it is taken out again. */
type PlanCommit = Readonly<{
  file: string;
  from?: string;
  message: string;
  mark: Mark;
  onAdded?: (files: readonly string[]) => void;
}>;

/** Returns HEAD if that already contains it. A rejection throws Failure('hook'). */
export async function commitFile(repo: Repo, options: PlanCommit): Promise<string> {
  const { file, from, message, mark, onAdded } = options;
  const [parent = '', before] = (await repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}'])).trim().split('\n');
  if (!existsSync(pathOf(repo.root, rawOf(file))))
    throw new Failure('plan', `${file} no longer exists`, {
      hint: 'Restore it (`git restore` brings back the committed version) and run the same command again.',
    });
  const tree = await withCopy(path.join(repo.gitDir, 'index'), 'pawl', async (index) => {
    await setIndex(repo, 'HEAD', index);
    if (from !== undefined) await unstageFiles(repo, index, [rawOf(from)]);
    await stageFiles(repo, index, [rawOf(file)]);
    return writeIndexTree(repo, index);
  });
  if (tree === before) return parent;
  const commit = await commitTree(repo, { tree, parent, message, mark });
  if (!('oid' in commit)) throw rejection(commit);
  const added = (await changedNames(repo, tree, commit.tree)).filter((one) => one !== file && one !== from);
  if (added.length === 0) return commit.oid;
  onAdded?.(added);
  return amendTo(repo, tree);
}

/** Nobody has checked any tree but the requested one. */
async function amendTo(repo: Repo, tree: string): Promise<string> {
  await setIndex(repo, tree);
  const how = ['--amend', '-q', '--no-edit', '--no-verify', '--allow-empty', '--cleanup=whitespace'];
  await repo.write('take out what a hook added', ['commit', ...how], {
    index: path.join(repo.gitDir, 'index'),
  });
  return (await repo.git(['rev-parse', 'HEAD'])).trim();
}

/** Of a hook's output: the last lines say no. */
const mostLines = 12;

function rejection({ hook, output }: CommitRejected): Failure {
  const words =
    hook === undefined ? essenceOf(output) : output.trim().split('\n').slice(-mostLines).join('\n');
  const by = hook === undefined ? 'git' : `The ${hook} hook`;
  return new Failure('hook', `${by} rejected a commit of the plan: ${words || 'no message'}`, {
    hint: 'Change the hook, signing, identity or `commit.subject`, or commit the plan by hand, and start again.',
  });
}
