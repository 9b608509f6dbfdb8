// `pawl compare`: runs one plan with several agents or models from one commit, each in a worktree of its own, then has all
// of them reviewed by the same reviewers. Nothing is merged; the same command continues after any end.
import { exitOf, Failure, pickExit } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import type { Comparison } from '../../journal/contender.ts';
import { namePlan } from '../../phase/open/find-unfinished.ts';
import { locatePlan, readPlanFile } from '../../plan/file.ts';
import { hashPlan } from '../../work/plan/plan-snapshot.ts';
import { type CliContext, printNote } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { needPlace } from '../find-run.ts';
import { openPlainRepo } from '../open-place.ts';
import { type Arena, leaveTrees, reviewContender, runContender } from './contend.ts';
import { type Contestant, readContestants } from './contestant.ts';
import { refuseContestants, type SharedOptions } from './preflight.ts';
import { beginComparison, type ComparisonRecord, listComparisons } from './record.ts';
import { measureComparison, readStandings, type Standing } from './standings.ts';

/** What to compare. `stages`: of the shared review; empty: no review. */
export type CompareRequest = Readonly<{
  given: string;
  with: readonly string[];
  jobs: number;
  fresh: boolean;
  stages: readonly string[];
  shared: SharedOptions;
  reviewOne: Arena['reviewOne'];
}>;

/** The result. `exit`: 0 once every contender has a result, whatever it is. */
export type Compared = Readonly<{ comparison: Comparison; exit: number }>;

type PlanNow = Readonly<{ name: string; file: string; text: string; hash: string; head: string }>;

/** Runs what is left to run, reviews what is left to review, and measures all. */
export async function comparePlan(context: CliContext, request: CompareRequest): Promise<Compared> {
  const { commonDir } = needPlace(context);
  const plan = await readPlan(context, request.given);
  const known = findKnown(context, plan, request);
  const contestants = readContestants(known ? known.contenders.map((each) => each.with) : request.with);
  if (!known && contestants.length < 2) throw tooFew();
  const before = known ? readStandings(commonDir, known) : [];
  const left = contestants.filter((_, at) => !before[at]?.hasRun);
  const isReviewed = request.stages.length > 0;
  const isOver = known !== undefined && left.length === 0 && !(isReviewed && before.some(needsReview));
  const trustHash = isOver
    ? undefined
    : await refuseContestants(context, plan.file, { ...request, contestants: left });
  const record = known ?? begin(context, plan, contestants);
  const arena: Arena = { ...request, context, record, trustHash, troubles: new Map() };
  if (!isOver)
    printNote(
      context,
      `Comparison ${record.id} ${known ? 'continues' : 'starts'}: ${contestants.length} contenders from commit ${record.base.slice(0, 10)}.`,
    );
  await inTurn(request.jobs, left, (each) => runContender(arena, each));
  for (const standing of readStandings(commonDir, record))
    if (isReviewed && needsReview(standing)) await reviewContender(arena, standing);
  await leaveTrees(arena, readStandings(commonDir, record));
  const { troubles } = arena;
  const comparison = measureComparison(record, readStandings(commonDir, record), { troubles, isReviewed });
  const exits = [...troubles.values()].flatMap(({ exit }) => exit ?? []);
  return { comparison, exit: context.signal.aborted ? exitOf(context.signal) : pickExit(exits) };
}

/** A run that has a result and whose changes nobody has reviewed. */
function needsReview({ hasRun, hasReview }: Standing): boolean {
  return hasRun && !hasReview;
}

async function readPlan(context: CliContext, given: string): Promise<PlanNow> {
  const place = needPlace(context);
  const file = realOf(locatePlan(given, context.cwd).file);
  const { text } = readPlanFile(file);
  const head = await readHeadCommit(await openPlainRepo(context, place));
  return { name: namePlan(place.root, file), file, text, hash: hashPlan(text), head };
}

/**
 * The comparison that the command continues or shows: the plan's newest with the same contenders, unless it is over and
 * plan or commit have changed.
 */
function findKnown(
  context: CliContext,
  plan: PlanNow,
  { fresh, with: words, stages }: CompareRequest,
): ComparisonRecord | undefined {
  if (fresh) return undefined;
  const { commonDir } = needPlace(context);
  const asked = readContestants(words).map((each) => each.with);
  const ofPlan = listComparisons(context.folders.state, commonDir).filter((each) => each.plan === plan.name);
  const known = ofPlan.find(
    ({ contenders }) =>
      asked.length === 0 || contenders.map((each) => each.with).join('\n') === asked.join('\n'),
  );
  if (!known || asked.length === 0) return known;
  const isSame = known.hash === plan.hash && known.base === plan.head;
  const isOpen = readStandings(commonDir, known).some(
    (each) => !each.hasRun || (stages.length > 0 && needsReview(each)),
  );
  if (isOpen && !isSame)
    printNote(
      context,
      `The plan or the commit has changed since ${known.id} began; it continues with the old ones. --fresh starts a new comparison.`,
    );
  return isSame || isOpen ? known : undefined;
}

function begin(context: CliContext, plan: PlanNow, contestants: readonly Contestant[]): ComparisonRecord {
  const { commonDir } = needPlace(context);
  const { name, head: base, ...rest } = plan;
  return beginComparison(
    { state: context.folders.state, commonDir },
    { ...rest, plan: name, base, contestants },
  );
}

/** At most `jobs` at the same time. */
async function inTurn<T>(jobs: number, all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, worker));
}

function tooFew(): Failure {
  return new Failure('usage', 'a comparison needs at least two contenders', {
    hint: "Name each one: pawl compare plan.md --with 'claude:opus' --with 'codex'",
  });
}
