// Judges what a turn left, in a lane after a merge with what landed, and closes the task on exactly that tree.
import { defined } from '../../defined.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow } from '../budget/spending.ts';
import { type Close, closeTask, tickTree } from '../close/close.ts';
import { restoreAll } from '../guard/guard.ts';
import { judgeRound } from '../judge/judge.ts';
import type { CorrectionKind, Verdict } from '../judge/verdict.ts';
import type { WorkPlace } from '../landing.ts';
import { mayAskReplan } from '../plan/plan-snapshot.ts';
import { findHold } from '../session/await-turn.ts';
import { findUnusable } from '../session/choose-agent.ts';
import { writeWorkTree } from '../tree/work-tree.ts';
import { isOfPlan, stateOf, type Work } from '../work.ts';
import { type EndedTurn, type Inspection, inspect, isWorthChecking, type Round } from './inspect.ts';

/** A session that may be corrected. */
export type Correctable = Readonly<{
  sent: readonly CorrectionKind[];
  isOpen: () => boolean;
  /** It could still act after the judgement: that is undone too; returns what is red by it. */
  end: (at: Judgeable) => Promise<readonly string[]>;
}>;

/** Without a session nothing can be corrected. Unless corrected, it is over then; the work may be merged. */
export function judgeTurn(place: WorkPlace, at: Judgeable, session?: Correctable): Promise<JudgedWork> {
  return atGate(place, at, async ({ work, ended }) => {
    const seen = await inspect(place, work, ended);
    const verdict = judge(place, work, { seen, ended, session });
    if (verdict.kind === 'correct') return roundOf(seen, verdict);
    const late = (await session?.end({ work, ended })) ?? [];
    if (verdict.kind !== 'close') return roundOf(seen, verdict);
    return closeUnlessMoved(place, work, { seen, verdict, ended, late });
  });
}

type RoundFacts = Readonly<{ seen: Inspection; ended: EndedTurn; session?: Correctable | undefined }>;

function judge(place: Place, work: Work, { seen, ended, session }: RoundFacts): Verdict {
  const sent = session?.sent ?? [];
  const { corrections } = place.run.config.task;
  return judgeRound({
    ...seen,
    outcome: seen.cutShort ? { kind: 'interrupted', reason: 'the checks were interrupted' } : ended.outcome,
    summary: ended.summary,
    asks: ended.asks,
    canCorrect: session?.isOpen() === true && !place.run.signal.aborted,
    overspend: overspendNow(place, work.task, { newSession: false }),
    asked: new Set(sent.filter((kind) => kind !== 'red')),
    noFollowUp: !session || !takesCorrections(place, ended.session),
    correctionsLeft: corrections - sent.filter((kind) => kind === 'red').length,
    attemptsLeft: attemptsLeft(place, work),
    refunded: findRefund(place, ended.session),
    mayReplan: isOfPlan(work) && mayAskReplan(place, work.planSnapshot),
    held: ended.halt ?? findHold(place, work.task),
    unusable: findUnusable(place, ended.session),
  });
}

function takesCorrections({ run }: Place, session = 0): boolean {
  return run.agentNamed(run.state().sessions.get(session)?.started.agent).can.followUp;
}

function findRefund({ lane, run }: Place, session: number | undefined): 'raised' | 'part' | undefined {
  if (session === undefined) return undefined;
  const { sessions, interventions } = run.state();
  const since = sessions.get(session)?.started.at ?? '';
  if (interventions.some(({ kind, at }) => kind === 'budget' && at >= since)) return 'raised';
  return lane === undefined ? undefined : 'part';
}

function roundOf({ evidence, fingerprint, written, about }: Inspection, verdict: Verdict): Round {
  return { verdict, evidence, fingerprint, tree: written.tree, about };
}

type Closable = Readonly<{
  seen: Inspection;
  verdict: Extract<Verdict, { kind: 'close' }>;
  ended: EndedTurn;
  /** Turned red after the judgement, and restored: only the judged tree can close. */
  late: readonly string[];
}>;

/** If the tree has moved, inspects once more; if it moves again, the round is red. */
async function closeUnlessMoved(place: WorkPlace, work: Work, found: Closable): Promise<Round> {
  const { ended, late } = found;
  let { seen, verdict } = found;
  let ready = await tickUnlessMoved(place, work, seen.written);
  for (let pass = 1; !ready; pass += 1) {
    if (late.length > 0) return tooLate(place, work, seen, late);
    if (pass === 2) return moved(place, work, seen);
    seen = await inspect(place, work, ended);
    const again = judge(place, work, { seen, ended });
    if (again.kind !== 'close') return roundOf(seen, again);
    verdict = again;
    ready = await tickUnlessMoved(place, work, seen.written);
  }
  if (findHold(place, work.task) === 'skip')
    return roundOf(seen, { kind: 'skip', reason: 'a person skipped it' });
  return closeNow(place, work, {
    seen,
    close: { ...ready, verdict, isJudged: seen.proof !== undefined, outcome: ended.outcome.kind },
  });
}

