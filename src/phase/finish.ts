// Ends a run's process: its exit code, the tree as it is left, the report.
import path from 'node:path';
import { defined, ifAny } from '../defined.ts';
import type { FactOf } from '../event.ts';
import { type Failure, needFailure, pickExit } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { changedFiles } from '../git/tree/changes.ts';
import { countChanges } from '../git/tree/raw-diff.ts';
import { dropGrounds } from '../ground/in-ground.ts';
import { inRun } from '../journal/folder.ts';
import { archivedTo, type RunState } from '../journal/state.ts';
import type { Place } from '../place/place.ts';
import type { PhaseEnd } from '../place/run.ts';
import type { WorkPlace } from '../work/landing.ts';
import { bringTreeTo, recordLeftTree } from '../work/rescue/rescue-point.ts';
import { writeFileAtomic } from '../write-file.ts';

export type RunEnd = PhaseEnd &
  Readonly<{
    exit: number;
    /** False: refused before anything was done. */
    reconciled: boolean;
    /** Only an export: `pawl report` makes it again. */
    unwritten?: Failure;
  }>;

/** If not `reconciled`, what the previous stop left stays valid: no change is accepted by asking twice. */
export async function finish(
  place: WorkPlace,
  { reasons, finished }: PhaseEnd,
  { reconciled, report }: Readonly<{ reconciled: boolean; report: (state: RunState) => string }>,
): Promise<RunEnd> {
  await dropGrounds(place);
  const exit = pickExit(reasons.map((reason) => reason.exit));
  const isFenced = place.run.state().carry?.fenced !== undefined;
  if (isFenced && reconciled && !finished) await setWorkAside(place);
  const left = await whatIsLeft(place, reconciled);
  const end = { exit, reasons: [...reasons], finished };
  place.run.emit({ type: 'run-ended', ...end, ...left });
  const unwritten = writeReport(place, () => report(place.run.state()));
  return { ...end, reconciled, ...defined({ unwritten }) };
}

/** Another machine has the run: only a command restores it. */
async function setWorkAside(place: Place): Promise<void> {
  const { started, carry } = place.run.state();
  if (readHead(place.repo).branch !== started.branch) return;
  const who = carry?.fenced?.by.host ?? 'another machine';
  await bringTreeTo(place, 'HEAD', {
    reason: `unfinished work when ${who} had taken the run up`,
    tell: (rescue) => place.run.emit({ type: 'carry', state: 'work-aside', rescue }),
  });
}

type TreeAtEnd = Pick<FactOf<'run-ended'>, 'tree' | 'head' | 'refused' | 'difference' | 'uncommitted'>;

type Change = NonNullable<TreeAtEnd['difference']>;

function writeReport(place: Place, text: () => string): Failure | undefined {
  try {
    writeFileAtomic(path.join(place.run.folder, inRun.report), text(), 0o600);
    return undefined;
  } catch (error) {
    return needFailure(error);
  }
}

/** Tree and HEAD, for the next start to compare; empty if git fails, or on another branch. */
async function whatIsLeft(place: WorkPlace, reconciled: boolean): Promise<TreeAtEnd> {
  const { left: before, planning } = place.run.options;
  const { base, branch, review } = place.run.state().started;
  // A refused start leaves what the last stop left; after a kill the tree is read afresh.
  if (!reconciled && (before || place.run.state().sessions.size > 0)) return { ...before };
  // Writing a tree would be a change.
  if (review?.reportOnly || planning) return {};
  if (readHead(place.repo).branch !== branch) return {};
  try {
    const { refused, ...left } = await recordLeftTree(place);
    await place.home?.keep();
    const difference = await changeBetween(place, base, left.head);
    const uncommitted = await changeBetween(place, left.head, left.tree);
    const isClean = uncommitted.files === 0;
    return {
      ...left,
      difference,
      ...(isClean ? {} : { uncommitted }),
      ...defined({ refused: ifAny(refused) }),
    };
  } catch (error) {
    needFailure(error);
    return {};
  }
}

export async function changeBetween(place: Place, from: string, to: string): Promise<Change> {
  const plans = new Set([place.plan.name, archivedTo(place.run.state())]);
  const files = (await changedFiles(place.repo, from, to)).filter(({ file }) => !plans.has(file));
  return countChanges(files);
}
