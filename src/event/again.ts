// The command by which a person goes on with a run, as every hint names it. It runs none.

/** What it depends on: where the run works, and the queue it was last started in. */
type Where = Readonly<{
  started: Readonly<{ plan: string; branch: string }>;
  queue?: Readonly<{ base: string }>;
}>;

/** The command, `options` each followed by a blank. A queue ends on the branch it began on: the run's own comes first then. */
export function commandAgain({ started, queue }: Where, options = ''): string {
  const run = `pawl run ${options}${started.plan}`;
  return queue === undefined || queue.base === started.branch
    ? run
    : `git switch ${started.branch} && ${run}`;
}
