// Judges what a turn left, in a lane after a merge with what landed, and closes the task on exactly that tree.
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow } from '../budget/spending.ts';
import { closeTask, type Ticked, tickTree } from '../close/close.ts';
import { restoreAll } from '../guard/guard.ts';
import { judgeRound, retry } from '../judge/judge.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { WorkPlace } from '../landing.ts';
import { mayReplan } from '../plan/plan-snapshot.ts';
import { findHold } from '../session/await-turn.ts';
import { findUnusable } from '../session/choose-agent.ts';
import { interrupted } from '../stopped.ts';
import { writeWorkTree } from '../tree/work-tree.ts';
import { isOfPlan, stateOf, type Work } from '../work.ts';
import {
  type EndedTurn,
  type Inspection,
  inspect,
  isWorthChecking,
  type Round,
  unjudged,
  whoseOf,
} from './inspect.ts';

/** `turn`: as judged; its work may have been merged. */
export type JudgedTurn = Readonly<{ turn: EndedTurn; round: Round }>;

/** Unless it is to be corrected, its session is over then. A lane's judges what landed, too, one at a time. */
export async function judgeTurn(place: WorkPlace, first: EndedTurn): Promise<JudgedTurn> {
  const isFinished = isWorthChecking(first.work, first.outcome);
  const leave = isFinished ? await place.landing?.enter() : undefined;
  // Only at the gate is a lane's work judged: the next start does it.
  if (isFinished && place.landing && !leave) {
    await endSession(place, first);
    return { turn: first, round: unjudged(place, first.work, interrupted) };
  }
  try {
    for (let turn = first; ; ) {
      const merged = leave ? await catchUp(place, turn) : turn;
      const reason = 'the plan no longer says what the session was told about the task';
      const again = { kind: 'again', reason, counts: false } as const;
      if (!merged) return { turn, round: unjudged(place, turn.work, again) };
      turn = merged;
      const round = await judgeTree(place, turn);
      if (round === 'overtaken') continue;
      if (turn.caught) place.landing?.judged(turn.caught, round.verdict);
      return { turn, round };
    }
  } finally {
    leave?.();
  }
}

/** Restores git first: an agent's own commits are no base for a merge. */
async function catchUp(place: WorkPlace, turn: EndedTurn): Promise<EndedTurn | undefined> {
  const { work, reds = [] } = turn;
  const more = await restoreAll(place, work, { before: turn.before, whose: whoseOf(turn) });
  const caught = await place.landing?.catchUp(work, await writeWorkTree(place, work, 'session'));
  if (!caught) return undefined;
  const { before = turn.before } = caught;
  return { ...turn, work: caught.work, before, caught, reds: [...reds, ...more] };
}

/** Only the tree that was judged is closed: if it moves meanwhile it is judged once more, and then the round is red. */
async function judgeTree(place: WorkPlace, first: EndedTurn): Promise<Round | 'overtaken'> {
  const { work } = first;
  for (let [turn, pass] = [first, 1]; ; pass += 1) {
    const seen = await inspect(place, turn);
    const verdict = judge(place, turn, seen);
    if (verdict.kind === 'correct') return { ...seen, verdict };
    const late = pass === 1 ? await endSession(place, turn) : [];
    if (verdict.kind !== 'close') return { ...seen, verdict };
    const ready = await tickUnlessMoved(place, work, seen.written);
    if (ready && findHold(place, work.task) === 'skip')
      return { ...seen, verdict: { kind: 'skip', reason: 'a person skipped it' } };
    if (ready) return close(place, turn, { seen, verdict, ready });
    if (pass === 2) {
      const reason = 'the tree changes by itself after the session’s end';
      const again = retry({ attemptsLeft: attemptsLeft(place, work) }, reason);
      return { verdict: again, evidence: reason, fingerprint: 'moved', tree: seen.tree };
    }
    turn = { ...turn, reds: [...(turn.reds ?? []), ...late] };
  }
}

/** It could still act after the judgement: that is undone too. Returns what is red by it. */
async function endSession(place: WorkPlace, turn: EndedTurn): Promise<readonly string[]> {
  const { live, work, before } = turn;
  if (!live) return [];
  live.isOpen = false;
  await live.session.close();
  return restoreAll(place, work, { before, whose: whoseOf(turn) });
}

function judge(place: Place, turn: EndedTurn, seen: Inspection): Verdict {
  const { work, live } = turn;
  const { run } = place;
  const { number = 0, agent } = live?.session.plan ?? {};
  const { started } = run.state().sessions.get(number) ?? {};
  const sent = live?.sent ?? [];
  const request = { why: 'request', task: work.task.id } as const;
  return judgeRound({
    ...seen,
    outcome: seen.cutShort ? { kind: 'interrupted', reason: 'the checks were interrupted' } : turn.outcome,
    summary: turn.summary,
    asks: turn.asks,
    canCorrect: live?.isOpen === true && !run.signal.aborted,
    overspend: overspendNow(place, work.task, { newSession: false }),
    asked: new Set(sent.filter((kind) => kind !== 'red')),
    noFollowUp: !agent?.can.followUp,
    correctionsLeft: run.config.task.corrections - sent.filter((kind) => kind === 'red').length,
    attemptsLeft: attemptsLeft(place, work),
    refunded: findRefund(place, started?.at),
    mayReplan: isOfPlan(work) && mayReplan(run, work.plan, { ...request, tree: seen.tree }),
    held: turn.halt ?? findHold(place, work.task),
    unusable: findUnusable(place, number),
  });
}

function findRefund({ lane, run }: Place, since: string | undefined): 'raised' | 'part' | undefined {
  if (since === undefined) return undefined;
  if (run.state().interventions.some(({ kind, at }) => kind === 'budget' && at >= since)) return 'raised';
  return lane === undefined ? undefined : 'part';
}

type Ready = Readonly<{ written: WrittenTree; ticked: Ticked }>;

/** Ticks the judged tree while the work tree is written again; undefined if that has changed. */
async function tickUnlessMoved(place: WorkPlace, work: Work, last: WrittenTree): Promise<Ready | undefined> {
  const [ticked, written] = await Promise.all([
    tickTree(place, work, last.tree),
    writeWorkTree(place, work, 'session', { last }),
  ]);
  return written.tree === last.tree ? { written, ticked } : undefined;
}

/** Commits what was judged; what prevents that is the next attempt's evidence. */
async function close(
  place: WorkPlace,
  turn: EndedTurn,
  given: Readonly<{ seen: Inspection; verdict: Extract<Verdict, { kind: 'close' }>; ready: Ready }>,
): Promise<Round | 'overtaken'> {
  const { seen, verdict, ready } = given;
  const { work, outcome } = turn;
  const isJudged = seen.proof !== undefined;
  const rejection = await closeTask(place, work, { ...ready, verdict, isJudged, outcome: outcome.kind });
  if (rejection === 'overtaken') return rejection;
  if (rejection === 'interrupted') return unjudged(place, work, interrupted);
  if (rejection) {
    const again = retry({ attemptsLeft: attemptsLeft(place, work) }, rejection.reason);
    return { ...rejection, tree: seen.tree, verdict: again };
  }
  const { word, reasons = [], experiments } = seen.proof ?? {};
  if (word && experiments)
    place.run.emit({ type: 'proof-judged', task: work.task.id, word, reasons: [...reasons], experiments });
  return { ...seen, verdict };
}

function attemptsLeft(place: Place, { task }: Work): number {
  return place.run.config.task.attempts - stateOf(place, task).counted.length;
}
