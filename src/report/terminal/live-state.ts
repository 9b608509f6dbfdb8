// What a run is doing right now, as the lines at the bottom of a terminal need it.

/** What is being done in one place: in the run's own tree, or in a lane. Times are epoch milliseconds. */
export type LiveActivity = Readonly<{
  task?: string;
  attempt?: number;
  /** The open session there, and the folder that it works in. */
  session?: number;
  folder?: string;
  tool?: Readonly<{ id: string; name: string; detail: string; since: number }>;
  check?: Readonly<{ command: string; since: number }>;
  /** How full the context is, from 0 to 1; absent until the agent has reported its size. */
  context?: number;
  /** When the agent's turn was over; absent while it works. */
  turnOver?: number;
}>;

export const doingNames = [
  'task',
  'attempt',
  'session',
  'folder',
  'tool',
  'check',
  'context',
  'turnOver',
] as const;

/** Times are epoch milliseconds. */
export type LiveRun = LiveActivity &
  Readonly<{
    phase?: string;
    /** Ids of the plan's tasks in order. */
    tasks: readonly string[];
    titles: ReadonlyMap<string, string>;
    /** The ids of the closed ones. */
    closed: ReadonlySet<string>;
    /** Tasks that wait for an answer, and since when. */
    asking: ReadonlyMap<string, number>;
    /** When tasks in work began, and how long those took that were closed by this process. */
    begun: ReadonlyMap<string, number>;
    tookMs: readonly number[];
    /** What each lane is doing; empty if tasks are worked on one after the other. */
    lanes: ReadonlyMap<number, LiveActivity>;
    /** When this process began to show the run. */
    since?: number;
    /** US dollars of each session, cumulative within it. */
    costs: ReadonlyMap<number, number>;
    /** Sum of `costs`. */
    costUsd: number;
    /** Sessions that ended without a final figure. */
    unsure: ReadonlySet<number>;
    capUsd?: number;
    /** A subscription pays: dollars are what the API would charge. */
    isEquivalent?: boolean;
    open: ReadonlySet<number>;
    limit?: Readonly<{ name: string; share: number }>;
    contextWindow?: number;
    waiting?: Readonly<{ why: string; until: number }>;
    /** A person paused the run; `since` once nothing works any more. */
    pause?: Readonly<{ since?: number }>;
  }>;

export const nothingYet: LiveRun = {
  tasks: [],
  titles: new Map(),
  closed: new Set(),
  asking: new Map(),
  begun: new Map(),
  tookMs: [],
  lanes: new Map(),
  costs: new Map(),
  costUsd: 0,
  unsure: new Set(),
  open: new Set(),
};

/** The state without some of its optional parts. */
export function without(live: LiveRun, ...names: readonly Optional[]): LiveRun {
  const rest: { -readonly [K in keyof LiveRun]: LiveRun[K] } = { ...live };
  for (const name of names) delete rest[name];
  return rest;
}

type Optional = keyof LiveActivity | 'capUsd' | 'phase' | 'waiting' | 'pause';
