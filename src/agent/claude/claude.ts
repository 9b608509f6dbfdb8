// Claude Code as an agent: what it can do and how it is started. Flags and variables as of 2.1.330; conversation.ts holds the
// protocol.
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { ClaudeConversation, promptOnly } from './conversation.ts';

/** Makes the agent `claude`. */
export function claudeAgent(settings: ClaudeSettings): Agent {
  const isConversation = speaksBoth(settings);
  const isWrapper = wrapper.test(settings.command);
  return {
    name: 'claude',
    can: {
      usage: !isWrapper,
      cost: !isWrapper,
      limits: !isWrapper,
      budget: !isWrapper,
      schema: !isWrapper,
      followUp: isConversation,
      idle: true,
      // A wrapper prints what another CLI said, as text.
      plainAnswer: !isConversation,
      // Only a conversation can be asked what the earlier part has cost.
      resume: isConversation,
    },
    pieces,
    firstEventHint: isConversation
      ? 'a wrapper that reads its input to the end needs agent.claude.input: text'
      : 'see whether the command works by hand',
    command: (request) => command(settings, request),
    open: () => (isConversation ? new ClaudeConversation() : promptOnly),
  };
}

/** How ralphex names its wrappers of other CLIs: they take the prompt to the end of stdin, and report no cost. */
const wrapper = /-as-claude(\.\w+)?$/;

function speaksBoth({ input, command }: ClaudeSettings): boolean {
  return input === 'stream' || (input === 'auto' && !wrapper.test(command));
}

function command(settings: ClaudeSettings, request: AgentRequest): AgentCommand {
  const isConversation = speaksBoth(settings);
  const own: (readonly [string, ...string[]])[] = [
    // Its short form takes a value in wrappers of other CLIs.
    ['--print'],
    ...(isConversation ? [['--input-format', 'stream-json'] as const] : []),
    ['--output-format', 'stream-json'],
    // stream-json refuses to start without it.
    ['--verbose'],
    // Without pieces a long reply is silence, and a thinking model looks like a dead one.
    ['--include-partial-messages'],
    ...option('--resume', request.resume),
    permissionFlag(settings.permissions),
    ...option('--model', request.model ?? settings.model),
    ...option('--effort', request.effort ?? settings.effort),
    ...option('--tools', request.tools?.join(',')),
    ['--disallowedTools', [...absentTools, ...(request.readOnly ? writingTools : [])].join(',')],
    ...option('--max-budget-usd', request.maxCostUsd?.toString()),
    ...option('--json-schema', request.schema && JSON.stringify(request.schema)),
    ['--settings', JSON.stringify(ownSettings)],
    ...(request.trusted ? [] : [['--setting-sources', 'user'] as const, ['--strict-mcp-config'] as const]),
  ];
  return {
    file: settings.command,
    args: [...settings.args, ...own.filter(([name]) => !isGiven(settings.args, name)).flat()],
    env: claudeEnvironment(settings),
    input: isConversation ? 'conversation' : 'prompt',
  };
}

function permissionFlag(permissions: ClaudeSettings['permissions']): readonly [string, ...string[]] {
  switch (permissions) {
    case 'bypass':
      return ['--dangerously-skip-permissions'];
    case 'acceptEdits':
    case 'dontAsk':
      return ['--permission-mode', permissions];
  }
}

function option(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

/** What keeps an untrusted repository out is never left to a user's extra argument. */
function isGiven(args: readonly string[], name: string): boolean {
  if (name === '--setting-sources' || name === '--strict-mcp-config') return false;
  if (name === '--print' && args.includes('-p')) return true;
  return args.some((arg) => arg === name || arg.startsWith(`${name}=`));
}

/**
 * Tools that make no sense where nobody is there to answer, that wait for a wake-up which never comes, or that move the
 * session to another folder. Names that a version does not know are ignored by the CLI.
 */
const absentTools = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'ScheduleWakeup',
  'CronCreate',
  'CronDelete',
  'CronList',
  'Monitor',
  'EnterWorktree',
  'ExitWorktree',
];

