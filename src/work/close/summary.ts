// Extracts what a session says about its work, for the commit body and the receipt.
import type { Outcome } from '../../agent/session/outcome.ts';

export function proseOf(text: string): string {
  return text.replaceAll(/^<<<[A-Z]+:[A-Z_]+.*$/gm, '').trim();
}

/**
 * The sentence after the marker, else the first prose in `said` (the session's turns in order): later turns describe only
 * their corrections.
 */
export function summaryOf({ kind, reason }: Outcome, said: readonly string[]): string {
  const isDone = kind === 'done' || kind === 'already-done';
  return isDone && reason !== '' ? reason : (said.find((text) => text !== '') ?? '');
}
