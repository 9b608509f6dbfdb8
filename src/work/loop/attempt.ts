// One attempt: a fresh session, corrected in place while that is cheap, until a verdict.
import type { Outcome, Turn } from '../../agent/session/session-plan.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { emitBudgets, overspendNow } from '../budget/spending.ts';
import { takeMadeFiles } from '../guard/ignored-files.ts';
import { collectAnswers, outcomeWith } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { type AwaitedTurn, awaitTurn, findHold } from '../session/await-turn.ts';
import { fillNow } from '../session/open-session.ts';
import { type LiveSession, startSession } from '../session/start-session.ts';
import { stateOf, type Work } from '../work.ts';
import { emitRound } from './end-round.ts';
import type { EndedTurn, Round } from './inspect.ts';
import { judgeTurn } from './judge-turn.ts';

type Begun = Readonly<{ work: Work; before: Snapshot }>;

/** On return the session is over, and the work committed on `close`. A fresh session follows one that cannot go on. */
export async function attempt(place: WorkPlace, begun: Begun, evidence: string): Promise<Round> {
  const { work, before } = begun;
  let live: LiveSession | undefined;
  try {
    for (let fresh = false; ; fresh = true) {
      live = startSession(place, work, { evidence, before, fresh });
      const first = await awaitTurn(place, live, live.session.firstTurn());
      if (!live.session.plan.continues || !mayBeginAnew(place, work, first))
        return await judgeTurns(place, begun, live, first);
      await live.session.close();
    }
  } finally {
    await live?.session.close();
    emitBudgets(place, work.task);
  }
}

async function judgeTurns(
  place: WorkPlace,
  begun: Begun,
  live: LiveSession,
  first: AwaitedTurn,
): Promise<Round> {
  for (let [at, awaited] = [begun, first]; ; ) {
    const { turn, round } = await judgeTurn(place, await endTurn(place, at, live, awaited));
    const { verdict } = round;
    if (verdict.kind !== 'correct') return round;
    // A lane may have moved both to another commit.
    at = turn;
    awaited = await awaitTurn(place, live, correct(place, at.work, live, { ...round, verdict }));
  }
}

/** The agent has lost the conversation, the model never said a word, and there may be another. */
function mayBeginAnew(place: Place, { task }: Work, { turn, halt }: AwaitedTurn): boolean {
  const { kind } = turn.outcome;
  if (halt || turn.spoke || (kind !== 'crashed' && kind !== 'unfinished')) return false;
  if (place.run.signal.aborted || findHold(place, task) !== undefined) return false;
  return overspendNow(place, task, { newSession: true }) === undefined;
}

async function endTurn(
  place: WorkPlace,
  { work, before }: Begun,
  live: LiveSession,
  { turn, halt }: AwaitedTurn,
): Promise<EndedTurn> {
  await reportStrays(place, work, live);
  const { number: session } = live.session.plan;
  const { written, outcome } = turn;
  takeMadeFiles(place, work, { session, written });
  const said = work.kind === 'fix' ? collectAnswers(place, work.fix, { turn, session }) : undefined;
  const words = proseOf(turn.text);
  live.said.push(words);
  // With a full context, a fresh session does better.
  live.isOpen = turn.canCorrect && (turn.contextShare ?? 0) < 0.5;
  return {
    work,
    before,
    live,
    outcome: outcomeWith(said, outcome),
    // A fixer's prose is answers as data.
    summary: summaryOf(outcome, said ? [] : live.said),
    asks: words.endsWith('?') ? words : undefined,
    halt,
    written,
    said,
  };
}

type Corrected = Round & Readonly<{ verdict: Extract<Round['verdict'], { kind: 'correct' }> }>;

function correct(place: Place, work: Work, live: LiveSession, round: Corrected): Promise<Turn> {
  const { correction, reason } = round.verdict;
  const { number: session, marker } = live.session.plan;
  const { id: task } = work.task;
  const state = stateOf(place, work.task);
  const evidence = `${formatRepeated(state, round)}${round.evidence}`;
  emitRound(place, work, round, round.verdict);
  const kind = round.about === 'conflict' ? 'conflict' : correction;
  place.run.emit({ type: 'correction-sent', task, session, kind, reason });
  live.sent.push(correction);
  // A template is named for what it corrects; proof lacks what a runner read.
  const about = round.about ?? (correction === 'proof' ? 'runner' : correction.replace('?', ''));
  const values = { TASK_ID: task, EVIDENCE: evidence, NONCE: marker.nonce };
  return live.session.correct(fillNow(place, `correction-${about}`, values));
}

/** Repeating the request is not enough. */
function formatRepeated({ lastRound, attemptsEver }: TaskState, { fingerprint, tree }: Round): string {
  const isOfSession = lastRound?.verdict === 'correct' && lastRound.attempt === attemptsEver;
  if (!isOfSession || fingerprint === undefined || lastRound.fingerprint !== fingerprint) return '';
  const still = lastRound.tree === tree ? ', and no file has changed since' : '';
  return `This is the same failure as the last time you were told${still}. Diagnose first: find out why it fails, say so, and only then change code.\n\n`;
}

/** A program that keeps multiplying is reported once. */
async function reportStrays(place: WorkPlace, { task }: Work, { session }: LiveSession): Promise<void> {
  const strays = Map.groupBy(await session.hold(), ({ command }) => command);
  for (const [command, all] of strays) {
    const which = all.length === 1 ? `process ${all[0]?.pid}` : `${all.length} processes`;
    const act = { act: 'left-process', detail: `${command} (${which})`, response: 'put-back' } as const;
    place.run.emit({ type: 'act-found', task: task.id, session: session.plan.number, ...act });
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
