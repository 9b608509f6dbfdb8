// One attempt: a fresh session, corrected in place while that is cheap, until a verdict.
import { openSession } from '../../agent/session/session.ts';
import type { Outcome, Turn } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readTemplate } from '../../prompt/library.ts';
import { correctionPrompt } from '../../prompt/prompts.ts';
import { emitBudgets, overspendNow, withinBudget } from '../budget/spending.ts';
import { restoreAll } from '../guard/guard.ts';
import { takeMadeFiles } from '../guard/ignored-files.ts';
import type { CorrectionKind } from '../judge/verdict.ts';
import { collectAnswers, outcomeWith } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { type AwaitedTurn, awaitTurn, findHold, type LiveTurn } from '../session/await-turn.ts';
import { libraryNow } from '../session/open-session.ts';
import { type PreparedSession, prepareSession } from '../session/start-session.ts';
import { stateOf, type Work } from '../work.ts';
import type { Round } from './inspect.ts';
import { type JudgedWork, judgeTurn } from './round.ts';

type Live = Omit<PreparedSession, 'opens'> &
  Required<LiveTurn> & {
    readonly sent: CorrectionKind[];
    /** Per turn, without marker lines. */
    readonly said: string[];
    /** It can be corrected. */
    isOpen: boolean;
  };

/** On return the session is over, and the work committed on `close`. A fresh session follows one that cannot go on. */
export async function attempt(
  place: WorkPlace,
  work: Work,
  given: Readonly<{ evidence: string; before: Snapshot }>,
): Promise<Round> {
  let live: Live | undefined;
  try {
    for (let fresh = false; ; fresh = true) {
      const { opens, ...started } = prepareSession(place, work, { ...given, fresh });
      const session = openSession(...opens);
      live = { ...started, session, task: work.task, sent: [], said: [], isOpen: true };
      const turn = withinBudget(place, work.task, { session, turn: session.firstTurn() });
      const ended = await awaitTurn(place, live, turn);
      const isRefused = live.continues && !ended.halt && isLost(ended.turn);
      if (!isRefused || !mayBeginAnew(place, work))
        return await workOn(place, { work, before: given.before }, live, ended);
      await session.close();
    }
  } finally {
    await live?.session.close();
    emitBudgets(place, work.task);
  }
}

async function workOn(
  place: WorkPlace,
  first: Readonly<{ work: Work; before: Snapshot }>,
  live: Live,
  turn: AwaitedTurn,
): Promise<Round> {
  for (let [{ work, before }, ended] = [first, turn]; ; ) {
    const judged = await endTurn(place, { work, before }, live, ended);
    const { verdict } = judged.round;
    if (verdict.kind !== 'correct') return judged.round;
    // A lane may have moved both to another commit.
    work = judged.work;
    before = judged.ended.before;
    ended = await awaitTurn(place, live, correct(place, work, live, { ...judged.round, verdict }));
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
  { work, before }: Readonly<{ work: Work; before: Snapshot }>,
  live: Live,
  { turn, halt }: AwaitedTurn,
): Promise<JudgedWork> {
  await reportStrays(place, work, live);
  const { number: session } = live;
  const { written, outcome } = turn;
  takeMadeFiles(place, work, { session, written });
  const said = work.kind === 'fix' ? collectAnswers(place, work.fix, { turn, session }) : undefined;
  const words = proseOf(turn.text);
  live.said.push(words);
  // With a full context, a fresh session does better.
  live.isOpen = turn.canCorrect && (turn.contextShare ?? 0) < 0.5;
  // A fixer's prose is answers as data.
  const summary = summaryOf(outcome, work.kind === 'fix' ? [] : live.said);
  const asks = words.endsWith('?') ? words : undefined;
  const ended = { outcome: outcomeWith(said, outcome), before, session, written, halt, summary, asks };
  return judgeTurn(
    place,
    { work, ended: { ...ended, ...defined({ said }) } },
    {
      sent: live.sent,
      isOpen: () => live.isOpen,
      end: async (now) => {
        live.isOpen = false;
        await live.session.close();
        const whose = { task: now.work.task.id, session };
        return restoreAll(place, now.work, { before: now.ended.before, whose });
      },
    },
  );
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
    kind: round.about === 'conflict' ? 'conflict' : correction,
    reason,
  });
  live.sent.push(correction);
  // A template is named for what it corrects; proof lacks what a runner read.
  const about = round.about ?? (correction === 'proof' ? 'runner' : correction.replace('?', ''));
  const template = readTemplate(libraryNow(place), `correction-${about}`);
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

export function proseOf(text: string): string {
  return text.replaceAll(/^<<<[A-Z]+:[A-Z_]+.*$/gm, '').trim();
}

/**
 * The sentence after the marker, else the first prose in `said` (the turns in order): later ones tell of corrections.
 */
export function summaryOf({ kind, reason }: Outcome, said: readonly string[]): string {
  const isDone = kind === 'done' || kind === 'already-done';
  return isDone && reason !== '' ? reason : (said.find((text) => text !== '') ?? '');
}
