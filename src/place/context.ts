// What every phase is given: the places and tools of one run. It holds no behaviour.
import type { Agent } from '../agent/agent.ts';
import type { Shell } from '../check/shell.ts';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../config/stages.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import type { Severity } from '../event/severity.ts';
import type { Emit } from '../event.ts';
import type { Repo } from '../git/repo.ts';
import type { RunState } from '../journal/state.ts';
import type { Person } from '../phase/planning/person.ts';
import type { Queue } from '../phase/queue.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Today } from '../work/budget/budget.ts';
import type { Hands } from '../work/ports.ts';

/** Where the plan lives. */
export type PlanPlace = Readonly<{
  /** Real, absolute path; symlinks were resolved once, at the start. */
  file: string;
  /** Relative to the repository's root, or absolute when it lies outside. */
  name: string;
  /** Ticked inside the commits; otherwise in place after them. */
  tracked: boolean;
}>;

/** Everything a phase may use. It cannot print: it emits. */
export type Context = Readonly<{
  repo: Repo;
  config: Config;
  /** Id of the run and the folder of its journal, sessions and check logs. Marks of processes carry the folder: another repository may have a run of that id. */
  run: Readonly<{ id: string; folder: string }>;
  plan: PlanPlace;
  /** The agent of that name, by default the configured one; an unknown name is a Failure. `script`: the program of a script. */
  agentNamed: (name?: string, script?: string) => Agent;
  spawn: Spawn;
  sweep: Sweep;
  shell: Shell;
  /** Where agents and checks run, if not on this machine; its first container is started by `open`. */
  sandbox?: Readonly<{
    open(): Promise<void>;
    /** Commands of the repository's hooks that pawl's commits do not run then; they are checks, and prove nothing alone. */
    hookChecks: readonly string[];
    /** What runs the repository's hooks for messages on `$PAWL_MESSAGE`, and after the line `$PAWL_MESSAGE_KEY` prints what they made of it; absent: there is none. */
    messageHooks?: Readonly<{ names: readonly string[]; command: string }>;
  }>;
  /** The user's environment, cleaned of nested sessions; under a sandbox what of it may be seen there. */
  env: Readonly<Record<string, string>>;
  /** Folders of templates, first wins. */
  library: readonly string[];
  /** Index file of tree T, kept for the run. */
  index: string;
  /** How the loop of attempts reaches sessions, checks and the repository. */
  hands: Hands;
  emit: Emit;
  /** The run as it is now, folded from the journal. */
  state: () => RunState;
  /** The local day of an instant, and what the repository's other runs have spent in it. */
  today: (now: Date) => Today;
  /** Files of the repository's agent config whose bytes are not those consented to; empty: it may be loaded. */
  untrusted: () => readonly string[];
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
  /** No phase after the tasks. */
  tasksOnly: boolean;
  /** Accepts changes that were made to the tree while the run was stopped. */
  takeEdits: boolean;
  /** Tree that the run's last stop left; absent on a new run and after a crash. */
  leftTree?: string;
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
