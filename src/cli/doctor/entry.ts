// The shape of one check of `pawl doctor`; observing and judging are separate functions.
import type { Config } from '../../config/schema.ts';
import type { CliContext } from '../../start/context.ts';
import type { Place } from '../../start/locate.ts';
import type { ProgramAnswer } from '../../start/run-quietly.ts';

export type DoctorTools = Readonly<{
  context: CliContext;
  config: Config;
  /** Checks in the settings, including the repository's own even if it is not trusted yet. */
  checks: readonly string[];
  /** The settings as they will be once the repository is trusted. */
  unread?: Config | undefined;
  /** Undefined outside a repository. */
  place: Place | undefined;
  /** Runs a short program with stdin closed; never throws. */
  run(file: string, args: readonly string[]): Promise<ProgramAnswer>;
  /** git in the current folder, without what a repository's config could make it run. */
  git(...args: readonly string[]): Promise<ProgramAnswer>;
  /** Whether a program could be started. */
  has(file: string): boolean;
}>;

/** The result: `warn` may go wrong later, `fail` makes a run impossible, `unseen` was not looked at yet. */
export type Checkup = Readonly<{ state: 'ok' | 'warn' | 'fail' | 'unseen'; says: string; remedy?: string }>;

export type DoctorEntry = Readonly<{
  name: string;
  /** Looks and judges; undefined if it does not apply here. */
  examine(tools: DoctorTools): Promise<Checkup | undefined>;
}>;

export function makeEntry<Seen>(
  name: string,
  look: (tools: DoctorTools) => Promise<Seen> | Seen,
  judge: (seen: Seen) => Checkup | undefined,
): DoctorEntry {
  return { name, examine: async (tools) => judge(await look(tools)) };
}

export function ok(says: string): Checkup {
  return { state: 'ok', says };
}

/** A run works, but something may surprise. */
export function warn(says: string, remedy?: string): Checkup {
  return remedy === undefined ? { state: 'warn', says } : { state: 'warn', says, remedy };
}

export function unseen(says: string, remedy: string): Checkup {
  return { state: 'unseen', says, remedy };
}

export function fail(says: string, remedy: string): Checkup {
  return { state: 'fail', says, remedy };
}
