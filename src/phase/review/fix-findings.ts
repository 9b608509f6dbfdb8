// A round's fix: its findings, its work, guarded like a task's, and doubts about its commit.
import path from 'node:path';
import { classify } from '../../check/classes.ts';
import { ifAny } from '../../defined.ts';
import { sayTamper } from '../../event/guard.ts';
import { isConfirmed } from '../../event/severity.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { FindingState, RoundPlace } from '../../journal/fold-review.ts';
import type { TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { addTests } from '../../work/kind/fix-answers.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import type { Stop } from '../../work/stopped.ts';
import { stateOf } from '../../work/work.ts';
import { needRound } from './rounds.ts';

/** Tests that do not fit into one tree wait a round. */
export async function chooseFindings(
  place: Place,
  findings: readonly FindingState[],
  head: string,
): Promise<readonly FindingState[]> {
  const chosen: FindingState[] = [];
  for (const one of findings) {
    const tests = isConfirmed(one) ? await addTests(place, head, [...chosen.filter(isConfirmed), one]) : {};
    if (!('problem' in tests)) chosen.push(one);
  }
  return chosen;
}

export function planFix(
  place: Place,
  { stage, round, findings }: RoundPlace & Readonly<{ findings: readonly FindingState[] }>,
): void {
  const [only] = findings;
  const title = only && findings.length === 1 ? only.title : `${findings.length} findings`;
  const ids = findings.map(({ id }) => id);
  const fix = { stage, round, findings: ids };
  place.run.emit({ type: 'work', state: 'planned', task: idOf({ stage, round }), title, fix });
}

export function isPlanned(place: Place, where: RoundPlace): boolean {
  return place.run.state().fixes.has(idOf(where));
}

/** Undefined once its end is journaled. */
export function fixFindings(place: WorkPlace, where: RoundPlace): Promise<Stop | undefined> {
  const id = idOf(where);
  return runAuxiliaryWork(place, id, async (oid) => {
    const { review } = place.run.state();
    const { answers } = needRound(place, where);
    const fixed = answers.flatMap(({ finding, answer }) =>
      answer === 'fixed' ? (review.findings.get(finding) ?? []) : [],
    );
    const { tamper } = stateOf(place, { id });
    return ifAny(judgeDoubts(fixed, await changedFiles(place.repo, `${oid}^`, oid), tamper));
  });
}

function idOf({ stage, round }: RoundPlace): string {
  return `fix-${stage}-${round}`;
}

/** `notes`: what the commit takes from tests and checkers. */
export function judgeDoubts(
  fixed: readonly FindingState[],
  changes: readonly ChangedFile[],
  notes: TaskState['tamper'] = [],
): Readonly<{ finding: string; text: string }>[] {
  const files = changes.flatMap((change) => doubtAbout(change) ?? []);
  const noted = notes.filter(({ file }) => !files.some((text) => text.includes(file)));
  const general = [...files, ...noted.map(sayTamper)];
  const names = new Set(changes.flatMap(({ file, from = file }) => [file, from]));
  return fixed.flatMap(({ id, file }) => {
    // `.`: no single file, as for red CI.
    const isTouched = file === '.' || names.has(path.normalize(file));
    const texts = [...general, ...(isTouched ? [] : [`${file} was not touched`])];
    return texts.map((text) => ({ finding: id, text }));
  });
}

function doubtAbout({ file, from, status, deletions }: ChangedFile): string | undefined {
  if (status === 'deleted') return `${file} was removed`;
  const kind = classify(from ?? file);
  if (status === 'added') return undefined;
  if (kind === 'config') return `${file}, which decides how checks run, was changed`;
  const isTest = kind === 'test' || kind === 'support';
  return isTest && deletions > 0 ? `lines of the test ${file} were changed or removed` : undefined;
}
