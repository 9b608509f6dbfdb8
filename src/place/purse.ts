// What a run asks before it begins sessions where several machines share an account: its usage window, and its money. Pure.

/** What is asked, and what the run knows of its own money, US dollars. */
export type LeaveAsked = Readonly<{
  /** The same wherever the run goes on, and no other's. */
  run: string;
  /** Agents of the sessions that are to begin, by name. */
  agents: readonly string[];
  sessions: number;
  /** Spent by all sessions of the run so far. */
  spent: number;
  /** What the open ones may still spend. */
  open: number;
  /** No other lane has leave for a session that has not begun. */
  alone: boolean;
}>;

/** The answer. */
export type Leave =
  | Readonly<{ kind: 'go' }>
  /** Asked again after so many milliseconds at the latest. */
  | Readonly<{ kind: 'wait'; forMs: number; text: string }>
  /** Nothing more may be spent. */
  | Readonly<{ kind: 'spent'; reason: string; hint: string }>;

/** A usage limit that an agent has met: until when, epoch milliseconds here. An overload is the service's, not the account's: each run backs off from it by itself. */
export type Shut = Readonly<{ agent: string; until: number }>;

/** The shared window and money of an account. */
export type Purse = AsyncDisposable &
  Readonly<{
    /** Where the database is away: Failure('environment') when there is nothing left of what was reserved before. */
    ask(asked: LeaveAsked): Promise<Leave>;
    /** US dollars for one of `among` sessions that begin now, out of what was reserved; undefined: no cap holds. */
    hand(among: number): number | undefined;
    /** What is spent, and what open sessions may still spend: the rest goes back to the others. */
    settle(told: Pick<LeaveAsked, 'run' | 'spent' | 'open'>): Promise<void>;
    /** Tells all others; nobody waits for it. */
    shut(shut: Shut): void;
    /** The agent works again. */
    works(agent: string): void;
    /** When the window of an agent opens, as last heard; epoch milliseconds here. */
    shutUntil(agent: string): number | undefined;
  }>;
