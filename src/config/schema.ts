// Every setting. Defaults, JSON Schema, `--help` and docs/settings.md are generated from here.
import { z } from 'zod';
import { defined } from '../defined.ts';
import {
  agentSchema,
  loginsOf,
  programsOf,
  programsSchema,
  rolesSchema,
  sandboxSchema,
} from './agent-settings.ts';
import { choice, count, dollars, duration, flag, list, loosens, runs, text } from './form.ts';
import { meanings } from './meanings.ts';
import { readStages, reviewSchema } from './stages.ts';

const fleetSchema = runs(
  z.strictObject({
    url: text(
      'Address of the fleet’s PostgreSQL database, e.g. postgres://pawl@db.example.org/pawl. PAWL_FLEET_URL sets it, too. Not allowed in a project’s file.',
    ).optional(),
    repos: list(
      'Repositories whose plans a worker here may run, each as its URL; * stands for one name, e.g. https://git.example.org/team/*. Not allowed in a project’s file.',
    ).prefault([]),
    slots: count('Plans that a worker here runs side by side. Not allowed in a project’s file.')
      .min(1)
      .prefault(1),
  }),
);

/** As git check-ref-format --branch (2.39) accepts them. */
const branchForm =
  /^(?![-./]|HEAD$|@$)(?!.*(?:\.\.|@\{|\/[./]|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u;
const branchName = (meaning: string) =>
  z.string().regex(branchForm, 'that git takes as the name of a branch').describe(meaning);

const task = z.strictObject({
  attempts: count('Number of sessions for a task before it fails.').min(1).prefault(3),
  corrections: count('How many times failed checks are sent back into one session.').prefault(2),
  escalate: text(
    'Model for the attempts after the same failure happened twice, as model[:effort].',
  ).optional(),
});

const commit = z.strictObject({
  include: loosens(
    list(
      'Globs of files that may be committed although they look secret, are too big, are in a folder of installed packages, or were untracked when the run started.',
    ),
  ).prefault([]),
  subject: text(
    'Subject line of commits, e.g. `feat: {title}`; {title}, {task} and {plan} are replaced; {title:lower} begins with a small letter. In commits of the plan alone, {title} is “plan: …”.',
  ).prefault('{title}'),
  coAuthor: text('Value of a Co-Authored-By line in every commit; default: no such line.').optional(),
});

const clocks = z.strictObject({
  silence: duration(
    'Time limit without any output while the model works; heartbeats and parts of a reply count as output.',
  ).prefault('10m'),
  session: duration('Time limit for the work of one session.').prefault('4h'),
  check: duration('Time limit for one check.').prefault('30m'),
  ci: duration('How long a run waits for CI of a commit that it pushed.').prefault('2h'),
});

const limits = z.strictObject({
  maxWait: duration(
    'Longest wait for a usage limit or an outage of the agent’s service; beyond it the run stops and can be resumed.',
  ).prefault('6h'),
});

const budgets = z.strictObject({
  maxCost: dollars(meanings['budgets.maxCost'].says).optional(),
  day: dollars(
    'US dollars that all runs of the repository may spend in one local day; default: no limit.',
  ).optional(),
  maxTokens: count('Tokens of all kinds that the run may use; default: no limit.').min(1).optional(),
  maxTime: duration(meanings['budgets.maxTime'].says).optional(),
  maxSessions: count(
    'Sessions that the run may start; default: 5 × tasks + 20, plus what the review rounds may need.',
  )
    .min(1)
    .optional(),
});

const worktree = z.strictObject({
  copy: loosens(
    list('Globs of untracked files that are copied into every working tree that pawl makes, e.g. .env.'),
  ).prefault([]),
  clone: loosens(
    list(
      'Globs of untracked files and folders that are cloned into every working tree that pawl makes, beside what is installed (node_modules, .venv, …); their content is not copied where the file system can share it.',
    ),
  ).prefault([]),
  setup: runs(
    text('Command that is run once in a new ground or lane, before any check, e.g. npm ci.'),
  ).optional(),
});

const carry = z.strictObject({
  remote: runs(text(meanings['carry.remote'].says)).optional(),
  machine: text('Name by which other machines know this one; default: its host name.').optional(),
});

const finalize = z.strictObject({
  prompt: runs(
    text(
      'Prompt of one last session after a review that ended well, whose work is checked and committed; default: no such session.',
    ),
  ).optional(),
  squash: flag(
    'Whether a run that ends well makes one commit of its commits. A ref under refs/pawl/ keeps the old ones.',
  ).prefault(false),
});

const forge = z.strictObject({
  kind: choice(
    ['auto', 'github', 'gitlab'],
    'Which forge the remote of a request is on. auto: as the name of its host says.',
  ).prefault('auto'),
  draft: flag('Whether a request is a draft until nothing speaks against it.').prefault(false),
});

const ci = z.strictObject({
  mode: choice(
    ['wait', 'off'],
    'Whether a run with --pr waits for CI and has what is red mended. off: it ends once the request is open.',
  ).prefault('wait'),
  rounds: count('How many times what CI finds red is given to a session.').prefault(3),
});

export const occasionSchema = z.enum([
  'needs-input',
  'stuck',
  'failed',
  'budget',
  'limit',
  'agent-switched',
  'review',
  'crash',
  'done',
  'task-done',
]);

export type Occasion = z.infer<typeof occasionSchema>;

const notifySchema = z.strictObject({
  urls: runs(
    list(
      'Where messages go, each as a URL, e.g. ntfys://ntfy.sh/my-topic (docs/messages.md). PAWL_NOTIFY sets them, too. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  on: loosens(
    z
      .array(occasionSchema)
      .describe(
        `What messages are about: ${occasionSchema.options.join(', ')}. Not allowed in a project’s file.`,
      ),
  ).prefault(occasionSchema.options.filter((occasion) => occasion !== 'task-done')),
});

/** Unknown keys are errors. */
export const configSchema = z
  .strictObject({
    agent: agentSchema.prefault({}),
    agents: programsSchema.prefault({}),
    roles: rolesSchema.prefault({}),
    task: loosens(task.prefault({})),
    checks: runs(list('Checks for every task of plans that define none of their own.')).prefault([]),
    jobs: count(meanings.jobs.says).min(1).prefault(1),
    baseline: loosens(
      choice(
        ['auto', 'warn', 'skip'],
        'What to do if checks fail before the first task. auto: ask at a terminal, stop elsewhere, unless a task names the check. warn: begin all the same. skip: do not run them.',
      ),
    ).prefault('auto'),
    verify: loosens(
      choice(['fresh', 'off'], 'Whether the checks run again at the end, in a fresh checkout of the branch.'),
    ).prefault('fresh'),
    prove: loosens(
      choice(
        ['off', 'report', 'close'],
        'Whether experiments are made on each closed task: its tests without its work, its work with the configuration and tests of before. report: while the next task is worked on. close: before a task closes, which it may only as proven; else its session is told once, then a person is asked.',
      ),
    ).prefault('report'),
    tamper: loosens(
      choice(['warn', 'fail'], 'Whether signs of tampering with tests make an attempt fail.'),
    ).prefault('warn'),
    replan: loosens(
      choice(
        ['never', 'on-failure', 'on-request', 'after-each-task'],
        'When a planner may change the open tasks; each value includes the ones before it.',
      ),
    ).prefault('on-failure'),
    branch: branchName(meanings.branch.says).optional(),
    worktree: worktree.prefault({}),
    sandbox: sandboxSchema.prefault({}),
    commit: commit.prefault({}),
    clocks: loosens(clocks.prefault({})),
    limits: loosens(limits.prefault({})),
    budgets: loosens(budgets.prefault({})),
    carry: carry.prefault({}),
    fleet: fleetSchema.prefault({}),
    notify: notifySchema.prefault({}),
    review: reviewSchema.prefault({}),
    finalize: finalize.prefault({}),
    forge: forge.prefault({}),
    ci: loosens(ci.prefault({})),
    archive: flag('Move a finished plan into the folder completed/ beside it.').prefault(true),
    require: loosens(choice(meanings.require.choices, meanings.require.says)).prefault('passed'),
    waitForAnswer: duration(
      'How long a run waits for a person’s answer when it can do nothing else; default: at a terminal until it comes, elsewhere not at all.',
    ).optional(),
    keepGoing: loosens(flag(meanings.keepGoing.says)).prefault(false),
    strict: flag('Treat lint warnings of the plan as errors.').prefault(false),
  })
  .transform(({ agents, review, ...config }) => ({
    ...config,
    review: { stages: readStages(review.stages) },
    agent: {
      ...config.agent,
      claude: { ...config.agent.claude, ...readModel(config.agent.claude.model) },
      codex: { ...config.agent.codex, ...readModel(config.agent.codex.model) },
      ...programsOf(agents),
      logins: loginsOf(agents),
    },
  }));

/** Durations are milliseconds. */
export type Config = z.output<typeof configSchema>;

/** Absent: the CLI's default. */
export type ModelChoice = Readonly<{ model?: string; effort?: string }>;

/**
 * Ids may contain colons too, as Amazon Bedrock's (`…-v1:0`, `arn:aws:…`): only letters after the last are an effort.
 */
export function readModel(wanted = ''): ModelChoice {
  const [, model = wanted, effort] = /^(.*):([a-z]+)$/i.exec(wanted) ?? [];
  return defined({ model: model === '' ? undefined : model, effort });
}
