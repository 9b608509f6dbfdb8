// Clocks and caps that have one right value, so no setting.

const minute = 60_000;

export const fixed = {
  /** Of a check before the work. */
  trialMs: 5 * minute,
  gitMs: 2 * minute,
  /** With its hooks. */
  commitMs: 15 * minute,
  /** A usage limit that resets within this is waited for. */
  nearMs: 15 * minute,
  /** After an outage or a crash of the agent. */
  backoffMs: 5 * minute,
  /** Crashes in a row before the run stops. */
  backoffs: 5,
  /** Only faster checks are sent back into the same session. */
  correctUnderMs: 4 * minute,
  /** Kills of pawl in a row before the task fails, or the run. */
  cutOffs: 3,
  /** Same calls of one tool, while no file changes. */
  repeats: 50,
  replans: 2,
  carryEveryMs: 5 * minute,
  /** For a slow remote, before a task closes without it. */
  carryPatienceMs: 2 * minute,
  /** Ignored files that rescue points hold, up to 1 MB each. */
  rescued: ['.env*'] as readonly string[],
  /**
   * How often CI is looked at; how long its jobs may take to appear, until which nothing is green; and the first of
   * them where the commit defines jobs.
   */
  ciEveryMs: 20_000,
  ciSettleMs: minute,
  ciLateMs: 5 * minute,
  /** New files, and smaller ones that grow, in megabytes. */
  maxFileMb: 10,
  /** Less free disk, and a worker takes no plans. */
  minDiskGb: 2,
  /** After its worker's last sign of life, a job is given to another. */
  heartbeatMs: minute / 2,
  keptRuns: 20,
  reviewers: 5,
  /** One finding's proof, and those of a round. */
  proofMs: 2 * minute,
  proofsMs: 10 * minute,
  pids: 1_024,
};
