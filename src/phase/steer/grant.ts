// The answer to a person's command: facts to journal, or why it does not apply. Pure.

import type { Refusal } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import type { Fact, FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';

export type Granted = Readonly<{ ok: true; facts: readonly Fact[]; text: string }>;

export function grant(
  done: Omit<FactOf<'intervention'>, 'type'>,
  text: string,
  ...more: readonly Fact[]
): Granted {
  return { ok: true, facts: [{ type: 'intervention', ...done }, ...more], text };
}

export function refuse(error: string, hint?: string): Refusal {
  return { ok: false, error, ...defined({ hint }) };
}

export function formatNextStart(state: RunState, live: boolean): string {
  return live ? '' : ` \`${commandAgain(state)}\` continues it.`;
}
