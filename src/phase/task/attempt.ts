// One attempt: a fresh session works on the task, is corrected in place while that is cheap, until a verdict ends it.
import type { Outcome } from '../../agent/outcome.ts';
import type { Turn } from '../../agent/session-plan.ts';
import type { Snapshot } from '../../git/snapshot.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { readTemplate } from '../../prompt/library.ts';
import { correctionPrompt } from '../../prompt/prompts.ts';
import { overspendNow, tellBudgets, withinBudget } from '../budget/spending.ts';
import type { Context } from '../phase.ts';
import { mayAskReplan } from '../planning/replan-rule.ts';
import { hearAnswers, outcomeWith } from '../review/fix-answers.ts';
import { type AttendedTurn, attendTurn, findHold } from './attend.ts';
import { type Live, takeFirstTurn } from './first-turn.ts';
import { libraryNow } from './guide.ts';
import { type EndedTurn, type Inspection, inspect } from './inspect.ts';
import { judgeRound } from './judge.ts';
import type { Ticked } from './tick-tree.ts';
import type { CorrectionKind, Held, Verdict } from './verdict.ts';
import { isOfPlan, stateOf, type Work } from './work.ts';
import { writeWorkTree } from './work-tree.ts';

/** How a round ended, and what the next attempt should know. */
export type Round = Readonly<{
  verdict: Verdict;
  evidence: string;
  fingerprint: string | undefined;
  tree: string;
  /** Nothing is red but what a fixer said. */
  onlyAnswers?: boolean;
}>;

/** Runs one attempt to its verdict. The session is over when this returns, and a `close` verdict is committed. */
export async function attempt(
  ctx: Context,
  work: Work,
  given: Readonly<{ evidence: string; before: Snapshot }>,
): Promise<Round> {
  let live: Live | undefined;
  try {
    const begun = await takeFirstTurn(ctx, work, given);
    live = begun.live;
    let { ended } = begun;
    for (;;) {
      const round = await endTurn(ctx, work, live, ended);
      if (round.verdict.kind !== 'correct') return round;
      ended = await attendTurn(ctx, live, correct(ctx, work, live, round));
    }
  } finally {
    await live?.session.close();
    tellBudgets(ctx, work.task);
  }
}

/** Judges what a turn left, with the session's processes held still; closes the task if that is the verdict. */
async function endTurn(ctx: Context, work: Work, live: Live, { turn, halt }: AttendedTurn): Promise<Round> {
  await reportStrays(ctx, work, live);
  const { number: session, before } = live;
  const said = work.fix && hearAnswers(ctx, work.fix, { turn, session });
  const outcome = outcomeWith(said, turn.outcome);
  const ended = { outcome, before, session, ...(said ? { said } : {}) };
  const seen = await inspect(ctx, work, ended);
  const summary = summarize(turn);
  const verdict = judgeTurn(ctx, work, { seen, outcome, summary, live, halt, canCorrect: canCorrect(turn) });
  const round = roundOf(seen, verdict);
  if (verdict.kind === 'correct') return round;
  await live.session.close();
  // It could still act while it ended, after it was judged; what follows must not start from that.
  await ctx.hands.putAllBack(ctx, work, {
    before: live.before,
    whose: { task: work.task.id, session: live.number },
  });
  if (verdict.kind !== 'close') return round;
  return closeUnlessMoved(ctx, work, { seen, verdict, ended, summary });
}

/** Closes on the tree that was checked. If the tree moved since, inspects once more; if it moves again, red. */
export async function closeUnlessMoved(
  ctx: Context,
  work: Work,
  found: Readonly<{
    seen: Inspection;
    verdict: Extract<Verdict, { kind: 'close' }>;
    ended: EndedTurn;
    summary: string;
  }>,
): Promise<Round> {
  const { ended, summary } = found;
  const { outcome } = ended;
  let { seen, verdict } = found;
  let ticked = await tickUnlessMoved(ctx, work, seen.tree);
  for (let pass = 1; !ticked; pass += 1) {
    if (pass === 2) return moved(ctx, work, seen);
    seen = await inspect(ctx, work, ended);
    const again = judgeTurn(ctx, work, { seen, outcome, summary, canCorrect: false });
    if (again.kind !== 'close') return roundOf(seen, again);
    verdict = again;
    ticked = await tickUnlessMoved(ctx, work, seen.tree);
  }
  if (findHold(ctx, work.task) === 'skip')
    return roundOf(seen, { kind: 'skip', reason: 'a person skipped it' });
  const rejection = await ctx.hands.closeTask(ctx, work, {
    tree: seen.tree,
    ticked,
    verdict,
    outcome: outcome.kind,
  });
  if (!rejection) return roundOf(seen, verdict);
  const { interrupted, ...why } = rejection;
  const rejected: Verdict = interrupted
    ? { kind: 'stop', why: 'interrupted', reason: why.reason }
    : orFail(ctx, work, why.reason);
  return { ...why, tree: seen.tree, verdict: rejected };
}

/** A tree with its ticks, made while the work tree is written once more; undefined where that is another tree by now. */
async function tickUnlessMoved(ctx: Context, work: Work, tree: string): Promise<Ticked | undefined> {
  const ticking = ctx.hands.tickTree(ctx, work, tree);
  const [ticked, now] = await Promise.all([ticking, writeWorkTree(ctx, work, 'session')]);
  return now.tree === tree ? ticked : undefined;
}

