// Clocks and caps that have one right value, so that there is no setting for them.

const minute = 60_000;

export const fixed = {
  /** A check that runs before the work starts. */
  trialMs: 5 * minute,
  /** One git command. */
  gitMs: 2 * minute,
  /** One commit with its hooks. */
  commitMs: 15 * minute,
  /** A usage limit that resets within this is waited for, even if another agent could continue. */
  nearMs: 15 * minute,
  /** The longest pause after an outage of the service or a crash of the agent. */
  backoffMs: 5 * minute,
  /** Crashes of the agent in a row, each followed by a pause, before the run stops. */
  backoffs: 5,
  /** Failed checks are sent back into the same session only if they took less. */
  correctUnderMs: 4 * minute,
  /** How often pawl may be killed in a row in one task before that fails; outside of tasks, before the run ends. */
  cutOffs: 3,
  /** Calls of one tool with the same input, while no file changes, that end a session as stuck. */
  repeats: 50,
  /** How many times a run may change its plan. */
  replans: 2,
  /** How often the open work of a running session is carried. */
  carryEveryMs: 5 * minute,
  /** How long a task waits for a slow remote before it closes without it. */
  carryPatienceMs: 2 * minute,
  /** Ignored files that rescue points hold, up to 1 MB each. */
  rescued: ['.env*'] as readonly string[],
  /**
   * How often CI is looked at; how long its jobs may take to appear after a push, until which nothing is green; and how long
   * the first of them may take where the commit defines jobs.
   */
  ciEveryMs: 20_000,
  ciSettleMs: minute,
  ciLateMs: 5 * minute,
  /** New files, and smaller ones that grow, in megabytes. */
  maxFileMb: 10,
  /** A worker takes no plans while less is free on its disk. */
  minDiskGb: 2,
  /** How long after its worker's last sign of life a job is given to another. */
  heartbeatMs: minute / 2,
  /** Finished runs whose folders are kept. */
  keptRuns: 20,
  /** Reviewers at the same time. */
  reviewers: 5,
  /** The proof of one finding, and those of a round together. */
  proofMs: 2 * minute,
  proofsMs: 10 * minute,
  /** Processes and threads in a container. */
  pids: 1_024,
};
