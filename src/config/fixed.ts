// Clocks and caps that have one right value, so no setting.

const minute = 60_000;

export const fixed = {
  /** One check before the work. */
  trialMs: 5 * minute,
  gitMs: 2 * minute,
  /** One commit with its hooks. */
  commitMs: 15 * minute,
  /** A usage limit that resets within this is waited for, even with another agent. */
  nearMs: 15 * minute,
  /** The longest pause after an outage or a crash of the agent. */
  backoffMs: 5 * minute,
  /** Crashes of the agent in a row before the run stops. */
  backoffs: 5,
  /** Failed checks are sent back into the same session only if they took less. */
  correctUnderMs: 4 * minute,
  /** Kills of pawl in a row, with nothing ended in between, before the run stops. */
  cutOffs: 3,
  /** Most changes of its plan by a run. */
  replans: 2,
  /** How often the open work of a running session is carried. */
  carryEveryMs: 5 * minute,
  /** To a remote that was away. */
  carryAgainMs: minute / 4,
  /** At a run's end, to a remote that took it before. */
  carryTries: 3,
  /** For a slow remote, before a task closes without it. */
  carryPatienceMs: 2 * minute,
  /**
   * How often CI is looked at; how long its jobs may take to appear, until which nothing is green; and the first of
   * them where the commit defines jobs.
   */
  ciEveryMs: 20_000,
  ciSettleMs: minute,
  ciLateMs: 5 * minute,
  commentsEveryMs: minute,
  /** Less free disk, and a worker takes no plans. */
  minDiskGb: 2,
  /** This long after its worker's last sign of life, a job is given to another. */
  heartbeatMs: minute / 2,
  /** Finished runs whose folders are kept. */
  keptRuns: 20,
  /** At the same time. */
  reviewers: 5,
  /** One finding's proof, and those of a round. */
  proofMs: 2 * minute,
  proofsMs: 10 * minute,
  /** Processes and threads in a container. */
  pids: 1_024,
};
