// What a run is: its journal and folded state, its settings and agents, its clock and its end. Where it works is a place
// (place.ts).
import type { Agent } from '../agent/agent.ts';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../config/stages.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import type { EndReason } from '../event/run.ts';
import type { Severity } from '../event/severity.ts';
import type { Emit, FactOf } from '../event.ts';
import type { Forge } from '../forge/forge.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Today } from '../journal/day.ts';
import type { KnownLimits } from '../journal/known-limits.ts';
import type { RunState } from '../journal/state.ts';
import type { Person } from './person.ts';

/** Everything about a run that is the same wherever it works. It cannot print: it emits. */
export type Run = Readonly<{
  id: string;
  /**
   * Folder of its journal, sessions and check logs. Process marks contain it, since another repository may have a run with
   * that id.
   */
  folder: string;
  config: Config;
  /**
   * The agent with that name, by default the configured one; an unknown name throws a Failure. `script`: the program of a
   * script agent.
   */
  agentNamed: (name?: string, script?: string) => Agent;
  /** Folder for the working trees that pawl makes of this repository, outside of it; absent if none can be made. */
  grounds?: string;
  /** Template folders; the first one wins. */
  library: readonly string[];
  emit: Emit;
  /** The run as it is now, folded from the journal. */
  state: () => RunState;
  /** Usage limits that the person's other runs on this machine have hit. */
  knownLimits: KnownLimits;
  /** The local day of an instant, and what the repository's other runs have spent on it. */
  today: (now: Date) => Today;
  /**
   * Files of the repository's agent config, in a working tree (by default the run's own), that differ from what was
   * consented to; empty if the config may be loaded.
   */
  untrusted: (root?: string) => readonly string[];
  signal: AbortSignal;
  /** Aborted at a person's next command to the run: look at the state again, and ask for a new signal. */
  wake: () => AbortSignal;
  now: () => Date;
  /** Waits for that many milliseconds of waking time, or until the signal. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  random: (bytes: number) => string;
  options: RunOptions;
}>;

/** What to do about red checks: excuse them in this run, begin nothing, or begin all the same. */
export type RedAnswer = 'known red' | 'stop' | 'continue';

/** What one `pawl run` was asked for beyond the configuration. */
export type RunOptions = Readonly<{
  task?: string;
  from?: string;
  maxTasks?: number;
  review?: ReviewOptions;
  planning?: PlanningOptions;
  /** Milliseconds to wait for a person's answer when nothing else can be done; absent: none. */
  answerMs?: number;
  /** Asks a person about checks that are red before the work; absent: nobody is there. */
  askRed?: (commands: readonly string[]) => Promise<RedAnswer>;
  /** Trace context for a session's environment; absent if nothing is traced. */
  traceSession?: (session: number, task: string | undefined) => Readonly<Record<string, string>>;
  /** Waits, within bounds, until closed tasks are carried; absent if the run is not carried. */
  carried?: () => Promise<void>;
  /** The finished branch becomes a request; absent: it stays here. */
  publish?: PublishOptions;
  /** No phase after the tasks. */
  tasksOnly: boolean;
  /** Accepts changes that were made to the tree while the run was stopped. */
  takeEdits: boolean;
  /** The tree that the run's last stop left; absent for a new run and after a crash. */
  leftTree?: string;
  leftHead?: string;
  /** Files that were there then and that the tree does not hold. */
  leftRefused?: readonly string[];
}>;

/** What `pawl review` was asked for, and what decides its exit code. */
export type ReviewOptions = Readonly<{
  base: string;
  stages: readonly Stage[];
  /** Findings are reported, and nothing is changed. */
  reportOnly: boolean;
  /** Proofs are run even for a report, and only what they confirm counts. */
  prove: boolean;
  /** No reviewer is asked: what people say about the branch's request is answered. */
  answers: boolean;
  /** Findings below this severity do not change the exit code; absent: every stage has to end well. */
  failOn?: Severity;
}>;

export type PlanningOptions = Readonly<{ asked: PlanningAsked; person: Person }>;

/** How a phase ended: reasons against exit 0; `finished`: nothing of it is left that the same command could do. */
export type PhaseEnd = Readonly<{ reasons: readonly EndReason[]; finished: boolean }>;

export type PublishOptions = Readonly<{
  forge: Forge;
  /** The repository that it is pushed from: the person's. */
  repo: Repo;
  remote: string;
  /** Variables by which git logs in there; none: as the person does. */
  login: Readonly<Record<string, string>>;
  target: string;
  /** Each task's commit becomes a branch and a request of its own. */
  stack: boolean;
  /** The request's text for a run that ends so. */
  text: (run: Run, end: FactOf<'run-ended'>) => string;
  /** What the receipt says of one task. */
  taskText: (run: Run, task: string) => string;
}>;
