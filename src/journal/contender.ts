// What a run is compared by: one value for each contender, from the folded journal and its statistics. Unknown stays
// unknown.

import { defined } from '../defined.ts';
import { proofWordOf } from '../event/proof-word.ts';
import { type Severity, severities } from '../event/severity.ts';
import type { Fact, Stamped } from '../event.ts';
import type { RunStats } from './run-stats.ts';
import type { RunState } from './state.ts';
import type { Tally } from './tally.ts';

/** How far a contender is. `refused`: it could not start. */
export type ContenderStanding = 'waiting' | 'running' | 'finished' | 'stopped' | 'refused';

/** A review's open findings by severity. */
export type FindingCounts = Readonly<Record<Severity, number>>;

/** What a review found, or why that is unknown. `shared`: by reviewers that looked at every contender. */
export type ReviewOutcome =
  | Readonly<{ shared: boolean; found: FindingCounts }>
  | Readonly<{ shared: boolean; missing: string }>;

/** One of the runs being compared. Absent fields are unknown. */
export type Contender = Readonly<{
  /** As it was requested, else agent and model. */
  name: string;
  standing: ContenderStanding;
  /** Why it stopped or could not start, in words. */
  why?: string;
  run?: string;
  /** The plan file that the run works on: relative to the repository's root, or absolute. */
  plan?: string;
  branch?: string;
  /** Its own working tree, while it exists. */
  worktree?: string;
  exit?: number;
  tasks?: Readonly<{ closed: number; total: number; unchecked: number }>;
  /** Check results after a task's work, and at the end. */
  checks?: Readonly<{ green: number; red: number }>;
  tally?: Tally;
  /** By the clock, however many tasks were worked on at once; milliseconds. */
  atWorkMs?: number;
  /** How often a person had to act. */
  interventions?: number;
  /** What its commits changed, apart from the plan's file. */
  difference?: Readonly<{ files: number; insertions: number; deletions: number }>;
  review?: ReviewOutcome;
}>;

/** Several runs side by side. `comparison`: its id, and `base` its commit, if one command made them. */
export type Comparison = Readonly<{
  comparison?: string;
  plan?: string;
  base?: string;
  contenders: readonly Contender[];
}>;

/** What a run's journal says about it. */
export function measureRun(
  name: string,
  { facts, state, stats }: Readonly<{ facts: readonly Stamped<Fact>[]; state: RunState; stats: RunStats }>,
): Contender {
  const { started, worktree, ended } = state;
  const tasks = [...state.tasks.values()];
  const why = ended?.finished ? undefined : ended?.reasons.find(({ exit }) => exit !== 0)?.text;
  return {
    name,
    standing: ended === undefined ? 'running' : ended.finished ? 'finished' : 'stopped',
    run: started.run,
    plan: started.plan,
    branch: started.branch,
    tasks: {
      closed: stats.closed,
      total: stats.total,
      unchecked: tasks.filter((task) => proofWordOf(task) === 'unchecked').length,
    },
    checks: countChecks(facts),
    tally: stats.whole,
    atWorkMs: stats.interventions.atWorkMs,
    interventions: stats.interventions.list.length,
    ...defined({ why, worktree: worktree?.path, exit: ended?.exit, difference: ended?.difference }),
  };
}

/** Agent and model, for a run that nobody named. */
export function nameOfRun({ started }: Pick<RunState, 'started'>): string {
  return started.model === undefined ? started.agent : `${started.agent}:${started.model}`;
}

/** Counts findings by severity. */
export function countFindings(found: readonly Readonly<{ severity: Severity }>[]): FindingCounts {
  return Object.fromEntries(
    severities.map((severity) => [severity, found.filter((each) => each.severity === severity).length]),
  ) as FindingCounts;
}

function countChecks(facts: readonly Stamped<Fact>[]): NonNullable<Contender['checks']> {
  const ended = facts.flatMap((fact) =>
    fact.type === 'check-ended' && afterWork.has(fact.when) && fact.result !== 'interrupted'
      ? fact.result
      : [],
  );
  const green = ended.filter((result) => result === 'green').length;
  return { green, red: ended.length - green };
}

/** Checks before the work say nothing about it. */
const afterWork: ReadonlySet<string> = new Set(['after', 'verify', 'at-end', 'fresh']);
