// The commands that run plans, see and steer, as data. It loads none of them.
import type { CommandSpec, OptionSpec } from './command.ts';
import { planOptions } from './dialogue/options.ts';
import { reviewOptions } from './review-options.ts';
import { runOptions } from './run-options.ts';

const json: OptionSpec = { flags: '--json', says: 'The same as JSON on stdout.' };
const plan = { name: '[plan]', says: 'Plan file; absent: that of the run worked on last.' };

/** Of several forms of the same only one is printed. */
function oneForm(...others: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    others.map((flag) => [flag, 'Leave one of them out: they are forms of the same.']),
  );
}

const doing = 'Run plans';
const seeing = 'See and steer';

/** Commands for the daily work. */
export const workCommands: readonly CommandSpec[] = [
  {
    name: 'run',
    group: doing,
    says: 'Run a plan, or go on with an unfinished run of it.',
    examples: [
      ['pawl run docs/plans/login.md', 'every open task, checked and committed one by one'],
      ['pawl docs/plans/login.md', 'the same, shorter'],
      ['pawl run login.md --dry-run', 'what would be done; touches nothing'],
      ['pawl run login.md search.md', 'one after the other, each on its own branch'],
      ['pawl run login.md --max-cost 10 --keep-going', 'a night with a cap'],
      ['pawl run login.md --json --trust-hash 3f…', 'in CI'],
    ],
    args: [{ name: '[plan...]', says: 'Plan files, run in turn.' }],
    options: runOptions,
    windsDown: true,
    load: async () => (await import('./run.ts')).runPlan,
  },
  {
    name: 'plan',
    group: doing,
    says: 'Make a plan in a dialogue with a planner.',
    examples: [
      ['pawl plan "add caching to the API"', 'asks, drafts, and writes what you accept'],
      ['pawl plan --from notes.md -o cache.md', 'from notes, a spec, another plan'],
      ['pawl plan --issue 12 --answers answers.yaml --yes', 'without a person'],
      ['pawl plan --resume', 'goes on with a dialogue that was left'],
    ],
    args: [
      { name: '[text...]', says: 'What is wanted; - for stdin. With --resume: the dialogue to continue.' },
    ],
    options: planOptions,
    windsDown: true,
    load: async () => (await import('./plan.ts')).makePlan,
  },
  {
    name: 'review',
    group: doing,
    says: 'Review what a branch has done, and have what is wrong fixed.',
    examples: [
      ['pawl review', 'all since the branch left the default one'],
      ['pawl review --plan docs/plans/login.md', 'held against the plan’s goal and criteria'],
      ['pawl review --base HEAD~3 --stage final', 'the last three commits, by one stage'],
      ['pawl review --report-only --fail-on major', 'in CI: tells, changes nothing'],
    ],
    args: [],
    options: reviewOptions,
    windsDown: true,
    load: async () => (await import('./review.ts')).reviewBranch,
  },
  {
    name: 'lint',
    group: doing,
    says: 'Check plans for mistakes, with line and remedy.',
    examples: [
      ['pawl lint', 'all of docs/plans/'],
      ['pawl lint login.md --strict', 'warnings are errors'],
      ['pawl lint login.md --run-checks', 'finds checks that pass before the work'],
    ],
    args: [{ name: '[plan...]', says: 'Plan files; absent: docs/plans/*.md.' }],
    options: [
      { flags: '--strict', says: 'Warnings are errors.' },
      { flags: '--run-checks', says: 'Run the checks; one that passes before the work proves nothing.' },
      json,
    ],
    windsDown: true,
    inSession: true,
    load: async () => (await import('./lint.ts')).lintPlans,
  },
  {
    name: 'import',
    group: doing,
    says: 'Make a plan of another tool’s task list, without a model.',
    examples: [
      ['pawl import .taskmaster/tasks/tasks.json -o plan.md', 'Task Master; --tag names a list of it'],
      ['pawl import prd.json -o plan.md', 'a Ralph loop’s'],
      ['pawl import --issue 12 -o plan.md', 'a GitHub issue, by gh'],
      ['pawl import body.md', 'a saved one; prints the plan'],
    ],
    args: [{ name: '[file]', says: 'File to convert; - for stdin.' }],
    options: [
      { flags: '-o, --output <file>', says: 'New file to write; absent: stdout.' },
      { flags: '--issue <n>', says: 'Convert this issue of the repository, by gh.', atLeast: 1 },
      { flags: '--tag <tag>', says: 'Which of Task Master’s lists.' },
      {
        flags: '--checks',
        says: 'Turn commands in the text into checks. Somebody else wrote them: read them first.',
      },
    ],
    windsDown: true,
    load: async () => (await import('./import.ts')).importPlan,
  },
  {
    name: 'edit',
    group: doing,
    says: 'Change a plan in $EDITOR, also while it runs.',
    examples: [
      ['pawl edit login.md', 'a copy, linted, taken at the next round'],
      ['pawl edit login.md --take 3', 'takes the edit that was set aside as number 3'],
    ],
    args: [{ name: '<plan>', says: 'Plan file.' }],
    options: [{ flags: '--take <n>', says: 'Take a set-aside edit, plan-NNN.proposed.md.', atLeast: 1 }],
    windsDown: true,
    load: async () => (await import('./edit.ts')).editPlan,
  },
  {
    name: 'status',
    group: seeing,
    says: 'Where a run stands.',
    examples: [
      ['pawl status', 'the run worked on last'],
      ['pawl status login.md --json', 'for scripts'],
    ],
    args: [plan],
    options: [{ flags: '--all', says: 'Every run that is kept.' }, json],
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  {
    name: 'logs',
    group: seeing,
    says: 'What happened in a run, from its journal and sessions.',
    examples: [
      ['pawl logs', 'the run worked on last'],
      ['pawl logs -f', 'and what happens next'],
      ['pawl logs --session 3', 'one session'],
    ],
    args: [plan],
    options: [
      { flags: '-f, --follow', says: 'Go on as it happens.' },
      { flags: '--session <n>', says: 'Only this session.', atLeast: 1 },
      { flags: '--raw', says: 'A session’s lines as the agent printed them.' },
      { flags: '-v, --verbose', says: 'Show more.' },
      json,
    ],
    load: async () => (await import('./logs.ts')).showLogs,
  },
  {
    name: 'report',
    group: seeing,
    says: 'The receipt of a run, fit for a pull request.',
    examples: [
      ['pawl report', 'the run worked on last'],
      ['pawl report login.md > body.md', 'for a pull request'],
      ['pawl report --junit > pawl.xml', 'for a CI server'],
    ],
    args: [plan],
    options: [
      { flags: '--run <id>', says: 'This run instead of the one worked on last.' },
      { flags: '--junit', says: 'As JUnit XML: a task is a test case.', excludes: oneForm('--json') },
      json,
    ],
    load: async () => (await import('./report.ts')).showReport,
  },
  {
    name: 'findings',
    group: seeing,
    says: 'What the review of a run found, by standing and severity.',
    examples: [
      ['pawl findings', 'of the run worked on last'],
      ['pawl findings --sarif > pawl.sarif', 'for code scanning'],
    ],
    args: [plan],
    options: [
      { flags: '--run <id>', says: 'This run instead of the one worked on last.' },
      { flags: '--sarif', says: 'As SARIF 2.1.0.', excludes: oneForm('--json', '--markdown') },
      { flags: '--markdown', says: 'As Markdown.', excludes: oneForm('--json') },
      json,
    ],
    load: async () => (await import('./findings.ts')).showFindings,
  },
  {
    name: 'stats',
    group: seeing,
    says: 'What runs cost, how long they took, how often a person had to act.',
    examples: [
      ['pawl stats', 'the run worked on last, by task, phase, role and model'],
      ['pawl stats 20260102 login.md', 'two runs side by side'],
      ['pawl stats --all', 'every run that is kept, together'],
      ['pawl stats --all --csv > runs.csv', 'for a spreadsheet'],
    ],
    args: [{ name: '[run...]', says: 'Runs by id, its beginning, or plan; absent: the one worked on last.' }],
    options: [
      { flags: '--all', says: 'Every run that is kept, or every one of the plans named.' },
      { flags: '--csv', says: 'As CSV, a line for each run and part of it.', excludes: oneForm('--json') },
      json,
    ],
    load: async () => (await import('./stats.ts')).showStats,
  },
];
