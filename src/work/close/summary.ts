// Extracts what a session says about its work, for the commit's body and the receipt.
import type { Outcome } from '../../agent/session/outcome.ts';

/** What was said, without marker lines. */
export function proseOf(text: string): string {
  return text.replaceAll(/^<<<[A-Z]+:[A-Z_]+.*$/gm, '').trim();
}

/** The sentence behind the marker, else the first prose among `said`, the session's turns in order: a later turn tells of its correction only. */
export function summaryOf({ kind, reason }: Outcome, said: readonly string[]): string {
  const isDone = kind === 'done' || kind === 'already-done';
  return isDone && reason !== '' ? reason : (said.find((text) => text !== '') ?? '');
}
