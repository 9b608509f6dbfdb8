// Runs the proofs of a round's findings, each in its own ground at the round's commit.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CheckRun } from '../../check/check-run.ts';
import { fixed } from '../../config/fixed.ts';
import { isAtLeast, isConfirmed, severities } from '../../event/severity.ts';
import type { FactOf } from '../../event.ts';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import { inGround } from '../../ground/in-ground.ts';
import { type FindingState, isUnsettled } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { isLoadError } from '../../proof/lab.ts';
import { whileStill } from '../../work/guard/standstill.ts';
import { addTests } from '../../work/kind/fix-answers.ts';
import { runOneCheck, setUpGround } from '../../work/tree/run-checks.ts';
import { proofCheck } from '../../work/work.ts';

type Round = Readonly<{ stage: string; round: number; head: string }>;
type Trial = Pick<FactOf<'finding-tried'>, 'result' | 'reason' | 'files' | 'proof'>;

/** After an interruption, the rest waits for the next start. */
export async function proveFindings(place: Place, round: Round): Promise<void> {
  const due = listDue(place, round);
  if (due.length === 0 || place.run.signal.aborted) return;
  const { stage, round: number, head } = round;
  const until = place.run.now().getTime() + fixed.proofsMs;
  await whileStill(place, 'check', async () => {
    for (const finding of due) {
      const trial = await tryProofs(place, finding, { head, until });
      if (place.run.signal.aborted) return;
      place.run.emit({ type: 'finding-tried', stage, round: number, finding: finding.id, ...trial });
    }
  });
}

/** Raised in this round, or confirmed earlier and still open; the worst first. */
function listDue(place: Place, { stage, round }: Round): readonly FindingState[] {
  const rank = ({ severity }: FindingState): number => severities.indexOf(severity);
  return [...place.run.state().review.findings.values()]
    .filter((one) => {
      const { proof, severity, raised, tried } = one;
      const isNew = raised.some((by) => by.stage === stage && by.round === round);
      const isTried = tried?.stage === stage && tried.round === round;
      const isOne = proof.command.trim() !== '' && isAtLeast(severity, 'minor');
      return isOne && isUnsettled(one) && !isTried && (isNew || isConfirmed(one));
    })
    .sort((a, b) => rank(a) - rank(b));
}

type TrialGiven = Readonly<{ head: string; until: number }>;

/** Any red one confirms; only if all are green is it refuted. */
async function tryProofs(place: Place, finding: FindingState, given: TrialGiven): Promise<Trial> {
  const { proof, otherProofs = [] } = finding;
  const trials: Trial[] = [];
  for (const one of [proof, ...otherProofs]) {
    const trial = await tryProof(place, { ...finding, proof: one }, given);
    if (trial.result === 'confirmed') return { ...trial, ...(one === proof ? {} : { proof: one }) };
    trials.push(trial);
    if (place.run.signal.aborted) break;
  }
  return trials.reduce((told, trial) => (told.result === 'unproven' ? told : trial));
}

async function tryProof(place: Place, finding: FindingState, { head, until }: TrialGiven): Promise<Trial> {
  const restMs = until - place.run.now().getTime();
  if (restMs <= 0) return unproven('the proofs before it took too long');
  const tested = await addTests(place, head, [finding]);
  if ('problem' in tested) return unproven(tested.problem);
  const { tree, files, added } = tested;
  const yours = added.find((file) => existsSync(path.join(place.repo.root, file)));
  if (yours !== undefined) return unproven(`its patch would overwrite ${yours}, which git does not know`);
  const about = { parents: [head], message: 'a finding with its test\n' };
  const commit = files.length === 0 ? head : await commitPoint(place.repo, tree, about);
  return inGround(place, { use: 'prove', commit }, async (ground) => {
    const problem = await setUpGround(place, ground);
    if (problem !== undefined) return unproven(problem);
    const timeoutMs = Math.min(place.run.config.clocks.check, fixed.proofMs, restMs);
    const walled = { ...place, spawn: place.sandbox ? place.spawn : (place.readOnlySpawn ?? place.spawn) };
    const run = await runOneCheck(walled, proofCheck(finding), { when: 'proof', ground, timeoutMs });
    return { ...judgeProof(run, { isTest: files.length > 0 }), files: [...files] };
  });
}

/** A failure that keeps the proof from testing confirms nothing. */
export function judgeProof(
  { result, output, reason, tests, exitCode }: CheckRun,
  { isTest }: Readonly<{ isTest: boolean }>,
): Pick<Trial, 'result' | 'reason'> {
  if (result === 'green') return { result: 'refuted', reason: 'its proof is green' };
  if (result !== 'red') return unproven(reason ?? 'its proof could not run');
  if (tests && tests.passed + tests.failed === 0) return unproven('its proof ran no test');
  if (isTest && isLoadError({ output })) return unproven('its test does not load');
  return { result: 'confirmed', reason: `its proof is red (exit code ${exitCode ?? 'none'})` };
}

function unproven(reason: string): Trial {
  return { result: 'unproven', reason, files: [] };
}
