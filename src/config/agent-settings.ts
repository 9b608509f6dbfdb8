// The settings of the agents, of who works in which role, and of the sandbox they work in.
import { z } from 'zod';
import { type AcpName, acpNames, agentNames, type Login } from '../agent-name.ts';
import { choice, flag, list, loosens, runs, text } from './form.ts';
import { meanings } from './meanings.ts';

const claude = z.strictObject({
  command: runs(text('Program of Claude Code: a name in PATH or a path.').prefault('claude')),
  args: runs(list('Arguments put before pawl’s own.')).prefault([]),
  model: text('Model alias or id, as model[:effort]; default: the CLI’s own.').optional(),
  permissions: loosens(
    choice(
      ['bypass', 'auto', 'acceptEdits', 'dontAsk'],
      'What the agent may do without asking. bypass: everything, because nobody is there to answer. auto: the CLI itself blocks what destroys.',
    ),
  ).prefault('bypass'),
  apiKey: loosens(
    choice(
      ['auto', 'keep', 'drop'],
      'Whether the agent gets ANTHROPIC_API_KEY. auto: not if there is another login.',
    ),
  ).prefault('auto'),
  input: choice(
    ['auto', 'stream', 'text'],
    'stream: a conversation with corrections. text: stdin is closed after the prompt, for wrapper scripts. auto: text for a command named …-as-claude, else stream.',
  ).prefault('auto'),
});

const script = z.strictObject({
  command: runs(
    text('Any executable; it gets the prompt on stdin and, as a file, as its first argument.'),
  ).optional(),
  args: runs(list('Arguments put before the prompt file.')).prefault([]),
  reportsCost: loosens(
    flag('Whether it prints stream-json results with cost and tokens, so that budgets can be applied.'),
  ).prefault(false),
});

const codex = z.strictObject({
  command: runs(text('Program of OpenAI’s codex: a name in PATH or a path.').prefault('codex')),
  args: runs(list('Arguments put before pawl’s own.')).prefault([]),
  model: text('Model id, as model[:effort]; default: the CLI’s own.').optional(),
});

const program = z.strictObject({
  command: text('A name in PATH or a path.').optional(),
  args: list('Arguments put before those that pawl knows for it.').optional(),
  env: z.record(z.string().min(1), z.string()).describe('Environment variables to set for it.').optional(),
  mode: text('The agent’s own mode; default: the one in which it asks nothing.').optional(),
  model: text('Model id; default: the CLI’s own.').optional(),
});

const login = z.strictObject({
  use: z.enum(agentNames).exclude(['script']),
  env: z.record(z.string().min(1), z.string()),
});

const isShipped = (name: string) => agentNames.some((each) => each === name);
const isProgram = (name: string) => acpNames.some((each) => each === name);

export const programsSchema = runs(
  z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.union([login, program]))
    .refine((all) =>
      Object.entries(all).every(([name, of]) => ('use' in of ? !isShipped(name) : isProgram(name))),
    )
    .describe(
      `Programs that speak the Agent Client Protocol, by name: ${acpNames.slice(0, -1).join(', ')}, or acp for any other; of each: command, args, env, mode, model. Under a new name: another login of an agent that pawl knows, with use (that agent) and env (variables of its sessions).`,
    ),
);

type Programs = z.output<typeof programsSchema>;

export function loginsOf(set: Programs): Readonly<Record<string, Login>> {
  return Object.fromEntries(Object.entries(set).flatMap(([name, of]) => ('use' in of ? [[name, of]] : [])));
}

/** A path may begin with `~`, which no shell reads here. */
export function inHome({ use, env }: Login, home: string): Login {
  const whole = Object.entries(env).map(([key, value]) => [key, value.replace(/^~(?=\/|$)/, () => home)]);
  return { use, env: Object.fromEntries(whole) };
}

export type ProgramSettings = Readonly<{
  command: string | undefined;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  mode?: string | undefined;
  model?: string | undefined;
}>;

export function programsOf(set: Programs): Readonly<Record<AcpName, ProgramSettings>> {
  const rows = acpNames.map((name) => [
    name,
    { command: name === 'acp' ? undefined : name, args: [], env: {}, ...set[name] },
  ]);
  return Object.fromEntries(rows) as Readonly<Record<AcpName, ProgramSettings>>;
}

export const agentSchema = z.strictObject({
  name: runs(text(meanings['agent.name'].says)).prefault('claude'),
  fallback: runs(
    list(
      'Agents that continue, in this order, while the one before is at a usage limit that does not reset within 15 minutes.',
    ),
  ).prefault([]),
  claude: claude.prefault({}),
  codex: codex.prefault({}),
  script: script.prefault({}),
});

const role = (meaning: string) => text(`${meaning}, as model[:effort].`).optional();

export const rolesSchema = z.strictObject({
  plan: role('Model of planning and re-planning sessions'),
  task: text(meanings['roles.task'].says).optional(),
  review: role('Model of reviewers'),
  fix: role('Model of the fixer'),
});

export const sandboxSchema = z.strictObject({
  kind: loosens(choice(meanings['sandbox.kind'].choices, meanings['sandbox.kind'].says)).prefault('none'),
  image: runs(
    text('Existing image for the container; default: pawl builds one when it is missing.'),
  ).optional(),
  agents: runs(
    z
      .array(z.enum(agentNames))
      .describe('Agents that pawl’s own image has besides Claude Code and codex; their newest versions.'),
  ).prefault([]),
  setup: runs(
    text(
      'Command that is run as root as the last layer of the image, e.g. apt-get update && apt-get install -y python3.',
    ),
  ).optional(),
  mounts: loosens(
    list(
      'Folders of this machine that are visible inside, as HOST[:INSIDE][:rw]; read-only unless :rw is given. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  protect: loosens(
    list(
      'Files and folders of the working tree that are read-only inside, because programs of this machine run or obey them; FOLDER/* means the files in a folder. What a task lists under files: stays writable. Not allowed in a project’s file.',
    ),
  ).prefault([
    ...['.claude', '.mcp.json', '.pawl', '.codex', '.gemini', '.qwen', '.kimi', '.kimi-code'],
    ...['.github/hooks', '.github/copilot', '.github/mcp.json'],
    ...['.opencode', 'opencode.json', 'opencode.jsonc'],
    ...['.vscode', '.idea', '.devcontainer', '.envrc', '.husky/*'],
  ]),
  env: loosens(
    list(
      'Environment variables for programs inside, as NAME or NAME=value. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  egress: loosens(
    choice(
      ['restricted', 'open', 'none'],
      'Hosts that can be reached from inside. restricted: the agent’s API, package registries and sandbox.allow. open: every public address. none: the agent’s API only. Not allowed in a project’s file.',
    ),
  ).prefault('restricted'),
  allow: loosens(
    list(
      'More hosts that can be reached, as HOST, HOST:PORT, *.HOST or ADDRESS[/PREFIX]; a local address must be listed itself, and localhost:PORT is this machine’s port, by the same number inside. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  memory: loosens(
    z
      .string()
      .regex(/^\d+(\.\d+)?[kmg]$/i)
      .describe('Memory limit of the container, e.g. 4g.'),
  ).prefault('4g'),
});
