// What a session says about its work.
import type { Outcome } from '../../agent/session/outcome.ts';

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
