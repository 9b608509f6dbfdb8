// The options of `run` that other commands have, too.
import { type OptionSpec, optionName } from './option.ts';
import { runOptions } from './run-options.ts';

/** Options that mean the same for whatever starts sessions. */
const ofEverySession = [
  'trust',
  'trustHash',
  'json',
  'verbose',
  'quiet',
  'keepAwake',
  'agent',
  'fallback',
  'sandbox',
  'maxCost',
  'maxTokens',
  'maxTime',
  'maxSessions',
  'set',
] as const;

/** The options of `run` that another command has too: those of every session, and these. */
export function sharedOptions(...more: readonly string[]): readonly OptionSpec[] {
  const shared: ReadonlySet<string> = new Set([...ofEverySession, ...more]);
  return runOptions.filter((option) => shared.has(optionName(option)));
}
