// A round's fix: its findings, its work, guarded like a task's, and doubts about its commit.

import { isConfirmed } from '../../event/severity.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import { type FindingState, findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { addTests } from '../../work/kind/fix-proofs.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import type { Stop } from '../../work/stopped.ts';
import { stateOf } from '../../work/work.ts';
import { judgeDoubts } from './judge-doubts.ts';

type Where = Readonly<{ stage: string; round: number }>;

/** Tests that do not fit into one tree wait a round. */
export async function chooseFindings(
  place: Place,
  findings: readonly FindingState[],
  head: string,
): Promise<readonly FindingState[]> {
  const chosen: FindingState[] = [];
  for (const one of findings)
    if (
      !isConfirmed(one) ||
      !('problem' in (await addTests(place, head, [...chosen.filter(isConfirmed), one])))
    )
      chosen.push(one);
  return chosen;
}

export function planFix(
  place: Place,
  { stage, round, findings }: Where & Readonly<{ findings: readonly FindingState[] }>,
): void {
  const [only] = findings;
  const title = only && findings.length === 1 ? only.finding.title : `${findings.length} findings`;
  const ids = findings.map(({ id }) => id);
  const fix = { stage, round, findings: ids };
  place.run.emit({ type: 'work', state: 'planned', task: idOf({ stage, round }), title, fix });
}

export function isPlanned(place: Place, where: Where): boolean {
  return place.run.state().fixes.has(idOf(where));
}

/** Undefined once its end is journaled. */
export function fixFindings(place: WorkPlace, where: Where): Promise<Stop | undefined> {
  return runAuxiliaryWork(place, idOf(where), async (oid) => {
    const doubts = await findDoubts(place, where, oid);
    return doubts.length > 0 ? doubts : undefined;
  });
}

async function findDoubts(place: Place, { stage, round }: Where, oid: string) {
  const { review } = place.run.state();
  const { answers = [] } = findRound(review, stage, round) ?? {};
  const fixed = answers.flatMap(({ finding, answer }) =>
    answer === 'fixed' ? (review.findings.get(finding) ?? []) : [],
  );
  const { tamper } = stateOf(place, { id: idOf({ stage, round }) });
  return judgeDoubts(fixed, await changedFiles(place.repo, `${oid}^`, oid), tamper);
}

function idOf({ stage, round }: Where): string {
  return `fix-${stage}-${round}`;
}
