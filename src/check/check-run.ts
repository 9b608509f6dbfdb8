// The result of one check, as a value.
import type { Check } from '../plan/plan.ts';
import type { Process } from '../process/sweep.ts';
import type { TestCounts } from './test-counts.ts';

export type CheckRun = Readonly<{
  check: Check;
  /** `could-not-run`: no such program or folder, so it says nothing about the work. */
  result: 'green' | 'red' | 'could-not-run' | 'timed-out' | 'interrupted';
  /** Null if a signal ended it or it did not start. */
  exitCode: number | null;
  signal?: NodeJS.Signals;
  durationMs: number;
  log: string;
  /** In order of arrival, bounded head and tail, unmasked. */
  output: string;
  /** Absent if no test runner spoke. */
  tests?: TestCounts;
  /** As a sentence. */
  reason?: string;
  /** Equal for the same failure; absent when green. */
  fingerprint?: string;
  leftovers: readonly Process[];
}>;
