// The evidence of a task as it is sent to the page: attempts, their sessions and checks, the guard's notes.
import type { Tokens } from '../event/activity.ts';
import type { Tone } from '../report/text/line.ts';

export type CheckView = Readonly<{
  at: string;
  command: string;
  when: string;
  result: 'green' | 'red' | 'could-not-run' | 'timed-out' | 'interrupted';
  exitCode: number | null;
  durationMs: number;
  log: string;
  says?: string;
  alreadyRed: boolean;
  knownRed: boolean;
}>;

export type SessionView = Readonly<{
  session: number;
  role: string;
  agent: string;
  model?: string;
  reviewer?: string;
  startedAt: string;
  endedAt?: string;
  outcome?: string;
  reason?: string;
  costUsd?: number;
  atLeast: boolean;
  tokens?: Tokens;
}>;

/** One attempt at a task: its sessions, the checks after its turns, what was concluded. */
export type AttemptView = Readonly<{
  number: number;
  reason: string;
  at: string;
  sessions: readonly SessionView[];
  checks: readonly CheckView[];
  corrections: readonly Readonly<{ at: string; kind: string; reason: string }>[];
  verdict?: string;
  why?: string;
}>;

export type Evidence = Readonly<{
  task: string;
  before: readonly CheckView[];
  /** Commands that were red before the work and are green now. */
  turnedGreen: readonly string[];
  /** Checks that were green before the work: they prove nothing. */
  vacuous: readonly string[];
  attempts: readonly AttemptView[];
  /** How many attempts are left out because there are too many. */
  leftOut: number;
  /** What the guard found and did, refused files, signs of tampering. */
  notes: readonly Readonly<{ tone: Tone; text: string }>[];
  answers: readonly Readonly<{ question: string; answer: string }>[];
  hasDiff: boolean;
}>;
