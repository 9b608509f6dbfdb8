// What a look of `pawl doctor` is, and looks with.
import type { Diagnosis } from '../../agent/adapter.ts';
import type { Config } from '../../config/schema.ts';
import type { CliContext } from '../../start/context.ts';
import type { Place } from '../../start/locate.ts';
import type { ProgramAnswer } from '../../start/run-quietly.ts';

export type DoctorTools = Readonly<{
  context: CliContext;
  config: Config;
  /** Undefined outside a repository. */
  place: Place | undefined;
  /** With stdin closed; never throws. */
  run(file: string, args: readonly string[]): Promise<ProgramAnswer>;
  has(file: string): boolean;
}>;

/** Undefined if it does not apply. A Failure that it throws is a row, too. */
export type Look = (tools: DoctorTools) => Promise<Diagnosis | undefined> | Diagnosis | undefined;

export const ok = (says: string): Diagnosis => ({ state: 'ok', says });
export const fail = (says: string, remedy: string): Diagnosis => ({ state: 'fail', says, remedy });
export const warn = (says: string, remedy: string): Diagnosis => ({ state: 'warn', says, remedy });
