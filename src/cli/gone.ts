// Commands and options that are no more, and what serves instead: asked for before any guess at a spelling.

/** By the command's word, or the option's flag. */
export const gone: Readonly<Record<string, string>> = {
  agent: 'Run a small plan with it: pawl run PLAN --agent NAME',
  cap: "A day's budget: pawl run PLAN --set budgets.day=20; one run's: --max-cost",
  compare: 'pawl stats RUN RUN',
  discard: 'pawl undo 1 --with-later, or git branch -D of its branch and pawl run PLAN --fresh',
  edit: 'Any editor edits a plan. While it runs: pawl pause, edit, pawl continue',
  findings: 'pawl report --findings',
  worker: 'pawl fleet work',
  '--answers': 'Pipe a line for each answer, or --yes',
  '--baseline': 'pawl run PLAN --set baseline=warn',
  '--commit': 'pawl run commits the plan that it runs',
  '--csv': 'pawl stats --json',
  '--fallback': 'pawl run PLAN --set agent.fallback=codex',
  '--junit': 'pawl report --json',
  '--max-sessions': 'pawl run PLAN --set budgets.maxSessions=30',
  '--max-tokens': 'pawl run PLAN --set budgets.maxTokens=2000000',
  '--plan': 'It is --run now: pawl undo 1 --run PLAN',
  '--no-archive': 'pawl run PLAN --set archive=false',
  '--no-try-checks': 'pawl asks before it runs them',
  '--raw': 'pawl logs --follow --json, or tail -f of the streams in the folder of the run, .git/pawl/runs',
  '--replan': 'pawl run PLAN --set replan=never',
  '--remote':
    'git push origin --delete refs/pawl/RUN/carried removes one of those that are listed by pawl status --remote',
  '--repo': "Git's url.<base>.insteadOf",
  '--revert': 'git revert',
  '--session': '--task',
  '--start-after-reset': 'pawl run waits for the reset when it meets the limit',
  '--start-at': "at, cron or a systemd timer: echo 'pawl run PLAN' | at 02:00",
  '--tamper': 'pawl run PLAN --set tamper=fail',
  '--wait-for-answer': 'pawl run PLAN --set waitForAnswer=2h',
};
