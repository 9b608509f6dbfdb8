// One attempt: a fresh session, corrected in place while that is cheap, until a verdict.

import type { Turn } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readTemplate } from '../../prompt/library.ts';
import { correctionPrompt } from '../../prompt/prompts.ts';
import { emitBudgets, overspendNow, withinBudget } from '../budget/spending.ts';
import { proseOf, summaryOf } from '../close/summary.ts';
import { tickTree } from '../close/tick-tree.ts';
import { restoreAll } from '../guard/guard.ts';
import { takeMadeFiles } from '../guard/ignored-files.ts';
import type { CorrectionKind } from '../judge/verdict.ts';
import { collectAnswers, outcomeWith } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { type AwaitedTurn, awaitTurn, findHold, type LiveTurn } from '../session/await-turn.ts';
import { libraryNow } from '../session/repository-guide.ts';
import { type Started, startSession } from '../session/start-session.ts';
import { stateOf, type Work } from '../work.ts';
import { atGate, type Judgeable } from './at-gate.ts';
import { inspect } from './inspect.ts';
import { closeUnlessMoved, judgeTurn, type Round, roundOf } from './round.ts';

type Live = Started &
  Required<LiveTurn> &
  Readonly<{
    before: Snapshot;
    sent: CorrectionKind[];
    /** Per turn, without marker lines. */
    said: string[];
  }>;

/**
 * On return the session is over, and the work committed on `close`. A fresh session follows a conversation
 * that cannot be continued.
 */
export async function attempt(
  place: WorkPlace,
  work: Work,
  given: Readonly<{ evidence: string; before: Snapshot }>,
): Promise<Round> {
  let live: Live | undefined;
  try {
    for (let fresh = false; ; fresh = true) {
      const started = startSession(place, work, { ...given, fresh });
      live = { ...started, task: work.task, before: given.before, sent: [], said: [] };
      const { session } = live;
      const turn = withinBudget(place, work.task, { session, turn: session.firstTurn() });
      const ended = await awaitTurn(place, live, turn);
      const isRefused = live.continues && !ended.halt && isLost(ended.turn);
      if (!isRefused || !mayBeginAnew(place, work)) return await workOn(place, work, live, ended);
      await session.close();
    }
  } finally {
    await live?.session.close();
    emitBudgets(place, work.task);
  }
}

async function workOn(place: WorkPlace, work: Work, live: Live, first: AwaitedTurn): Promise<Round> {
  for (let [now, session, ended] = [work, live, first]; ; ) {
    const judged = await endTurn(place, now, session, ended);
    // A lane may have moved both to another commit.
    now = judged.work;
    session = { ...session, before: judged.ended.before };
    const { verdict } = judged.round;
    if (verdict.kind !== 'correct') return judged.round;
    ended = await awaitTurn(place, session, correct(place, now, session, { ...judged.round, verdict }));
  }
}

/** The agent has lost the conversation: the model never said a word. */
function isLost({ spoke, outcome }: Turn): boolean {
  return !spoke && (outcome.kind === 'crashed' || outcome.kind === 'unfinished');
}

function mayBeginAnew(place: Place, { task }: Work): boolean {
  if (place.run.signal.aborted || findHold(place, task) !== undefined) return false;
  return overspendNow(place, task, { newSession: true }) === undefined;
}

async function endTurn(
  place: WorkPlace,
  work: Work,
  live: Live,
  { turn, halt }: AwaitedTurn,
): Promise<Judgeable & Readonly<{ round: Round }>> {
  await reportStrays(place, work, live);
  const { number: session, before } = live;
  takeMadeFiles(place, work, { session, written: turn.written });
  const said = work.kind === 'fix' ? collectAnswers(place, work.fix, { turn, session }) : undefined;
  const outcome = outcomeWith(said, turn.outcome);
  const ended = { outcome, before, session, written: turn.written, ...defined({ said }) };
  const words = proseOf(turn.text);
  live.said.push(words);
  let isOpen = canCorrect(turn);
  const letGo = async () => {
    isOpen = false;
    await live.session.close();
  };
  const judge = async (at: Judgeable) => {
    const round = await judgeEnded(
      place,
      { ...live, before: at.ended.before },
      { ...at, turn, words, halt, isOpen },
    );
    isOpen &&= round.verdict.kind === 'correct';
    return round;
  };
  return atGate(place, { work, ended }, judge, letGo);
}

