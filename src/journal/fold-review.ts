// Folds the review.
import { defined } from '../defined.ts';
import type { Finding, FindingProof } from '../event/finding.ts';
import { isConfirmed, worse } from '../event/severity.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { foldBy } from './changes.ts';

/** As last raised, with the worst severity given; merged across reviewers and rounds. */
export type FindingState = FactOf<'opinion-given'>['findings'][number] &
  Readonly<{
    /** In order; a reviewer may recur in several rounds. */
    raised: readonly Readonly<{ stage: string; round: number; reviewer: string }>[];
    /** `refuted`: its proof was green. `disputed`: rejected with a reason, then raised again or confirmed. */
    standing: 'open' | 'fixed' | 'refuted' | 'rejected' | 'disputed';
    /** Other reviewers' proofs of the same, and earlier ones, as long as it is unsettled. */
    otherProofs?: readonly FindingProof[];
    reason?: string;
    /** Absent: no proof, or it was not run. */
    tried?: FactOf<'finding-tried'>;
    /** Why it is doubtful that the fix is one. */
    doubts?: readonly string[];
  }>;

export type ReviewRound = Readonly<{
  round: number;
  head: string;
  layer?: string;
  /** Ids raised by each who answered. */
  opinions: ReadonlyMap<string, readonly string[]>;
  /** Why reviewers did not answer; two reasons for one that was asked twice. */
  missing: ReadonlyMap<string, readonly string[]>;
  answers: readonly FactOf<'findings-answered'>['answers'][number][];
  answeredBy?: number;
  fix?: FactOf<'work-ended'>;
  ended?: FactOf<'review-round-ended'>;
}>;

export type StageState = Readonly<{
  started: Stamped<FactOf<'stage-started'>>;
  rounds: readonly ReviewRound[];
  ended?: FactOf<'stage-ended'>;
}>;

export type ReviewState = Readonly<{
  stages: ReadonlyMap<string, StageState>;
  findings: ReadonlyMap<string, FindingState>;
}>;

export const noReview: ReviewState = { stages: new Map(), findings: new Map() };

export function foldIntoReview(review: ReviewState, fact: Stamped<Fact>): ReviewState {
  return { ...review, ...(foldRow(review, fact) as Partial<ReviewState>) };
}

const foldRow = foldBy<ReviewState>({
  'stage-started': ({ stages }, fact) => ({ stages: put(stages, fact.stage, { started: fact, rounds: [] }) }),
  'stage-ended': (review, fact) => changeStage(review, fact, () => ({ ended: fact })),
  'review-round-started': (review, fact) =>
    changeStage(review, fact, ({ rounds }) => ({ rounds: [...rounds, begin(fact)] })),
  'review-round-ended': (review, fact) => changeRound(review, fact, () => ({ ended: fact })),
  'opinion-given': foldOpinion,
  'opinion-missing': (review, fact) => changeRound(review, fact, (round) => withMissing(round, fact)),
  'finding-tried': foldTrial,
  'findings-answered': foldAnswers,
  'work-ended': (review, fact) => (fact.fix ? foldFixEnd(review, fact, fact.fix) : {}),
  'commits-moved': (review, { moved }) => moved.reduce(withFixAt, review),
});

export function findRound({ stages }: ReviewState, stage: string, number: number): ReviewRound | undefined {
  return stages.get(stage)?.rounds.find(({ round }) => round === number);
}

export function findingsOf({ findings }: ReviewState, stage: string): readonly FindingState[] {
  return [...findings.values()].filter(({ raised }) => raised.some((one) => one.stage === stage));
}

type Moved = FactOf<'commits-moved'>['moved'][number];

function withFixAt(review: ReviewState, { task, to: oid }: Moved): ReviewState {
  const rounds = [...review.stages].flatMap(([stage, { rounds }]) =>
    rounds.map((one) => ({ ...one, stage })),
  );
  const at = rounds.find(({ fix }) => fix?.task === task);
  const fix = at?.fix;
  return fix ? changeRound(review, at, () => ({ fix: { ...fix, oid } })) : review;
}

export function isUnsettled({ standing }: Pick<FindingState, 'standing'>): boolean {
  return standing === 'open' || standing === 'disputed';
}

/** What a stage left open, a later one may have settled. */
export function endNow(
  { findings }: Pick<ReviewState, 'findings'>,
  { ended }: Pick<StageState, 'ended'>,
): Pick<FactOf<'stage-ended'>, 'end' | 'reason'> | undefined {
  const isOpen = (id: string) => isUnsettled(findings.get(id) ?? { standing: 'open' });
  if (ended?.end !== 'open' || ended.open.length === 0 || ended.open.some(isOpen)) return ended;
  return { end: 'settled', reason: `a later stage settled ${ended.open.join(', ')}` };
}

/**
 * For a review that begins anew: rejected findings stay so, and are disputed if raised again; the rest is raised again
 * if still true.
 */
export function withoutStages({ findings }: ReviewState): ReviewState {
  const rejected = [...findings.values()]
    .filter(({ standing }) => standing === 'rejected' || standing === 'disputed')
    .map((finding): FindingState => ({ ...finding, standing: 'rejected' }));
  return { stages: new Map(), findings: new Map(rejected.map((finding) => [finding.id, finding])) };
}

function begin({ round, head, layer }: FactOf<'review-round-started'>): ReviewRound {
  const none = { opinions: new Map(), missing: new Map() };
  return { round, head, ...defined({ layer }), ...none, answers: [] };
}

