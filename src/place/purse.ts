// What a run asks before it starts sessions where several machines share an account: its usage window and its money. Pure.

/** The request, and what the run knows about its own money, in US dollars. */
export type LeaveAsked = Readonly<{
  /** Stays the same wherever the run continues, and is unique to it. */
  run: string;
  /** Names of the agents of the sessions that are to start. */
  agents: readonly string[];
  sessions: number;
  /** Spent by all sessions of the run so far. */
  spent: number;
  /** What the open sessions may still spend. */
  open: number;
  /** No other lane has permission for a session that has not started. */
  alone: boolean;
}>;

/** The answer. */
export type Leave =
  | Readonly<{ kind: 'go' }>
  /** Ask again after this many milliseconds at the latest. */
  | Readonly<{ kind: 'wait'; forMs: number; text: string }>
  /** Nothing more may be spent. */
  | Readonly<{ kind: 'spent'; reason: string; hint: string }>;

/**
 * A usage limit that an agent has hit, and until when, in epoch milliseconds of this machine. An overload concerns the
 * service, not the account: each run backs off by itself.
 */
export type Shut = Readonly<{ agent: string; until: number }>;

/** The shared usage window and money of an account. */
export type Purse = AsyncDisposable &
  Readonly<{
    /** If the database is unreachable, throws Failure('environment') once nothing is left of what was reserved. */
    ask(asked: LeaveAsked): Promise<Leave>;
    /** US dollars for one of `among` sessions that start now, out of what was reserved; undefined if no cap holds. */
    hand(among: number): number | undefined;
    /** Reports what is spent and what open sessions may still spend; the rest goes back to the others. */
    settle(told: Pick<LeaveAsked, 'run' | 'spent' | 'open'>): Promise<void>;
    /** Tells all others; nothing waits for it. */
    shut(shut: Shut): void;
    /** Reports that the agent works again. */
    works(agent: string): void;
    /** When an agent's window opens, as last heard; epoch milliseconds of this machine. */
    shutUntil(agent: string): number | undefined;
  }>;
