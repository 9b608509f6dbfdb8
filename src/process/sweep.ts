// The interface that lists and ends processes by a mark in their environment, on this host or in a sandbox.

/** `startTime` distinguishes a reused pid; `isRoot`: it is the program itself that was started with the mark. */
export type Process = Readonly<{
  pid: number;
  ppid: number;
  startTime: string;
  command: string;
  isRoot?: true;
  /** The name of the one in which its pid counts; absent: on this host. */
  container?: string;
}>;

/** A whole environment entry. */
export type Mark = `${'PAWL_SESSION' | 'PAWL_CHECK'}=${string}`;

export function markOf(env: Readonly<Record<string, string>>): Mark {
  for (const name of ['PAWL_SESSION', 'PAWL_CHECK'] as const)
    if (env[name] !== undefined) return `${name}=${env[name]}`;
  throw new Error('a program without a mark is started in a sandbox');
}

export interface Sweep {
  /** With the mark or below `root`, which this pawl started with it; never pawl itself, its watchdog or zombies. */
  find(mark: Mark, root?: number): Promise<readonly Process[]>;
  /** Only those still the same processes: parents first, for SIGCONT children first. */
  signal(processes: readonly Process[], signal: NodeJS.Signals): void;
  /**
   * Ends all of the mark but `except`: TERM and CONT, a grace period, KILL until none is left. Returns those it
   * ended. `graceMs` 0 skips TERM; default 2 s.
   */
  end(
    mark: Mark,
    options?: { root?: number; except?: readonly Process[]; graceMs?: number },
  ): Promise<readonly Process[]>;
}