function withMissing({ missing }: ReviewRound, { reviewer, reason }: FactOf<'opinion-missing'>) {
  return { missing: put(missing, reviewer, [...(missing.get(reviewer) ?? []), reason]) };
}

function foldOpinion(review: ReviewState, fact: FactOf<'opinion-given'>): ReviewState {
  const { stage, round, reviewer } = fact;
  const findings = new Map(review.findings);
  for (const finding of fact.findings) {
    const known = findings.get(finding.id);
    const { severity } = known ?? finding;
    const [proof = finding.proof, ...otherProofs] = listProofs(known, finding);
    findings.set(finding.id, {
      ...known,
      ...finding,
      severity: worse(severity, finding.severity),
      ...{ proof, otherProofs },
      raised: [...(known?.raised ?? []), { stage, round, reviewer }],
      standing: known ? raisedAgain[known.standing] : 'open',
    });
  }
  const ids = [...new Set(fact.findings.map(({ id }) => id))];
  return changeRound({ ...review, findings }, fact, ({ opinions }) => {
    return { opinions: put(opinions, reviewer, ids) };
  });
}

/** The newest first: a careless one, which is green, says nothing against another's that is red. */
function listProofs(known: FindingState | undefined, { proof }: Finding): readonly FindingProof[] {
  const proofs = [proof, known?.proof ?? [], known?.otherProofs ?? []].flat();
  const runnable = proofs.filter(({ command }) => command.trim() !== '');
  const distinct = [...new Map(runnable.map((one) => [JSON.stringify(one), one])).values()];
  return known && !isUnsettled(known) ? distinct.slice(0, 1) : distinct;
}

/** Fixed and seen again: not fixed. Rejected and seen again: a person decides. */
const raisedAgain = {
  open: 'open',
  fixed: 'open',
  refuted: 'open',
  rejected: 'disputed',
  disputed: 'disputed',
} as const;

/** Red beats a rejection that knew no proof; green after red means fixed. */
function foldTrial(review: ReviewState, fact: FactOf<'finding-tried'>): ReviewState {
  const known = review.findings.get(fact.finding);
  if (!known) return review;
  const wasConfirmed = isConfirmed(known);
  const standing = {
    confirmed: wasConfirmed && known.standing === 'disputed' ? 'disputed' : 'open',
    refuted: wasConfirmed ? 'fixed' : 'refuted',
    unproven: known.standing,
  } as const;
  const isRaisedNow = known.raised.some(({ stage, round }) => stage === fact.stage && round === fact.round);
  // A fixed finding stays a confirmed one, and so does one whose proof no longer runs, unless raised anew.
  const stays = fact.result === 'refuted' || (fact.result === 'unproven' && !isRaisedNow);
  const tried = wasConfirmed && stays ? known.tried : fact;
  const decided = fact.result === 'confirmed' && { proof: fact.proof ?? known.proof, otherProofs: [] };
  const next = { ...known, standing: standing[fact.result], ...defined({ tried }), ...decided };
  return { ...review, findings: put(review.findings, known.id, next) };
}

function foldAnswers(review: ReviewState, fact: FactOf<'findings-answered'>): ReviewState {
  const findings = new Map(review.findings);
  for (const { finding: id, reason } of fact.answers) {
    const known = findings.get(id);
    if (known) findings.set(id, { ...known, reason });
  }
  const { answers, session: answeredBy } = fact;
  return changeRound({ ...review, findings }, fact, () => ({ answers, answeredBy }));
}

/** Answers count once the fixer has ended: nothing is fixed if no file changed. */
function foldFixEnd(review: ReviewState, fact: FactOf<'work-ended'>, at: RoundPlace): ReviewState {
  const round = findRound(review, at.stage, at.round);
  const findings = new Map(review.findings);
  for (const { finding: id, answer } of fact.result === 'failed' ? [] : (round?.answers ?? [])) {
    const known = findings.get(id);
    if (known?.standing !== 'open' || (answer === 'fixed' && fact.result !== 'committed')) continue;
    const doubts = (fact.doubts ?? []).filter(({ finding }) => finding === id).map(({ text }) => text);
    const standing = judgeAnswer(answer, isConfirmed(known), doubts.length > 0);
    findings.set(id, { ...known, standing, ...(doubts.length > 0 ? { doubts } : {}) });
  }
  return changeRound({ ...review, findings }, at, () => ({ fix: fact }));
}

export type RoundPlace = Readonly<{ stage: string; round: number }>;

/** A green proof beats any doubt, a red one a rejection. */
function judgeAnswer(
  answer: 'fixed' | 'rejected',
  isProven: boolean,
  isDoubted: boolean,
): FindingState['standing'] {
  if (answer === 'rejected') return isProven ? 'disputed' : 'rejected';
  return isProven || !isDoubted ? 'fixed' : 'open';
}

type Change<Part> = (part: Part) => Partial<Part>;

function changeRound(review: ReviewState, at: RoundPlace, change: Change<ReviewRound>): ReviewState {
  return changeStage(review, at, ({ rounds }) => ({
    rounds: rounds.map((round) => (round.round === at.round ? { ...round, ...change(round) } : round)),
  }));
}

type StagePlace = Pick<RoundPlace, 'stage'>;

function changeStage(review: ReviewState, at: StagePlace, change: Change<StageState>): ReviewState {
  const stage = review.stages.get(at.stage);
  return stage ? { ...review, stages: put(review.stages, at.stage, { ...stage, ...change(stage) }) } : review;
}

function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}
