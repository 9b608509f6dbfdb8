// What comes from a forge, red CI and comments: awaited, and made a review round. The fix is guarded and checked like any other.
import { noProof } from '../../event/finding.ts';
import type { FactOf } from '../../event.ts';
import { findingsOf } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { Stop } from '../../work/stopped.ts';
import { sleepUntil } from '../../work/wait/wait.ts';
import { fixFindings, isPlanned, planFix } from '../review/fix-findings.ts';
import { giveIds, lastRound, needRound, openRound, startStage } from '../review/rounds.ts';
import { type PublishPlace, refuseBehind } from './layers.ts';

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

/** How many rounds were given to a session. */
export function countGiven(place: Place, stage: string): number {
  const rounds = place.run.state().review.stages.get(stage)?.rounds ?? [];
  return rounds.filter(({ round }) => isPlanned(place, { stage, round })).length;
}

/** Not while the remote has commits that are not here: no session is paid for a fix that cannot be pushed. */
export async function planRound(
  place: PublishPlace,
  { stage, rounds, head, findings, layer }: OutsideRound,
): Promise<void> {
  await refuseBehind(place);
  const { emit, state } = place.run;
  const { base, branch } = state().started;
  const reviewers = [...new Set(findings.map(({ reviewer }) => reviewer))];
  startStage(place, { stage, rounds, optional: true, reviewers, base });
  const { round } = openRound(place, stage, { head, layer: layer === branch ? undefined : layer });
  const where = { stage, round };
  const known = [...state().review.findings.values()];
  const named = giveIds(findings, known, ({ fingerprint }) =>
    known.find((one) => one.fingerprint === fingerprint),
  );
  for (const one of reviewers) {
    const own = named.filter(({ reviewer }) => reviewer === one);
    // What shows that it is mended is outside.
    const all = own.map(({ reviewer: _, ...finding }) => ({ ...finding, proof: noProof, anchor: '' }));
    emit({ type: 'opinion', state: 'given', ...where, reviewer: one, findings: all });
  }
  const ids = new Set(named.map(({ id }) => id));
  planFix(place, { ...where, findings: findingsOf(state().review, stage).filter(({ id }) => ids.has(id)) });
}

/** Completes what a session was given, if anything. */
export async function mendOpen(place: WorkPlace, stage: string): Promise<Stop | undefined> {
  const { round = 0, ended } = lastRound(place, stage) ?? {};
  const where = { stage, round };
  if (ended || !isPlanned(place, where)) return undefined;
  const stop = await fixFindings(place, where);
  if (stop) return stop;
  const { fix, head } = needRound(place, where);
  const verdict = fix?.result === 'committed' ? 'again' : 'end';
  const told = { verdict, reason: fix?.reason ?? '', head: fix?.oid ?? head } as const;
  place.run.emit({ type: 'review-round', state: 'ended', ...where, ...told });
  return undefined;
}

/** `until`: epoch milliseconds. */
type Watch = Pick<FactOf<'waiting'>, 'why' | 'until' | 'text'> & Readonly<{ everyMs: number }>;

/** Announced: until there is something to see, the clock is over, or a person goes on. Throws if interrupted. */
export async function watchForge<T>(
  { run }: Pick<Place, 'run'>,
  { everyMs, ...wait }: Watch,
  look: (isLast: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = () => run.now().getTime();
  run.emit({ type: 'waiting', ...wait });
  // A person who continues takes the wait from the state.
  const isCut = () => run.state().waiting === undefined;
  let seen: T | undefined;
  for (let isLast = false; seen === undefined && !isLast && !run.signal.aborted; ) {
    isLast = now() >= wait.until || isCut();
    seen = await look(isLast);
    const until = Math.min(now() + everyMs, wait.until);
    if (seen === undefined && !isLast) await sleepUntil({ run }, { until, wakingMs: everyMs }, isCut);
  }
  run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  run.signal.throwIfAborted();
  return seen;
}
