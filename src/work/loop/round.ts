// Judges what a session left, and closes the task on exactly that tree.

import type { Outcome } from '../../agent/session/outcome.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow } from '../budget/spending.ts';
import type { Close } from '../close/close.ts';
import { closeTask } from '../close/close.ts';
import type { Ticked } from '../close/tick-tree.ts';
import { tickTree } from '../close/tick-tree.ts';
import { judgeRound } from '../judge/judge.ts';
import type { CorrectionKind, Held, Seen, Verdict } from '../judge/verdict.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../note-tree.ts';
import { mayAskReplan } from '../plan/replan-rule.ts';
import { findHold } from '../session/await-turn.ts';
import { findUnusable } from '../session/choose-agent.ts';
import { policyOf, stateOf, type Work } from '../work.ts';
import { type EndedTurn, type Inspection, inspect } from './inspect.ts';

export type Round = Readonly<{
  verdict: Verdict;
  evidence: string;
  fingerprint: string | undefined;
  tree: string;
  onlyAnswers?: boolean;
  isUnmerged?: boolean;
  /** The branch had moved: it is merged and judged again. */
  isOvertaken?: true;
}>;

/** Without a live session nothing can be corrected. */
export function judgeTurn(
  place: Place,
  work: Work,
  found: {
    seen: Inspection;
    outcome: Outcome;
    summary: string;
    words?: string;
    canCorrect: boolean;
    live?: Readonly<{ number: number; sent: readonly CorrectionKind[] }>;
    halt?: Held | undefined;
  },
): Verdict {
  const { seen, live } = found;
  const overspend = overspendNow(place, work.task, { newSession: false });
  return judgeRound({
    ...seen,
    outcome: seen.cutShort ? { kind: 'interrupted', reason: 'the checks were interrupted' } : found.outcome,
    summary: found.summary,
    asks: found.words?.endsWith('?') ? found.words : undefined,
    canCorrect: found.canCorrect && !place.run.signal.aborted,
    overspend,
    ...correctionsOf(place, live),
    attemptsLeft: place.run.config.task.attempts - stateOf(place, work.task).attempts,
    refunded: live && findRefund(place, live.number),
    mayReplan: policyOf(work).mayReplan && mayAskReplan(place, work.planSnapshot),
    held: found.halt ?? findHold(place, work.task),
    unusable: findUnusable(place, live?.number),
  });
}

function correctionsOf(
  place: Place,
  live: Parameters<typeof judgeTurn>[2]['live'],
): Pick<Seen, 'asked' | 'noFollowUp' | 'correctionsLeft'> {
  const sent = live?.sent ?? [];
  return {
    asked: new Set(sent.filter((kind) => kind !== 'red')),
    noFollowUp: live === undefined || !takesCorrections(place, live.number),
    correctionsLeft: place.run.config.task.corrections - sent.filter((kind) => kind === 'red').length,
  };
}

function takesCorrections({ run }: Place, session: number): boolean {
  return run.agentNamed(run.state().sessions.get(session)?.started.agent).can.followUp;
}

function findRefund({ lane, run }: Place, session: number): 'raised' | 'part' | undefined {
  const { sessions, interventions } = run.state();
  const since = sessions.get(session)?.started.at ?? '';
  if (interventions.some(({ kind, at }) => kind === 'budget' && at >= since)) return 'raised';
  return lane === undefined ? undefined : 'part';
}

export function roundOf(
  { evidence, fingerprint, written, onlyAnswers, isUnmerged }: Inspection,
  verdict: Verdict,
): Round {
  return { verdict, evidence, fingerprint, tree: written.tree, onlyAnswers, isUnmerged };
}

/** If the tree has moved, inspects once more; if it moves again, the round is red. */
export async function closeUnlessMoved(
  place: WorkPlace,
  work: Work,
  found: Readonly<{
    seen: Inspection;
    verdict: Extract<Verdict, { kind: 'close' }>;
    ended: EndedTurn;
    summary: string;
    /** If already begun. */
    ticking?: Promise<Ticked> | undefined;
    /** Turned red after the judgement, and restored: only the judged tree can close. */
    late?: readonly string[];
  }>,
): Promise<Round> {
  const { ended, summary } = found;
  const { outcome } = ended;
  let { seen, verdict } = found;
  let ready = await tickUnlessMoved(place, work, seen.written, found.ticking);
  for (let pass = 1; !ready; pass += 1) {
    if (found.late && found.late.length > 0) return tooLate(place, work, seen, found.late);
    if (pass === 2) return moved(place, work, seen);
    seen = await inspect(place, work, ended);
    const again = judgeTurn(place, work, { seen, outcome, summary, canCorrect: false });
    if (again.kind !== 'close') return roundOf(seen, again);
    verdict = again;
    ready = await tickUnlessMoved(place, work, seen.written);
  }
  if (findHold(place, work.task) === 'skip')
    return roundOf(seen, { kind: 'skip', reason: 'a person skipped it' });
  return closeNow(place, work, { seen, close: { ...ready, verdict, outcome: outcome.kind } });
}

/** Commits what was judged; what prevents that is the next attempt's evidence. */
async function closeNow(
  place: WorkPlace,
  work: Work,
  { seen, close }: Readonly<{ seen: Inspection; close: Close }>,
): Promise<Round> {
  const { verdict } = close;
  const rejection = await closeTask(place, work, close);
  const { proof } = seen;
  if (!rejection && proof?.experiments) {
    const { word, reasons, experiments } = proof;
    place.run.emit({ type: 'proof-judged', task: work.task.id, word, reasons: [...reasons], experiments });
  }
  if (!rejection) return roundOf(seen, verdict);
  const { interrupted, isOvertaken, ...why } = rejection;
  if (isOvertaken) return { ...roundOf(seen, verdict), isOvertaken };
  const rejected: Verdict = interrupted
    ? { kind: 'stop', why: 'interrupted', reason: why.reason }
    : orFail(place, work, why.reason);
  return { ...why, tree: seen.written.tree, verdict: rejected };
}

/** Ticks the judged tree while the work tree is written again; undefined if that has changed. */
async function tickUnlessMoved(
  place: WorkPlace,
  work: Work,
  last: WrittenTree,
  ticking = tickTree(place, work, last.tree),
): Promise<Pick<Close, 'tree' | 'ticked' | 'parent'> | undefined> {
  const [ticked, now] = await Promise.all([ticking, writeWorkTree(place, work, 'session', { last })]);
  if (now.tree !== last.tree) return undefined;
  return { tree: now.tree, ticked, parent: now.look.head.commit ?? '' };
}

/** The session, or somebody beside it, acted after the judgement. */
function tooLate(place: Place, work: Work, seen: Inspection, reds: readonly string[]): Round {
  const evidence = [...reds.map((red) => `- ${red}`), seen.evidence].filter((part) => part !== '').join('\n');
  return { ...roundOf(seen, orFail(place, work, reds.join('; '))), evidence };
}

function moved(place: Place, work: Work, { written: { tree } }: Inspection): Round {
  const reason = 'the tree changes by itself after the session’s end';
  return { verdict: orFail(place, work, reason), evidence: reason, fingerprint: 'moved', tree };
}

function orFail(place: Place, work: Work, reason: string): Verdict {
  const left = place.run.config.task.attempts - stateOf(place, work.task).attempts;
  return left <= 1 ? { kind: 'fail', reason } : { kind: 'again', reason, counts: true };
}
