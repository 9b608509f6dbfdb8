// Folds the run's waits: one still due, and how many in a row led nowhere. Runs before the folds that end waits.

import { defined } from '../defined.ts';
import { waitOf } from '../event/waits.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Draft, endOutage } from './fold-run.ts';
import { findWorkState, type RunState, type SessionState } from './state.ts';

export function foldWaits(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'waiting':
      foldWait(draft, fact);
      return;
    case 'waited':
      if (fact.how !== 'interrupted') delete draft.owedWait;
      return;
    case 'run-resumed':
      draft.unusable = new Set();
      // An outage may be over when a person starts again; a limit is not, before its reset.
      if (fact.after === 'stop' && draft.owedWait?.why !== 'limit') delete draft.owedWait;
      return;
    case 'intervention':
      if (fact.kind !== 'continue') return;
      draft.metLimits = new Map();
      draft.unusable = new Set();
      draft.triedAgainAt = fact.at;
      delete draft.owedWait;
      return;
    case 'session-started':
      if (isFor(draft.owedWait, [fact.agent])) delete draft.owedWait;
      return;
    case 'turn-ended':
      foldTurn(draft, fact);
      return;
    case 'session-cost':
    case 'task-closed':
      delete draft.limitRow;
      return;
    case 'opinion':
      if (fact.state === 'given') delete draft.limitRow;
      return;
    case 'round-ended':
      foldRound(draft, fact);
      return;
  }
}

export function isFor(
  wait: Pick<FactOf<'waiting'>, 'agents'> | undefined,
  agents: readonly string[],
): boolean {
  return wait?.agents === undefined || wait.agents.some((agent) => agents.includes(agent));
}

/** Owed from its beginning, since a process may end without a word. */
function foldWait(draft: Draft, fact: Stamped<FactOf<'waiting'>>): void {
  if (waitOf[fact.why] !== 'service') return;
  const isSame = draft.owedWait?.until === fact.until && draft.owedWait.why === fact.why;
  draft.owedWait = fact;
  if (isSame) return;
  const row = { count: 1, since: fact.at };
  if (fact.why === 'crash') draft.crashes += 1;
  else if (fact.why === 'limit') draft.limitRow = oneMore(draft.limitRow) ?? row;
  else draft.outageRow = oneMore(draft.outageRow) ?? row;
}

function oneMore(row: RunState['limitRow']): RunState['limitRow'] {
  return row && { ...row, count: row.count + 1 };
}

/** Waits are in a row while the sessions between bring no verdict and no change to the tree. */
function foldRound(draft: Draft, { verdict, task: id, tree }: FactOf<'round-ended'>): void {
  if (verdict === 'correct') return;
  const task = findWorkState(draft, id);
  const before = task?.lastRound?.tree ?? task?.start?.tree;
  const hasMoved = tree !== undefined && before !== undefined && tree !== before;
  if (verdict === 'wait' && !hasMoved) return;
  endOutage(draft);
  delete draft.limitRow;
}

/** An agent is at its limit from the turn that hit it until the model works again. */
function foldTurn(draft: Draft, fact: Stamped<FactOf<'turn-ended'>>): void {
  const session = draft.sessions.get(fact.session);
  if (session === undefined) return;
  const { agent } = session.started;
  if (cannotStandIn(session, fact)) draft.unusable = new Set([...draft.unusable, agent]);
  const limits = new Map(draft.metLimits);
  if (metLimit(fact)) limits.set(agent, { at: Date.parse(fact.at), ...defined({ until: fact.until }) });
  else if (hasWorked.has(fact.outcome)) limits.delete(agent);
  draft.metLimits = limits;
}

/** Refused, or ended before its first word. */
function cannotStandIn({ started, ready }: SessionState, { outcome }: FactOf<'turn-ended'>): boolean {
  if (started.insteadOf === undefined) return false;
  return outcome === 'refused' || (ready === undefined && (outcome === 'crashed' || outcome === 'timed-out'));
}

export function metLimit({ outcome, suspectsLimit }: FactOf<'turn-ended'>): boolean {
  return outcome === 'limited' || suspectsLimit === true;
}

/** Outcomes of turns in which the model finished speaking. */
export const hasWorked: ReadonlySet<FactOf<'turn-ended'>['outcome']> = new Set([
  ...['done', 'failed', 'already-done', 'needs-input', 'replan', 'silent', 'unfinished'],
] as const);
