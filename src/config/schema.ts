// Every setting: its shape, its default, its meaning in one line. Defaults, JSON Schema, `--help` and the README's table
// are made from here. It reads no file and no environment.
import { z } from 'zod';
import { agentSchema, rolesSchema } from './agent-settings.ts';
import { duration } from './duration.ts';
import { count, dollars, list, text } from './form.ts';
import { sandboxSchema } from './sandbox-settings.ts';
import { reviewSchema } from './stages.ts';

/** As git check-ref-format --branch takes them (2.39). */
const branchForm =
  /^(?![-./]|HEAD$|@$)(?!.*(?:\.\.|@\{|\/[./]|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u;
const branchName = (meaning: string) =>
  z.string().regex(branchForm, 'that git takes as the name of a branch').describe(meaning);

const task = z.strictObject({
  attempts: count('Fresh sessions a task may take before it is failed.').min(1).prefault(3),
  corrections: count('Red results sent back into one open session.').prefault(2),
  correctUnder: duration('Checks that take longer are not corrected in the same session.').prefault('4m'),
  escalate: text('Model for attempts after the same failure twice. As model[:effort].').optional(),
  repeats: count(
    'Calls of one tool with the same input, while no file changes, that end a session as stuck. 0: never.',
  ).prefault(50),
});

const check = z.strictObject({
  evidenceKb: count('Most kilobytes of check output that go back to the agent.').min(1).prefault(24),
});

const commit = z.strictObject({
  allow: list(
    'Globs of files that may be committed although they look secret, are or have grown big, or lie where packages are installed.',
  ).prefault([]),
  include: list('Globs of files, untracked when the run started, that may be committed.').prefault([]),
  maxFileMb: z
    .number()
    .positive()
    .describe('Largest new file that is committed, and most that a smaller one may grow to, megabytes.')
    .prefault(10),
  subject: text('Subject line; {title}, {task} and {plan} are replaced.').prefault('{title}'),
  author: text('Author of pawl’s commits, as Name <mail>; absent: git’s own identity.').optional(),
  coAuthor: text('Adds a Co-Authored-By line with this value; absent: none.').optional(),
});

const rescue = z.strictObject({
  include: list('Globs of ignored files that a rescue holds, up to 1 MB each.').prefault(['.env*']),
  maxFileMb: z.number().positive().describe('Largest new file that a rescue copies, megabytes.').prefault(10),
});

const clocks = z.strictObject({
  firstEvent: duration('No line from the agent after the first message.').prefault('90s'),
  silence: duration(
    'Nothing at all while the model works; heartbeats and pieces of a reply reset it.',
  ).prefault('10m'),
  api: duration('No model content, however many retry notices.').prefault('15m'),
  tool: duration('One tool call open, heartbeats or not.').prefault('60m'),
  session: duration('Working time of one session.').prefault('4h'),
  drain: duration('From the close of the agent’s input to its end.').prefault('15s'),
  interrupt: duration('From interrupt to TERM.').prefault('5s'),
  term: duration('From TERM to KILL.').prefault('10s'),
  cost: duration('Between two questions for what a session has cost so far.').prefault('15s'),
  reply: duration(
    'Answer to a question for the cost; after three without one the agent is not asked again.',
  ).prefault('5s'),
  check: duration('One check.').prefault('30m'),
  trial: duration('One check that is only tried before any work, if `check` is not less.').prefault('5m'),
  git: duration('One git command.').prefault('2m'),
  commit: duration('One commit with its hooks.').prefault('15m'),
});

const limits = z.strictObject({
  maxWait: duration(
    'Longest wait for a usage limit or an outage of the agent’s service; beyond it the run stops resumably.',
  ).prefault('6h'),
  backoff: duration(
    'Longest pause before a service that failed, or a crashed agent, is tried again.',
  ).prefault('5m'),
  backoffs: count('Crashes of the agent in a row, each followed by a pause, before the run stops.').prefault(
    5,
  ),
  startBelow: z
    .number()
    .gt(0)
    .max(1)
    .describe(
      'No session begins in a usage window fuller than this (0.95: 95 %) while its reset is within maxWait; absent: the limit cuts sessions off, and they are continued after it.',
    )
    .optional(),
});

const budgets = z.strictObject({
  maxCost: dollars('US dollars the run may spend; absent: no cap.').optional(),
  day: dollars(
    'US dollars that all runs of the repository may spend in one local day; absent: no cap.',
  ).optional(),
  maxTokens: count('Tokens of all classes the run may use; absent: no cap.').min(1).optional(),
  maxTime: duration(
    'Time the run may take, e.g. 8h, not counting while it is paused or stopped; absent: no cap.',
  ).optional(),
  maxSessions: count(
    'Sessions the run may start; absent: 5 × tasks + 20, and what the rounds of the review may need.',
  )
    .min(1)
    .optional(),
});

const worktree = z.strictObject({
  copy: list('Globs of untracked files that a run’s own working tree gets, e.g. .env.').prefault([]),
  setup: text('Command run once in a new working tree, before any check, e.g. npm ci.').optional(),
  portStep: count('PAWL_PORT_OFFSET of the first working tree; the next has twice as much.')
    .min(1)
    .prefault(100),
});

const finalize = z.strictObject({
  prompt: text(
    'What one session does after a review that ended well, e.g. squash the commits into one; absent: there is none.',
  ).optional(),
});

const journal = z.strictObject({
  keep: count('Finished runs whose folders are kept.').min(1).prefault(20),
});

/** The whole configuration; unknown keys are errors. */
export const configSchema = z.strictObject({
  agent: agentSchema.prefault({}),
  roles: rolesSchema.prefault({}),
  task: task.prefault({}),
  checks: list('Plan checks for plans that name none.').prefault([]),
  check: check.prefault({}),
  baseline: z
    .enum(['stop', 'warn', 'skip'])
    .describe('What to do when checks are red before the first task.')
    .prefault('warn'),
  tamper: z
    .enum(['warn', 'fail'])
    .describe('Whether signs of test tampering make an attempt red.')
    .prefault('warn'),
  replan: z
    .enum(['never', 'on-failure', 'on-request', 'after-each-task'])
    .describe('When a planner may change the open tasks; each choice includes the ones before it.')
    .prefault('on-failure'),
  replanPolicy: z
    .enum(['strict', 'free'])
    .describe(
      'strict: a planner may drop no task and weaken no check. free: it may, and the report says what it did.',
    )
    .prefault('strict'),
  replans: count(
    'How often a run may ask a planner for another plan; one that leaves the plan as it is does not count.',
  ).prefault(2),
  branch: branchName(
    'Branch of the run; absent: named after the plan when on the default branch.',
  ).optional(),
  worktree: worktree.prefault({}),
  sandbox: sandboxSchema.prefault({}),
  commit: commit.prefault({}),
  rescue: rescue.prefault({}),
  clocks: clocks.prefault({}),
  limits: limits.prefault({}),
  budgets: budgets.prefault({}),
  journal: journal.prefault({}),
  review: reviewSchema.prefault({}),
  finalize: finalize.prefault({}),
  archive: z.boolean().describe('Moves a finished plan to completed/ beside it.').prefault(true),
  keepAwake: z
    .boolean()
    .describe('Keeps the machine from sleeping while a run works, by systemd-inhibit or caffeinate.')
    .prefault(true),
  allowUnchecked: z
    .boolean()
    .describe('Tasks closed without a check’s proof do not change the exit code.')
    .prefault(false),
  keepGoing: z
    .boolean()
    .describe('Goes on with independent tasks after a failed or parked one.')
    .prefault(false),
  strict: z.boolean().describe('Lint warnings of the plan are errors.').prefault(false),
});

/** The configuration as the program uses it; durations are milliseconds. */
export type Config = z.output<typeof configSchema>;
