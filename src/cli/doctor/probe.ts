// What a look of `pawl doctor` is, and looks with.
import type { Config } from '../../config/schema.ts';
import type { CliContext } from '../../start/context.ts';
import type { Place } from '../../start/locate.ts';
import type { ProgramAnswer } from '../../start/run-quietly.ts';

export type DoctorTools = Readonly<{
  context: CliContext;
  config: Config;
  /** The settings as they will be once the repository is trusted. */
  unread: Config | undefined;
  /** Undefined outside a repository. */
  place: Place | undefined;
  /** With stdin closed; never throws. */
  run(file: string, args: readonly string[]): Promise<ProgramAnswer>;
  /** In the current folder; starts no program of a repository's config. */
  git(...args: readonly string[]): Promise<ProgramAnswer>;
  /** Trimmed; empty if git fails. */
  read(...args: readonly string[]): Promise<string>;
  has(file: string): boolean;
}>;

/** `warn` may go wrong later, `fail` makes a run impossible, `unseen` was not looked at. */
export type Checkup = Readonly<{ state: 'ok' | 'warn' | 'fail' | 'unseen'; says: string; remedy?: string }>;

/** Undefined if it does not apply. */
export type Look = (tools: DoctorTools) => Promise<Checkup | undefined> | Checkup | undefined;

export const ok = (says: string): Checkup => ({ state: 'ok', says });
export const fail = (says: string, remedy: string): Checkup => ({ state: 'fail', says, remedy });
export const warn = (says: string, remedy?: string): Checkup => ({
  state: 'warn',
  says,
  ...(remedy === undefined ? {} : { remedy }),
});