/** `isOpen`: its session can be corrected. */
type TurnWork = Judgeable &
  Readonly<{ turn: Turn; words: string; halt: AwaitedTurn['halt']; isOpen: boolean }>;

async function judgeEnded(place: WorkPlace, live: Live, left: TurnWork): Promise<Round> {
  const { work, ended, turn, words, halt, isOpen } = left;
  const seen = await inspect(place, work, ended);
  const { outcome } = ended;
  // A fixer's prose is answers as data.
  const summary = summaryOf(turn.outcome, work.kind === 'fix' ? [] : live.said);
  const found = { seen, outcome, summary, words, live, halt, canCorrect: isOpen };
  const verdict = judgeTurn(place, work, found);
  const round = roundOf(seen, verdict);
  if (verdict.kind === 'correct') return round;
  // While the session ends, so only on what was judged.
  const ticking = verdict.kind === 'close' ? tickTree(place, work, seen.written.tree) : undefined;
  // Awaited below, unless ending the session fails first.
  ticking?.catch(() => {});
  const late = await closeSession(place, work, live);
  if (verdict.kind !== 'close') return round;
  return closeUnlessMoved(place, work, { seen, verdict, ended, summary, ticking, late });
}

/** It could still act after the judgement: that is undone too; returns what is red by it. */
async function closeSession(place: WorkPlace, work: Work, live: Live): Promise<readonly string[]> {
  await live.session.close();
  const whose = { task: work.task.id, session: live.number };
  return restoreAll(place, work, { before: live.before, whose });
}

type Corrected = Round & Readonly<{ verdict: Extract<Round['verdict'], { kind: 'correct' }> }>;

function correct(place: Place, work: Work, live: Live, round: Corrected): Promise<Turn> {
  const { correction, reason } = round.verdict;
  const state = stateOf(place, work.task);
  const evidence = `${formatRepeated(state, round)}${round.evidence}`;
  place.run.emit({
    type: 'round-ended',
    task: work.task.id,
    attempt: state.attemptsEver,
    verdict: 'correct',
    reason,
    counts: false,
    tree: round.tree,
    ...defined({ fingerprint: round.fingerprint }),
  });
  place.run.emit({
    type: 'correction-sent',
    task: work.task.id,
    session: live.number,
    kind: round.isUnmerged ? 'conflict' : correction,
    reason,
  });
  live.sent.push(correction);
  const name = round.onlyAnswers
    ? 'correction-answers'
    : round.isUnmerged
      ? 'correction-conflict'
      : templateOf[correction];
  const template = readTemplate(libraryNow(place), name);
  const turn = live.session.correct(
    correctionPrompt(template, { task: work.task, evidence, nonce: live.nonce }),
  );
  return withinBudget(place, work.task, { session: live.session, turn });
}

/** Repeating the request is not enough. */
function formatRepeated({ lastRound, attemptsEver }: TaskState, round: Round): string {
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
  ignored: 'correction-ignored',
  runner: 'correction-runner',
  proof: 'correction-runner',
};

/** With a full context, a fresh session does better. */
function canCorrect(turn: Turn): boolean {
  return turn.canCorrect && (turn.contextShare ?? 0) < 0.5;
}

async function reportStrays(place: WorkPlace, work: Work, live: Live): Promise<void> {
  // A program that keeps multiplying is reported once.
  const pids = new Map<string, number[]>();
  for (const { pid, command } of await live.session.hold())
    pids.set(command, [...(pids.get(command) ?? []), pid]);
  for (const [command, all] of pids) {
    const which = all.length === 1 ? `process ${all[0]}` : `${all.length} processes`;
    place.run.emit({
      type: 'act-found',
      task: work.task.id,
      session: live.number,
      act: 'left-process',
      detail: `${command} (${which})`,
      response: 'put-back',
    });
  }
}
