// The settings of the agents, and of who does what with which model: shape, default, meaning. It starts none.
import { z } from 'zod';
import { agentNames } from './agent-name.ts';
import { list, text } from './form.ts';

const claude = z.strictObject({
  command: text('Program of Claude Code: a name in PATH or a path.').prefault('claude'),
  args: list('Arguments put before pawl’s own.').prefault([]),
  model: text('Model alias or id; absent: the CLI’s default.').optional(),
  effort: text('Effort word, e.g. high; absent: the CLI’s default.').optional(),
  permissions: z
    .enum(['bypass', 'acceptEdits', 'dontAsk'])
    .describe('What the agent may do without asking. bypass: everything; nobody is there to answer.')
    .prefault('bypass'),
  apiKey: z
    .enum(['auto', 'keep', 'drop'])
    .describe('ANTHROPIC_API_KEY of the environment. auto: dropped only when another login exists.')
    .prefault('auto'),
  input: z
    .enum(['auto', 'stream', 'text'])
    .describe(
      'stream: a conversation with corrections. text: stdin is closed after the prompt, for wrappers. auto: text for a command named …-as-claude, else stream.',
    )
    .prefault('auto'),
});

const script = z.strictObject({
  command: text('Any executable: the prompt comes on stdin and as a file, its first argument.').optional(),
  args: list('Arguments put before the prompt file.').prefault([]),
  reportsCost: z
    .boolean()
    .describe('It prints stream-json whose results name cost and tokens, so that budgets can hold it.')
    .prefault(false),
});

const codex = z.strictObject({
  command: text('Program of OpenAI’s codex: a name in PATH or a path.').prefault('codex'),
  args: list('Arguments put before pawl’s own.').prefault([]),
  model: text('Model id; absent: the CLI’s default.').optional(),
  effort: text('Effort word, e.g. high; absent: the CLI’s default.').optional(),
  sandbox: z
    .enum(['none', 'workspace-write'])
    .describe('codex’s own sandbox for sessions that may write; reviewers are always read-only.')
    .prefault('none'),
});

/** The settings under `agent`. */
export const agentSchema = z.strictObject({
  name: z.enum(agentNames).describe('The agent that does the work.').prefault('claude'),
  claude: claude.prefault({}),
  codex: codex.prefault({}),
  script: script.prefault({}),
});

const role = (meaning: string) => text(`${meaning} As model[:effort].`).optional();

/** The settings under `roles`. */
export const rolesSchema = z.strictObject({
  plan: role('Model of planning sessions.'),
  task: role('Model of task sessions.'),
  review: role('Model of reviewers.'),
  fix: role('Model of the fixer.'),
  replan: role('Model of re-planning sessions.'),
});
