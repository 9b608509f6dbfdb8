// A fixer's answers to its findings, without which its work does not count, and the tests that prove these in its tree.
import path from 'node:path';
import type { Outcome, Turn } from '../../agent/session/session-plan.ts';
import { classify } from '../../check/classes.ts';
import { removeFile } from '../../disk.ts';
import type { FixAnswer } from '../../event/finding.ts';
import { readAnswers } from '../../finding/opinion.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import { checkOutFiles, patchTree } from '../../git/tree/patch.ts';
import { type FindingState, findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { readInside } from '../../plan/read-inside.ts';
import { type Fix, listProofs, type Work } from '../work.ts';

export type Said = Readonly<{ answers: readonly FixAnswer[] } | { problem: string }>;

export function collectAnswers(
  place: Place,
  fix: Fix,
  heard: Readonly<{ turn: Turn; session: number }>,
): Said {
  const { turn, session } = heard;
  const { stage, round } = fix;
  const ids = fix.findings.map(({ id }) => id);
  const reading = readAnswers(turn, ids);
  if ('value' in reading) {
    place.run.emit({ type: 'findings-answered', stage, round, session, answers: [...reading.value] });
    return { answers: reading.value };
  }
  const earlier = findRound(place.run.state().review, fix.stage, fix.round);
  return earlier?.answeredBy === session ? { answers: earlier.answers } : reading;
}

export function readAnswersOfState(place: Place, fix: Fix): Said {
  const { review, sessions } = place.run.state();
  const { answers = [], answeredBy = 0 } = findRound(review, fix.stage, fix.round) ?? {};
  const last = [...sessions.values()].findLast(({ started }) => started.role === 'fix');
  return answeredBy === last?.started.session
    ? { answers }
    : { problem: 'nothing was said about the findings' };
}

/** Complete answers say as well as a marker that the work is done. */
export function outcomeWith(said: Said | undefined, outcome: Outcome): Outcome {
  const isAnswered = said !== undefined && 'answers' in said;
  return isAnswered && (outcome.kind === 'silent' || outcome.kind === 'already-done')
    ? { kind: 'done', reason: 'every finding is answered' }
    : outcome;
}

/** Incomplete, or contradicting what was done. */
export function judgeAnswers(said: Said, changed: boolean): readonly string[] {
  if ('problem' in said) return [`the answers could not be read whole: ${said.problem}`];
  if (rejectsAll(said))
    return changed ? ['every finding is rejected, yet files were changed: undo the changes'] : [];
  if (changed) return [];
  const fixed = said.answers.flatMap(({ answer, finding }) => (answer === 'fixed' ? finding : []));
  const then = 'fix it, or reject it with a reason';
  return [`${fixed.join(', ')} said to be fixed, but no file was changed: ${then}`];
}

export function rejectsAll(said: Said | undefined): boolean {
  return said !== undefined && 'answers' in said && said.answers.every(({ answer }) => answer === 'rejected');
}

export function fixedOf(place: Place, fix: Fix): readonly FindingState[] {
  const { answers = [] } = findRound(place.run.state().review, fix.stage, fix.round) ?? {};
  const fixed = new Set(answers.filter(({ answer }) => answer === 'fixed').map(({ finding }) => finding));
  return fix.findings.filter(({ id }) => fixed.has(id));
}

type TestedTree = Readonly<{ tree: string; files: readonly string[]; added: readonly string[] }>;

export async function addTests(
  { repo, index }: Place,
  treeish: string,
  findings: readonly Pick<FindingState, 'proof'>[],
): Promise<TestedTree | Readonly<{ problem: string }>> {
  let tree = treeish;
  for (const { proof } of findings) {
    const { patch } = proof;
    if (patch.trim() === '') continue;
    const next = await patchTree(repo, { tree, patch, index: `${index}.tests` });
    if (next === undefined) return { problem: 'its patch does not apply' };
    tree = next;
  }
  const changes = tree === treeish ? [] : await changedFiles(repo, treeish, tree);
  const isTest = (file: string) => ['test', 'support'].includes(classify(file));
  const isHarmless = (status: string) => status === 'added' || status === 'modified';
  const wrong = changes.find(({ file, status }) => !isTest(file) || !isHarmless(status));
  if (wrong) return { problem: `its patch changes ${wrong.file}, and not as a test` };
  const added = changes.filter(({ status }) => status === 'added').map(({ file }) => file);
  return { tree, files: changes.map(({ file }) => file), added };
}

export async function placeTests(place: Place, work: Work): Promise<void> {
  if (work.kind !== 'fix') return;
  const all = work.fix.findings.filter(({ tried }) => (tried?.files.length ?? 0) > 0);
  if (all.length === 0) return;
  const { repo, index } = place;
  const { commit } = work.start;
  const wanted = new Set(listProofs(place, work.task.id).map(({ id }) => id));
  const whole = await addTests(place, commit, all);
  const due = all.filter(({ id }) => wanted.has(id));
  const kept = await addTests(place, commit, due);
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
