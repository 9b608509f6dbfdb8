// What a run is: journal and folded state, settings, agents, clock and end; and who answers a planner. Where it works
// is a place.
import type { Agent } from '../agent/agent.ts';
import type { Config } from '../config/schema.ts';
import type { PlanningAsked } from '../event/planning.ts';
import type { EndReason } from '../event/run.ts';
import type { Severity } from '../event/severity.ts';
import type { Emit, FactOf } from '../event.ts';
import type { Forge } from '../forge/forge.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Today } from '../journal/day.ts';
import type { RunState } from '../journal/state.ts';

/** It cannot print: it emits. */
export type Run = Readonly<{
  id: string;
  /**
   * Of its journal, sessions and logs. Process marks contain it: another repository may have a run with that
   * id.
   */
  folder: string;
  config: Config;
  /**
   * Default: the configured one. Throws a Failure for an unknown name. `script`: the program of a script
   * agent.
   */
  agentNamed: (name?: string, script?: string) => Agent;
  /** Folder outside of the repository; absent if no ground can be made. */
  grounds?: string;
  /** Template folders; the first one wins. */
  library: readonly string[];
  emit: Emit;
  state: () => RunState;
  /** A text as the journal has it. */
  mask: (text: string) => string;
  /** The local day of an instant, and what the repository's other runs have spent on it. */
  today: (now: Date) => Today;
  /** Files of the agent config that differ from what was consented to. `root`: default the run's tree. */
  untrusted: (root?: string) => readonly string[];
  signal: AbortSignal;
  /** Aborted at a person's next command; then ask for a new signal. */
  wake: () => AbortSignal;
  now: () => Date;
  /** Milliseconds of waking time, or until the signal. */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  random: (bytes: number) => string;
  options: RunOptions;
}>;

/** Excuse the checks in this run, begin nothing, or begin all the same. */
export type RedAnswer = 'known red' | 'stop' | 'continue';

/** `refused`: files that were there then but not in that tree. */
export type LeftTree = Readonly<{ tree: string }> & Readonly<Pick<FactOf<'run-ended'>, 'head' | 'refused'>>;

/** What one `pawl run` was asked for beyond the configuration. */
export type RunOptions = Readonly<{
  task?: string | undefined;
  from?: string | undefined;
  maxTasks?: number | undefined;
  /** Of a review: findings below this do not change the exit code; absent: every stage has to end well. */
  failOn?: Severity | undefined;
  planning?: PlanningOptions;
  /** Milliseconds to wait for a person's answer when nothing else can be done; absent: none. */
  answerMs?: number;
  /** Asks a person about checks that are red before the work; absent: nobody is there. */
  askRed?: (commands: readonly string[]) => Promise<RedAnswer>;
  /** Trace context for a session's environment; absent: no tracing. */
  traceSession?: (session: number, task: string | undefined) => Readonly<Record<string, string>>;
  /**
   * Waits, within bounds, until closed tasks are carried; returns why they are not. `anew`: tries again first. Absent if
   * the run is not carried.
   */
  carried?: (anew?: 'anew') => Promise<string | undefined>;
  /** The finished branch becomes a request; absent: it stays here. */
  publish?: PublishOptions;
  /** No phase after the tasks. */
  tasksOnly?: boolean | undefined;
  /** Accepts changes made while the run was stopped. */
  takeEdits?: boolean | undefined;
  /** What the last stop left; absent for a new run and after a crash. */
  left?: LeftTree;
}>;

export type PlanningOptions = Readonly<{ asked: PlanningAsked; person: Person }>;

/** `reasons`: against exit 0; `finished`: the same command could do no more of it. */
export type PhaseEnd = Readonly<{ reasons: readonly EndReason[]; finished: boolean }>;

export type PublishOptions = Readonly<{
  forge: Forge;
  /** The person's. */
  repo: Repo;
  remote: string;
  /** Variables by which git logs in; none: as the person does. */
  login: Readonly<Record<string, string>>;
  target: string;
  /** A branch and request per task. */
  stack: boolean;
  /** The run whose request it is, if another. */
  of?: Pick<RunState, 'tasks' | 'requests'>;
  /** How long it stays and answers comments as they come; absent: it does not. */
  watchMs?: number;
  /** The receipt, or what it says of one task. */
  text: (run: Run, end: FactOf<'run-ended'>, task: string | undefined) => string;
}>;

type PersonsAnswer = Pick<FactOf<'dialogue-answered'>, 'answer' | 'by' | 'because'>;

export type DraftShown = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  file: string;
  /** Absent: its checks were not tried. */
  tried?: FactOf<'dialogue-tried'>;
}>;

/** `edited`: the text is used as it is. */
export type PersonsJudgement =
  | Readonly<{ choice: 'accepted' | 'rejected'; by: 'person' | 'default' }>
  | Readonly<{ choice: 'commented' | 'edited'; by: 'person'; text: string }>;

/** Why nobody answers now: the dialogue stops and can be continued. */
export type Silence = Readonly<{ silence: string; hint?: string }>;

export type Person = Readonly<{
  answer(question: FactOf<'dialogue-asked'>): Promise<PersonsAnswer | Silence>;
  judge(shown: DraftShown): Promise<PersonsJudgement | Silence>;
  /** Whether a planner's commands may run once, in a throw-away copy. */
  allowsChecks(commands: readonly string[]): Promise<boolean | Silence>;
}>;
