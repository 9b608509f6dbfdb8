// The tests of a fix's findings stay as they were when red, whatever a session does. A rejected finding's is removed.
import path from 'node:path';
import { classify } from '../../check/classes.ts';
import { removeFile } from '../../disk.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import { checkOutFiles, patchTree } from '../../git/tree/patch.ts';
import type { FindingState } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { readInside } from '../../plan/read-inside.ts';
import { listProofs, type Work } from '../work.ts';

export type TestedTree = Readonly<{ tree: string; files: readonly string[]; added: readonly string[] }>;

export async function addTests(
  { repo, index }: Place,
  treeish: string,
  findings: readonly Pick<FindingState, 'finding'>[],
): Promise<TestedTree | Readonly<{ problem: string }>> {
  let tree = treeish;
  for (const { finding } of findings) {
    const { patch } = finding.proof;
    if (patch.trim() === '') continue;
    const next = await patchTree(repo, { tree, patch, index: `${index}.tests` });
    if (next === undefined) return { problem: 'its patch does not apply' };
    tree = next;
  }
  const changes = tree === treeish ? [] : await changedFiles(repo, treeish, tree);
  const wrong = changes.find(({ file, status }) => !isTest(file) || !harmless.has(status));
  if (wrong) return { problem: `its patch changes ${wrong.file}, and not as a test` };
  const added = changes.filter(({ status }) => status === 'added').map(({ file }) => file);
  return { tree, files: changes.map(({ file }) => file), added };
}

const harmless: ReadonlySet<string> = new Set(['added', 'modified']);

function isTest(file: string): boolean {
  const kind = classify(file);
  return kind === 'test' || kind === 'support';
}

export async function placeTests(place: Place, work: Work): Promise<void> {
  if (work.kind !== 'fix') return;
  const all = work.fix.findings.filter(({ tried }) => (tried?.files.length ?? 0) > 0);
  if (all.length === 0) return;
  const { repo, index } = place;
  const { commit } = work.start;
  const wanted = new Set(listProofs(place, work.task.id).map(({ id }) => id));
  const whole = await addTests(place, commit, all);
  const kept = await addTests(
    place,
    commit,
    all.filter(({ id }) => wanted.has(id)),
  );
  if ('problem' in whole || 'problem' in kept) return;
  await checkOutFiles(repo, { tree: kept.tree, files: kept.files, index: `${index}.tests` });
  // What the fixer has made of a file is its work.
  const texts = await readBlobs(repo, whole.tree, whole.files);
  const left = whole.files.filter(
    (file) => !kept.files.includes(file) && readInside(repo.root, file) === texts.get(file),
  );
  for (const file of left.filter((one) => whole.added.includes(one))) removeFile(path.join(repo.root, file));
  const old = left.filter((one) => !whole.added.includes(one));
  await checkOutFiles(repo, { tree: commit, files: old, index: `${index}.tests` });
}
