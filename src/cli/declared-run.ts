// Declares the commands that run plans.
import { answerOptions, planOptions, proveOptions, reviewOptions } from '../start/command-options.ts';
import { jsonOption, runOptions } from '../start/run-options.ts';
import { inGroup, runWord } from './command.ts';

export const runCommands = inGroup('Run plans', {
  run: {
    daily: true,
    says: 'Run a plan, or resume its unfinished run.',
    examples: [
      ['pawl run docs/plans/login.md', 'every open task, checked and committed one by one'],
      ['pawl run login.md --dry-run', 'shows what would be done; changes nothing'],
      ['pawl run login.md --max-cost 10 --keep-going', 'overnight, with a budget'],
    ],
    args: {
      '[plan...]': {
        says: 'Plans by path, name, part of the name or a run’s id, run one after another; default: the plan of the last run if it is unfinished, otherwise the only one in docs/plans/.',
        names: 'plan',
      },
    },
    options: runOptions,
    usual: [
      '--task',
      '--review',
      '--dry-run',
      '--take-edits',
      '--trust',
      '--require',
      '--jobs',
      '--keep-going',
      '--worktree',
      '--sandbox',
      '--web',
      '--agent',
      '--model',
      '--max-cost',
      '--max-time',
    ],
    windsDown: true,
    load: async () => (await import('./run.ts')).runPlan,
  },
  prove: {
    daily: true,
    says: 'Show what the checks prove about the commits of a branch, whoever wrote them.',
    examples: [
      ['pawl prove', 'this branch against the default branch, by the checks of its settings'],
      ['pawl prove main..login', 'another branch; nothing is checked out here'],
    ],
    args: {
      '[plan]': {
        says: 'Plan whose checks are run, or commits such as main..login; default: this branch, by the checks of the settings.',
        names: 'plan',
      },
    },
    options: proveOptions,
    windsDown: true,
    load: async () => (await import('./prove.ts')).proveBranch,
  },
  hook: {
    says: 'Send an agent back to work if its checks prove nothing when it wants to stop: a hook for Claude Code or codex.',
    examples: [['pawl hook install claude', 'writes it into .claude/settings.json, and shows it']],
    args: {
      '<what>': { says: 'What to do.', choices: ['stop', 'install'] },
      '[agent]': { says: 'Agent to install it for.', choices: ['claude', 'codex'] },
    },
    windsDown: true,
    inSession: true,
    load: async () => (await import('./hook.ts')).hookCommand,
  },
  plan: {
    daily: true,
    says: 'Make a plan in a dialogue with a planner.',
    examples: [
      ['pawl plan "add caching to the API"', 'asks, drafts, and writes what you accept'],
      ['pawl plan --from notes.md -o cache.md', 'from notes, a spec, another plan'],
    ],
    args: { '[text...]': 'What you want; - for stdin. With --resume: the dialogue to resume.' },
    options: planOptions,
    windsDown: true,
    load: async () => (await import('./plan.ts')).makePlan,
  },
  review: {
    daily: true,
    says: 'Review the changes of a branch, and have findings fixed.',
    examples: [
      ['pawl review --plan docs/plans/login.md', 'checked against the plan’s goal and criteria'],
      ['pawl review --report-only --fail-on major', 'in CI: reports findings, changes nothing'],
    ],
    options: reviewOptions,
    windsDown: true,
    load: async () => (await import('./review.ts')).reviewBranch,
  },
  'pr answer': {
    says: 'Have the comments on the pull or merge request of this branch fixed, or rejected with a reason, and answered.',
    examples: [['pawl pr answer', 'what is not answered yet, of people who may write there']],
    args: { '[run]': runWord('the last on this branch') },
    options: answerOptions,
    windsDown: true,
    load: async () => (await import('./review.ts')).answerRequest,
  },
  lint: {
    daily: true,
    says: 'Check plans for mistakes; show line and remedy.',
    examples: [
      ['pawl lint login.md --run-checks', 'finds checks that pass before the work'],
      ['pawl lint login.md --jobs 4', 'also shows what keeps its tasks from running side by side'],
    ],
    args: { '[plan...]': { says: 'Plans; default: docs/plans/*.md.', names: 'plan' } },
    options: {
      '--strict': 'Warnings are errors.',
      '--run-checks': 'Run the checks; one that passes before the work proves nothing.',
      '--jobs <n>': {
        says: 'Also report what keeps this many tasks from running side by side; default: the setting jobs.',
        atLeast: 1,
      },
      ...jsonOption,
    },
    windsDown: true,
    inSession: true,
    load: async () => (await import('./lint.ts')).lintPlans,
  },
  import: {
    says: 'Convert another tool’s task list into a plan, without a model.',
    examples: [
      ['pawl import .taskmaster/tasks/tasks.json -o plan.md', 'Task Master; --tag chooses one of its lists'],
      ['pawl import --issue 12 -o plan.md', 'a GitHub issue, read with gh'],
    ],
    args: { '[file]': 'File to convert; - for stdin.' },
    options: {
      '-o, --output <file>': 'New file to write; default: stdout.',
      '--issue <n>': { says: 'Convert this issue of the repository, read with gh.', atLeast: 1 },
      '--tag <tag>': 'The Task Master list to convert.',
      '--checks': 'Turn commands in the text into checks. Read them first: somebody else wrote them.',
    },
    windsDown: true,
    load: async () => (await import('./import.ts')).importPlan,
  },
});
