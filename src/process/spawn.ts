// How pawl starts a program and how a program ends. It knows no agent, no git and no check.

/** A program to start. `env` is its whole environment. */
export type SpawnRequest = Readonly<{
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** `pipe`: input is written by pawl. `closed`: /dev/null. */
  input: 'pipe' | 'closed';
}>;

/** How a program ended. `startError`: it could not be started at all (ENOENT, EACCES, E2BIG, …). */
export type Ended = Readonly<{ code: number | null; signal: NodeJS.Signals | null; startError?: Error }>;

/** A running program: the leader of a process group and session of its own, killed with pawl where the system can. */
export interface Spawned {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Raw output; ends when the program has ended, also where a grandchild keeps the pipe open. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Writes to its input; false when it takes no more. */
  send(text: string): Promise<boolean>;
  /** Closes its input. */
  closeInput(): void;
  /** Signals its process group; nothing happens once it has ended. */
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Starts a program; a failure to start is in `ended`, never thrown. */
export type Spawn = (request: SpawnRequest) => Spawned;
