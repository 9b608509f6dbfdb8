// What a run is: its journal and folded state, its settings and agents, its clock and its end. Where it works is a place
// (place.ts).
import type { Agent } from '../agent/agent.ts';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../config/stages.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import type { Severity } from '../event/severity.ts';
import type { Emit, FactOf } from '../event.ts';
import type { Today } from '../journal/day.ts';
import type { KnownLimits } from '../journal/known-limits.ts';
import type { RunState } from '../journal/state.ts';
import type { Person } from './person.ts';
import type { Purse } from './purse.ts';

/** Everything of a run that is the same wherever it works. It cannot print: it emits. */
export type Run = Readonly<{
  id: string;
  /** Folder of its journal, sessions and check logs. Marks of processes carry it: another repository may have a run of that id. */
  folder: string;
  config: Config;
  /** The agent of that name, by default the configured one; an unknown name is a Failure. `script`: the program of a script. */
  agentNamed: (name?: string, script?: string) => Agent;
  /** Folder for the lanes of `--jobs`, outside the repository; absent: none can be made. */
  lanes?: string;
  /** Folders of templates, first wins. */
  library: readonly string[];
  emit: Emit;
  /** The run as it is now, folded from the journal. */
  state: () => RunState;
  /** Usage limits that the person's other runs on this machine have met. */
  knownLimits: KnownLimits;
  /** The window and money that several machines share; absent: they share none. */
  purse?: Purse;
  /** The local day of an instant, and what the repository's other runs have spent in it. */
  today: (now: Date) => Today;
  /** Files of the repository's agent config, in a working tree, by default the run's own, whose bytes are not those consented to; empty: it may be loaded. */
  untrusted: (root?: string) => readonly string[];
  signal: AbortSignal;
  /** Aborted at the next word of a person to the run: then the state is looked at again, and another one asked for. */
  wake: () => AbortSignal;
  now: () => Date;
  /** Waits so many milliseconds of waking time, or until the signal. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Random hexadecimal text of so many bytes. */
  random: (bytes: number) => string;
  options: RunOptions;
}>;

/** Plans that one command runs in turn, as their runs are told of it. */
export type Queue = Readonly<{ queue: string; plans: readonly string[]; base: string }>;

/** A lane as it was left: its tree, the commit it stands on, files that are in neither. */
export type LeftLane = NonNullable<FactOf<'run-ended'>['lanes']>[number];

/** What one `pawl run` was asked beyond the configuration. */
export type RunOptions = Readonly<{
  /** Only this task. */
  task?: string;
  /** Not the tasks before this one. */
  from?: string;
  /** Stop after so many closed tasks. */
  maxTasks?: number;
  /** The queue it is a run of, and branches of other runs of it, which are not this one's; absent: it is started alone. */
  queue?: Queue & Readonly<{ branches: ReadonlySet<string> }>;
  /** Nothing but a review is done; absent: the plan is run. */
  review?: ReviewOptions;
  /** Nothing but a plan is made, in a dialogue. */
  planning?: PlanningOptions;
  /** Milliseconds to wait for a person's answer when nothing else can be done; absent: none. */
  answerMs?: number;
  /** What the environment of a session says of its place in a trace; absent: nothing. */
  traceSession?: (session: number, task: string | undefined) => Readonly<Record<string, string>>;
  /** Waits, within bounds, until what was closed is carried; absent: the run is not. */
  carried?: () => Promise<void>;
  /** No phase after the tasks. */
  tasksOnly: boolean;
  /** Accepts changes that were made to the tree while the run was stopped. */
  takeEdits: boolean;
  /** Tree that the run's last stop left; absent on a new run and after a crash. */
  leftTree?: string;
  /** The same of each lane with unfinished work. */
  leftLanes?: readonly LeftLane[];
  /** HEAD at that stop. */
  leftHead?: string;
  /** Files that were there then and that the tree does not hold. */
  leftRefused?: readonly string[];
}>;

/** What `pawl review` was asked, and what decides about its exit code. */
export type ReviewOptions = Readonly<{
  /** Commit that the difference is taken from. */
  base: string;
  /** In order. */
  stages: readonly Stage[];
  /** Findings are told, and nothing is changed. */
  reportOnly: boolean;
  /** Milder findings do not change the exit code; absent: every stage has to end well. */
  failOn?: Severity;
}>;

/** What `pawl plan` was asked, and who answers the planner. */
export type PlanningOptions = Readonly<{ asked: PlanningAsked; person: Person }>;
