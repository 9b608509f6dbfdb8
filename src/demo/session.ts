// What a process of the scripted agent remembers between its turns: who it is, and the tokens it has used with their cost.
import type { Usage } from './script.ts';

/** What a process of the scripted agent remembers between its turns. */
export type Session = {
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly startedMs: number;
  usage: Tokens;
  /** Tokens since the process began, and since its last result; sub-agents' among them. */
  total: Tokens;
  sinceResult: Tokens;
  /** Tokens of the main agent alone since the last result. */
  mainSinceResult: Tokens;
  results: number;
};

/** Tokens by class. */
export type Tokens = { -readonly [Class in keyof Usage]-?: number };

/** None of any class. */
export const noTokens: Readonly<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Tokens of a reply before any `usage` step; a sub-agent starts with them too. */
export const firstUsage: Readonly<Tokens> = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

/** A session that has said nothing yet. */
export function newSession(given: Pick<Session, 'id' | 'cwd' | 'model' | 'permissionMode'>): Session {
  const counts = { total: { ...noTokens }, sinceResult: { ...noTokens }, mainSinceResult: { ...noTokens } };
  return { ...given, startedMs: Date.now(), usage: { ...firstUsage }, ...counts, results: 0 };
}

/** Counts one reply's tokens: a sub-agent's are paid for, but are not the main agent's. */
export function charge(session: Session, isMain: boolean): void {
  const { usage, total, sinceResult, mainSinceResult } = session;
  const sums = isMain ? [total, sinceResult, mainSinceResult] : [total, sinceResult];
  for (const sum of sums) {
    for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) sum[key] += usage[key];
  }
}

/** US dollars at the list price of the model in the recordings. */
export function costOf(tokens: Readonly<Tokens>): number {
  return (tokens.input * 4 + tokens.output * 20 + tokens.cacheRead * 0.4 + tokens.cacheWrite * 5) / 1e6;
}
