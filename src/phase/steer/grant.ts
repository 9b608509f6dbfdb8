// The answer to a person's command: facts to journal, or why it does not apply. Pure.

import type { Refusal } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import type { Fact, FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';

/** Facts to journal, in this order, and what follows from them in a sentence. */
export type Granted = Readonly<{ ok: true; facts: readonly Fact[]; text: string }>;

/** The fact by which a person's act is counted. */
export function intervention(kind: FactOf<'intervention'>['kind'], text: string): FactOf<'intervention'> {
  return { type: 'intervention', kind, text };
}

/** The command applies. The intervention stands first: what follows it is synced to the disk, and both with it. */
export function grant(counted: FactOf<'intervention'>, fact: Fact, text: string): Granted {
  return { ok: true, facts: [counted, fact], text };
}

/** It does not, with the reason and what to do instead. */
export function refuse(error: string, hint?: string): Refusal {
  return { ok: false, error, ...defined({ hint }) };
}

/** How a run that stands still is started again, on which what is said to it holds; empty of a live one. */
export function formatNextStart(state: RunState, live: boolean): string {
  return live ? '' : ` \`${commandAgain(state)}\` goes on with it.`;
}
