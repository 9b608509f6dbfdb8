// A review round whose findings come from outside: red CI, comments. The fix is guarded and checked like any other.
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import type { FactOf } from '../../event.ts';
import { findingsOf, findRound } from '../../journal/fold-review.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { Stop } from '../../work/stopped.ts';
import { fixFindings, isPlanned, planFix } from '../review/fix-findings.ts';
import { refuseBehind } from './layers.ts';

type NamedFinding = FactOf<'opinion-given'>['findings'][number];

/** The fingerprint tells it from all others. */
export type OutsideFinding = Omit<NamedFinding, 'id' | 'proof' | 'anchor'> & Readonly<{ reviewer: string }>;

export type OutsideRound = Readonly<{
  stage: string;
  rounds: number;
  head: string;
  findings: readonly OutsideFinding[];
  /** The branch whose request they are about. */
  layer: string | undefined;
}>;

function lastRound({ review }: RunState, stage: string): number {
  return review.stages.get(stage)?.rounds.at(-1)?.round ?? 0;
}

/** How many rounds were given to a session. */
export function countGiven(place: Place, stage: string): number {
  const rounds = place.run.state().review.stages.get(stage)?.rounds ?? [];
  return rounds.filter(({ round }) => isPlanned(place, { stage, round })).length;
}

/** Given to a session, its end not known. */
export function findOpenFix(place: Place, stage: string): number | undefined {
  const round = lastRound(place.run.state(), stage);
  const isOpen = findRound(place.run.state().review, stage, round)?.ended === undefined;
  return isOpen && isPlanned(place, { stage, round }) ? round : undefined;
}

/** Not while the remote has commits that are not here: no session is paid for a fix that cannot be pushed. */
export async function planRound(
  place: Place,
  publish: PublishOptions,
  { stage, rounds, head, findings, layer }: OutsideRound,
): Promise<void> {
  await refuseBehind(place, publish);
  const { emit, state } = place.run;
  const reviewers = [...new Set(findings.map(({ reviewer }) => reviewer))];
  const { review, started } = state();
  if (!review.stages.has(stage))
    emit({ type: 'stage', state: 'started', stage, rounds, optional: true, reviewers, base: started.base });
  const below = layer === started.branch ? undefined : layer;
  const last = findRound(review, stage, lastRound(state(), stage));
  // One that a kill left without a fix is taken, unless another layer needs one now.
  const isOpen = last !== undefined && !last.ended && last.layer === below;
  const round = isOpen ? last.round : (last?.round ?? 0) + 1;
  const where = { stage, round };
  if (round !== last?.round)
    emit({ type: 'review-round', state: 'started', ...where, head, ...defined({ layer: below }) });
  const named = nameFindings(state(), findings);
  for (const reviewer of reviewers) {
    const own = named.filter((_, at) => findings[at]?.reviewer === reviewer);
    emit({ type: 'opinion', state: 'given', ...where, reviewer, findings: own });
  }
  const ids = new Set(named.map(({ id }) => id));
  planFix(place, { ...where, findings: findingsOf(state().review, stage).filter(({ id }) => ids.has(id)) });
}

function nameFindings({ review }: RunState, findings: readonly OutsideFinding[]): readonly NamedFinding[] {
  const known = [...review.findings.values()];
  let last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1))));
  return findings.map(({ reviewer: _, ...finding }) => {
    const same = known.find((one) => one.fingerprint === finding.fingerprint);
    if (!same) last += 1;
    // What shows that it is mended is outside.
    return { ...finding, id: same?.id ?? `F${last}`, proof: { command: '', patch: '' }, anchor: '' };
  });
}

/** `changed`: there is a new commit to push. */
export type Mended = Readonly<{ changed: boolean; reason: string }>;

export async function mendRound(
  place: WorkPlace,
  where: Readonly<{ stage: string; round: number }>,
): Promise<Mended | Readonly<{ stop: Stop }>> {
  const stop = await fixFindings(place, where);
  if (stop) return { stop };
  const { fix, head = '' } = findRound(place.run.state().review, where.stage, where.round) ?? {};
  const changed = fix?.result === 'committed';
  const reason = fix?.reason ?? '';
  const verdict = changed ? 'again' : 'end';
  place.run.emit({ type: 'review-round', state: 'ended', ...where, verdict, reason, head: fix?.oid ?? head });
  return { changed, reason };
}

/** Not if it never began or has ended so. */
export function endOutsideStage(
  place: Place,
  { stage, end, reason }: Readonly<{ stage: string; end: StageEnd; reason: string }>,
): void {
  const known = place.run.state().review.stages.get(stage);
  if (!known || (known.ended?.end === end && known.ended.reason === reason)) return;
  const open = findingsOf(place.run.state().review, stage).filter(({ standing }) => standing === 'open');
  place.run.emit({ type: 'stage', state: 'ended', stage, end, reason, open: open.map(({ id }) => id) });
}