/** What a session has no use for that only reads; its commands run in a checkout that is thrown away. */
const writingTools = ['Edit', 'Write', 'NotebookEdit'];

/** pawl writes the commits: no co-author line, by the present key and the older one. Its own plugin is for a person's sessions, not for those of a run. */
const ownSettings = {
  attribution: { commit: '', pr: '' },
  includeCoAuthoredBy: false,
  enabledPlugins: { 'pawl@pawl': false },
};

/** The CLI prints `type` first on these lines; one that came otherwise would be read as any other. */
const pieces = ['{"type":"stream_event"', '{"type":"system","subtype":"thinking_tokens"'];

// The variables pawl adds to Claude Code's environment (2.1.330), each with its reason; most keep the CLI from waiting longer
// than pawl's own timeouts.

const minuteMs = 60_000;

/**
 * Retries the CLI may make. Its pauses (0.6, 1.1, 2.2, 4.8, 9, 18, 38 s) then add up to 75 s: enough for a hiccup, after
 * which pawl's own back-off, which is shown and journaled, takes over. The CLI's default is 10.
 */
const retries = 7;
const retryPausesMs = 75_000;

/** The CLI takes no shorter bound for silence within a stream. */
const leastByteIdleMs = 10_000;

/** The variables of one session; an `undefined` value removes a variable. */
function claudeEnvironment(settings: ClaudeSettings): Readonly<Record<string, string | undefined>> {
  const { silenceMs, apiMs, toolMs } = settings.clocks;
  const bashMaxMs = Math.min(55 * minuteMs, Math.round(toolMs * 0.9));
  // All tries of a dead API together stay under nine tenths of pawl's own clock.
  const requestMs = Math.max(5_000, Math.round((apiMs * 0.9 - retryPausesMs) / (retries + 1)));
  const byteIdleMs = Math.max(leastByteIdleMs, Math.min(5 * minuteMs, Math.round(silenceMs / 2)));
  return {
    // `session_state_changed idle` is the real end of a turn.
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    // Work in the background would outlive the turn that pawl checks.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Without background work a command is killed at its timeout, by default after 2 minutes: too short for a test suite.
    BASH_DEFAULT_TIMEOUT_MS: String(Math.min(20 * minuteMs, bashMaxMs)),
    BASH_MAX_TIMEOUT_MS: String(bashMaxMs),
    API_TIMEOUT_MS: String(requestMs),
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(byteIdleMs),
    // A start that fails is a result with a reason, not only text on stderr.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    // An updater of its own would be swept in the middle of its work.
    DISABLE_AUTOUPDATER: '1',
    ...(dropsKey(settings) ? { ANTHROPIC_API_KEY: undefined } : {}),
  };
}

function dropsKey(settings: ClaudeSettings): boolean {
  switch (settings.apiKey) {
    case 'keep':
      return false;
    case 'drop':
      return true;
    case 'auto':
      return settings.otherLogin;
  }
}

/** The settings under `agent.claude`, and what of the surroundings they depend on. */
export type ClaudeSettings = Readonly<{
  /** Program name or path. */
  command: string;
  /** Put before pawl's own arguments; an option that stands here is not given again. */
  args: readonly string[];
  /** Default model; a request's own wins. */
  model?: string | undefined;
  /** Default effort word; a request's own wins. */
  effort?: string | undefined;
  /** `bypass`: nothing is asked. `acceptEdits`, `dontAsk`: what would be asked is denied. */
  permissions: 'bypass' | 'acceptEdits' | 'dontAsk';
  /** What happens to `ANTHROPIC_API_KEY`; `auto`: dropped when another login exists. */
  apiKey: 'auto' | 'keep' | 'drop';
  /** `text`: the prompt as plain text, then end of input; no corrections, no control. `auto`: so for a wrapper, by its name. */
  input: 'auto' | 'stream' | 'text';
  /** Another login than the API key exists on this machine. */
  otherLogin: boolean;
  /** pawl's own clocks, milliseconds: the CLI is told to give up before they ring. */
  clocks: Readonly<{ silenceMs: number; apiMs: number; toolMs: number }>;
}>;