/** The round that an inspection and the verdict on it make. */
export function roundOf({ evidence, fingerprint, tree, onlyAnswers }: Inspection, verdict: Verdict): Round {
  return { verdict, evidence, fingerprint, tree, onlyAnswers };
}

/** Judges an inspection; without a live session nothing can be corrected. */
export function judgeTurn(
  ctx: Context,
  work: Work,
  found: {
    seen: Inspection;
    outcome: Outcome;
    summary: string;
    canCorrect: boolean;
    live?: Live;
    halt?: Held | undefined;
  },
): Verdict {
  const { seen, live } = found;
  const sent = live?.sent ?? [];
  const overspend = overspendNow(ctx, work.task, { newSession: false });
  return judgeRound({
    outcome: seen.cutShort ? { kind: 'interrupted', reason: 'the checks were interrupted' } : found.outcome,
    summary: found.summary,
    asks: /\?\s*$/.test(found.summary),
    canCorrect: found.canCorrect && !ctx.signal.aborted,
    overspend,
    asked: new Set(sent.filter((kind) => kind !== 'red')),
    noFollowUp: live === undefined || !ctx.agentNamed(work.task.agent).can.followUp,
    correctionsLeft: ctx.config.task.corrections - sent.filter((kind) => kind === 'red').length,
    attemptsLeft: ctx.config.task.attempts - stateOf(ctx, work.task).attempts,
    reds: seen.reds,
    checks: seen.checks,
    changed: seen.changed,
    needsNothing: seen.needsNothing,
    quick: seen.checkMs < ctx.config.task.correctUnder,
    refunded: live !== undefined && isRefunded(ctx.state(), live.number),
    mayReplan: isOfPlan(work) && mayAskReplan(ctx, work.truth),
    held: found.halt ?? findHold(ctx, work.task),
  });
}

function correct(ctx: Context, work: Work, live: Live, round: Round): Promise<Turn> {
  if (round.verdict.kind !== 'correct') throw new Error('not a correction');
  const { correction, reason } = round.verdict;
  const state = stateOf(ctx, work.task);
  const evidence = `${wordRepeated(state, round)}${round.evidence}`;
  ctx.emit({
    type: 'round-ended',
    task: work.task.id,
    attempt: state.attemptsEver,
    verdict: 'correct',
    reason,
    counts: false,
    tree: round.tree,
    ...(round.fingerprint === undefined ? {} : { fingerprint: round.fingerprint }),
  });
  ctx.emit({ type: 'correction-sent', task: work.task.id, session: live.number, kind: correction, reason });
  live.sent.push(correction);
  const name = round.onlyAnswers ? 'correction-answers' : templateOf[correction];
  const template = readTemplate(libraryNow(ctx), name);
  const turn = live.session.correct(
    correctionPrompt(template, { task: work.task, evidence, nonce: live.nonce }),
  );
  return withinBudget(ctx, work.task, { session: live.session, turn });
}

/** A correction that changed nothing about the failure is not simply asked for again. */
function wordRepeated({ lastRound, attemptsEver }: TaskState, round: Round): string {
  const { fingerprint, tree } = round;
  const isOfSession = lastRound?.verdict === 'correct' && lastRound.attempt === attemptsEver;
  if (!isOfSession || fingerprint === undefined || lastRound.fingerprint !== fingerprint) return '';
  const still = lastRound.tree === tree ? ', and no file has changed since' : '';
  return `This is the same failure as the last time you were told${still}. Diagnose first: find out why it fails, say so, and only then change code.\n\n`;
}

const templateOf: Readonly<Record<CorrectionKind, string>> = {
  red: 'correction-red',
  'finished?': 'correction-finished',
  'nothing-changed': 'correction-nothing-changed',
};

/** A full context makes a poor correction: a fresh session with the evidence is better. */
function canCorrect(turn: Turn): boolean {
  return turn.canCorrect && (turn.contextShare ?? 0) < 0.5;
}

/** What the session said at its end, without marker lines; the marker's own words when there is nothing else. */
function summarize(turn: Turn): string {
  const prose = turn.text.replaceAll(/^<<<[A-Z]+:[A-Z_]+.*$/gm, '').trim();
  return prose === '' ? (turn.marker?.text ?? '') : prose;
}

async function reportStrays(ctx: Context, work: Work, live: Live): Promise<void> {
  // A program that makes ever more of itself is told once.
  const pids = new Map<string, number[]>();
  for (const { pid, command } of await live.session.hold())
    pids.set(command, [...(pids.get(command) ?? []), pid]);
  for (const [command, all] of pids) {
    const which = all.length === 1 ? `process ${all[0]}` : `${all.length} processes`;
    ctx.emit({
      type: 'act-found',
      task: work.task.id,
      session: live.number,
      act: 'left-process',
      detail: `${command} (${which})`,
      response: 'put-back',
    });
  }
}

function moved(ctx: Context, work: Work, { tree }: Inspection): Round {
  const reason = 'the tree changes by itself after the session’s end';
  return { verdict: orFail(ctx, work, reason), evidence: reason, fingerprint: 'moved', tree };
}

function orFail(ctx: Context, work: Work, reason: string): Verdict {
  const left = ctx.config.task.attempts - stateOf(ctx, work.task).attempts;
  return left <= 1 ? { kind: 'fail', reason } : { kind: 'again', reason, counts: true };
}

function isRefunded({ sessions, interventions }: RunState, session: number): boolean {
  const since = sessions.get(session)?.started.at ?? '';
  return interventions.some(({ kind, at }) => kind === 'budget' && at >= since);
}