/** Commits what was judged; what prevents that is the next attempt's evidence. */
async function closeNow(
  place: WorkPlace,
  work: Work,
  { seen, close }: Readonly<{ seen: Inspection; close: Close }>,
): Promise<Round> {
  const rejection = await closeTask(place, work, close);
  if (!rejection) {
    const { word, reasons = [], experiments } = seen.proof ?? {};
    if (word && experiments)
      place.run.emit({ type: 'proof-judged', task: work.task.id, word, reasons: [...reasons], experiments });
    return roundOf(seen, close.verdict);
  }
  const { interrupted, isOvertaken, ...why } = rejection;
  if (isOvertaken) return { ...roundOf(seen, close.verdict), isOvertaken };
  const verdict: Verdict = interrupted
    ? { kind: 'stop', why: 'interrupted', reason: why.reason }
    : orFail(place, work, why.reason);
  return { ...why, tree: seen.written.tree, verdict };
}

/** Ticks the judged tree while the work tree is written again; undefined if that has changed. */
async function tickUnlessMoved(
  place: WorkPlace,
  work: Work,
  last: WrittenTree,
): Promise<Pick<Close, 'tree' | 'ticked' | 'parent'> | undefined> {
  const [ticked, now] = await Promise.all([
    tickTree(place, work, last.tree),
    writeWorkTree(place, work, 'session', { last }),
  ]);
  if (now.tree !== last.tree) return undefined;
  return { tree: now.tree, ticked, parent: now.look.head.commit ?? '' };
}

function tooLate(place: Place, work: Work, seen: Inspection, reds: readonly string[]): Round {
  const evidence = [...reds.map((red) => `- ${red}`), seen.evidence].filter((part) => part !== '').join('\n');
  return { ...roundOf(seen, orFail(place, work, reds.join('; '))), evidence };
}

function moved(place: Place, work: Work, { written: { tree } }: Inspection): Round {
  const reason = 'the tree changes by itself after the session’s end';
  return { verdict: orFail(place, work, reason), evidence: reason, fingerprint: 'moved', tree };
}

function attemptsLeft(place: Place, { task }: Work): number {
  return place.run.config.task.attempts - stateOf(place, task).counted.length;
}

function orFail(place: Place, work: Work, reason: string): Verdict {
  return attemptsLeft(place, work) <= 1 ? { kind: 'fail', reason } : { kind: 'again', reason, counts: true };
}

type Judgeable = Readonly<{ work: Work; ended: EndedTurn }>;

export type JudgedWork = Judgeable & Readonly<{ round: Round }>;

type Judge = (at: Judgeable) => Promise<Round>;

async function atGate(place: WorkPlace, at: Judgeable, judge: Judge): Promise<JudgedWork> {
  const isFinished = isWorthChecking(at.work, at.ended.outcome);
  const leave = isFinished ? await place.landing?.enter(at.work.task.id) : undefined;
  if (!leave) return { ...at, round: await judge(at) };
  try {
    return await judgeMerged(place, at, judge);
  } finally {
    leave();
  }
}

async function judgeMerged(place: WorkPlace, first: Judgeable, judge: Judge): Promise<JudgedWork> {
  for (let at = first; ; ) {
    const caught = await catchUp(place, at);
    if (!caught) return { ...at, round: dropped(place, at.work) };
    at = caught;
    const round = await judge(caught);
    if (round.isOvertaken) continue;
    const { work, isMerged, ended } = caught;
    place.landing?.judged({ work, isMerged, unmerged: ended.unmerged ?? [], verdict: round.verdict });
    return { ...at, round };
  }
}

/** Restores git first: an agent's own commits are no base for a merge. */
async function catchUp(
  place: WorkPlace,
  { work, ended }: Judgeable,
): Promise<(Judgeable & Readonly<{ isMerged: boolean }>) | undefined> {
  const whose = { task: work.task.id, ...defined({ session: ended.session }) };
  const reds = await restoreAll(place, work, { before: ended.before, whose });
  const tree = await writeWorkTree(place, work, 'session');
  const caught = await place.landing?.catchUp(work, tree);
  if (!caught) return undefined;
  const { before = ended.before, unmerged, unproved, told } = caught;
  return {
    work: caught.work,
    isMerged: caught.before !== undefined,
    ended: { ...ended, before, unmerged, unproved, told, reds: [...(ended.reds ?? []), ...reds] },
  };
}

function dropped(place: WorkPlace, work: Work): Round {
  const reason = 'the plan no longer says what the session was told about the task';
  const { tree = work.start.tree } = stateOf(place, work.task);
  return { verdict: { kind: 'again', reason, counts: false }, evidence: '', fingerprint: undefined, tree };
}
