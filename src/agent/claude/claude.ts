// Claude Code (2.1.330) as an agent.
import { defined } from '../../defined.ts';
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { ClaudeConversation, promptOnly } from './conversation.ts';

export function claudeAgent(settings: ClaudeSettings): Agent {
  const isConversation = speaksBoth(settings);
  const isWrapper = wrapper.test(settings.command);
  return {
    name: 'claude',
    can: {
      usage: !isWrapper,
      cost: !isWrapper,
      schema: !isWrapper,
      followUp: isConversation,
      // A wrapper prints another CLI's words.
      plainAnswer: !isConversation,
      // Only a conversation can be asked its earlier cost.
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

/** ralphex's wrappers for other CLIs: they read stdin to its end, and report no cost. */
const wrapper = /-as-claude(\.\w+)?$/;

function speaksBoth({ input, command }: ClaudeSettings): boolean {
  return input === 'stream' || (input === 'auto' && !wrapper.test(command));
}

function command(settings: ClaudeSettings, request: AgentRequest): AgentCommand {
  const isConversation = speaksBoth(settings);
  const own: (readonly [string, ...string[]])[] = [
    // In such wrappers the short form takes a value.
    ['--print'],
    ...(isConversation ? [['--input-format', 'stream-json'] as const] : []),
    ['--output-format', 'stream-json'],
    // Required by stream-json.
    ['--verbose'],
    // Otherwise a thinking model looks dead.
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
    ...defined({ permissions: expectedMode(settings) }),
  };
}

function permissionFlag(permissions: ClaudeSettings['permissions']): readonly [string, ...string[]] {
  switch (permissions) {
    case 'bypass':
      return ['--dangerously-skip-permissions'];
    case 'acceptEdits':
    case 'auto':
    case 'dontAsk':
      return ['--permission-mode', permissions];
  }
}

/** Undefined if the user's own arguments set it. */
function expectedMode({ permissions, args }: ClaudeSettings): string | undefined {
  const [name] = permissionFlag(permissions);
  if (isGiven(args, name) || isGiven(args, '--permission-mode')) return undefined;
  return permissions === 'bypass' ? 'bypassPermissions' : permissions;
}

function option(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

/** No argument of the user's overrides what keeps an untrusted repository out. */
function isGiven(args: readonly string[], name: string): boolean {
  if (name === '--setting-sources' || name === '--strict-mcp-config') return false;
  if (name === '--print' && args.includes('-p')) return true;
  return args.some((arg) => arg === name || arg.startsWith(`${name}=`));
}

/**
 * They need a person, wait for a wake-up that never comes, or leave the folder. The CLI ignores names its version does
 * not know.
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

/** Withheld from a session that only reads: its commands run in a throw-away checkout. */
const writingTools = ['Edit', 'Write', 'NotebookEdit'];

/**
 * pawl writes the commits: no co-author line, by the current and the older key. Its plugin is for a person's sessions.
 */
const ownSettings = {
  attribution: { commit: '', pr: '' },
  includeCoAuthoredBy: false,
  enabledPlugins: { 'pawl@pawl': false },
};

/** The CLI prints `type` first here; another order is parsed like any line. */
const pieces = ['{"type":"stream_event"', '{"type":"system","subtype":"thinking_tokens"'];

const minuteMs = 60_000;

/**
 * The pauses (0.6, 1.1, 2.2, 4.8, 9, 18, 38 s) add up to 75 s; then pawl's own back-off, which is journaled, takes
 * over. The CLI's default is 10.
 */
const retries = 7;
const retryPausesMs = 75_000;

/** The CLI accepts no less. */
const leastByteIdleMs = 10_000;

/** The CLI gives up before pawl's clocks ring; `undefined` removes a variable. */
function claudeEnvironment(settings: ClaudeSettings): Readonly<Record<string, string | undefined>> {
  const { silenceMs, apiMs, toolMs } = settings.clocks;
  const bashMaxMs = Math.min(55 * minuteMs, Math.round(toolMs * 0.9));
  // All retries together take less than nine tenths of pawl's clock.
  const requestMs = Math.max(5_000, Math.round((apiMs * 0.9 - retryPausesMs) / (retries + 1)));
  const byteIdleMs = Math.max(leastByteIdleMs, Math.min(5 * minuteMs, Math.round(silenceMs / 2)));
  return {
    // `session_state_changed idle` is the real end of a turn.
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    // Background work would outlive the turn that pawl checks.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // The CLI's default, 2 minutes, is too short for a test suite.
    BASH_DEFAULT_TIMEOUT_MS: String(Math.min(20 * minuteMs, bashMaxMs)),
    BASH_MAX_TIMEOUT_MS: String(bashMaxMs),
    API_TIMEOUT_MS: String(requestMs),
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(byteIdleMs),
    // A failed start is then a result with a reason.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    // pawl would end its updater midway.
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

export type ClaudeSettings = Readonly<{
  command: string;
  /** Before pawl's own; an option given here is not repeated. */
  args: readonly string[];
  model?: string | undefined;
  effort?: string | undefined;
  /**
   * `bypass`: nothing is asked. `auto`: the CLI itself blocks what destroys. `acceptEdits`, `dontAsk`: what would be
   * asked is denied.
   */
  permissions: 'bypass' | 'auto' | 'acceptEdits' | 'dontAsk';
  /** What happens to `ANTHROPIC_API_KEY`; `auto`: removed if another login exists. */
  apiKey: 'auto' | 'keep' | 'drop';
  /**
   * `text`: the prompt as text, then end of input; no corrections, no control. `auto`: that for a wrapper, by its name.
   */
  input: 'auto' | 'stream' | 'text';
  /** A login other than the API key exists. */
  otherLogin: boolean;
  /** Milliseconds: the CLI is told to give up earlier. */
  clocks: Readonly<{ silenceMs: number; apiMs: number; toolMs: number }>;
}>;
