// The result of one check, as a value.
import type { Check } from '../plan/plan.ts';
import type { Process } from '../process/sweep.ts';
import type { TestCounts } from './test-counts.ts';

export type CheckRun = Readonly<{
  check: Check;
  /**
   * `green`: exit 0. `could-not-run`: it says nothing about the work (no such program or folder). `interrupted`: it was cut
   * off.
   */
  result: 'green' | 'red' | 'could-not-run' | 'timed-out' | 'interrupted';
  /** Null if a signal ended it or it did not start. */
  exitCode: number | null;
  /** The signal that ended it; absent if none did. */
  signal?: NodeJS.Signals;
  durationMs: number;
  log: string;
  /** Both outputs in order of arrival, bounded head and tail, unmasked. */
  output: string;
  /** What its test runner says it ran; absent if none spoke. */
  tests?: TestCounts;
  /** Why it could not run or was ended, as a sentence. */
  reason?: string;
  /** Equal for the same failure; absent when green. */
  fingerprint?: string;
  /** Processes it left running, which pawl ended. */
  leftovers: readonly Process[];
}>;
