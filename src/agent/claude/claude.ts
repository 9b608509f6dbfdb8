// Claude Code (2.1.330) as an agent: how it is started, and the conversation with one process over stream-json.
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import type { Agent, AgentCommand, AgentMessage, AgentRequest, Conversation, LineReading } from '../agent.ts';
import { parseRecord, record, text } from '../json-value.ts';
import { readClaude } from './read-line.ts';

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
  return permissions === 'bypass' ? ['--dangerously-skip-permissions'] : ['--permission-mode', permissions];
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
    ...(settings.dropsKey ? { ANTHROPIC_API_KEY: undefined } : {}),
  };
}

/** `dropsKey`: removes `ANTHROPIC_API_KEY`. `clocks`: milliseconds; the CLI is told to give up earlier. */
export type ClaudeSettings = Readonly<Omit<Config['agent']['claude'], 'apiKey'>> &
  Readonly<{ dropsKey: boolean; clocks: Readonly<{ silenceMs: number; apiMs: number; toolMs: number }> }>;

/** Put before every text: `/clear` alone would be a command. */
const word = 'pawl: ';

/** The CLI looks for `@file` and `/command` only in the last block, so that is pawl's own. */
const lastBlock = { type: 'text', text: '(End of the message.)' };

class ClaudeConversation implements Conversation {
  #interrupts = 0;

  read(line: string): LineReading {
    const events = readClaude(line);
    // A request yields no event: only such lines are parsed again.
    return events.length > 0 ? { events } : { events, answer: answerTo(line) };
  }

  write(message: AgentMessage): string {
    switch (message.type) {
      case 'prompt':
      case 'correction':
        return userLine(message.text);
      case 'steer':
        // A message with priority `now` waits for a running command; an interrupt ends it and keeps the
        // context.
        return this.#interrupt() + userLine(message.text);
      case 'interrupt':
        return this.#interrupt();
      case 'cost':
        return controlLine(message.id, 'get_session_cost');
    }
  }

  #interrupt(): string {
    this.#interrupts += 1;
    return controlLine(`pawl-interrupt-${this.#interrupts}`, 'interrupt');
  }
}

const promptOnly: Conversation = {
  read: (line) => ({ events: readClaude(line) }),
  write: (message) => (message.type === 'prompt' ? `${word}${message.text}\n` : undefined),
};

/** The CLI waits for answers about permissions and hooks; pawl has offered none. */
function answerTo(line: string): string | undefined {
  if (!line.includes('"control_request"')) return undefined;
  const value = parseRecord(line);
  const id = text(value?.['request_id']);
  if (value?.['type'] !== 'control_request' || id === undefined) return undefined;
  const subtype = text(record(value['request'])?.['subtype']) ?? 'request';
  const error = `nobody is here to answer: ${subtype} is not supported`;
  return `${JSON.stringify({ type: 'control_response', response: { subtype: 'error', request_id: id, error } })}\n`;
}

function userLine(text: string): string {
  const content = [{ type: 'text', text: `${word}${text}` }, lastBlock];
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
}

function controlLine(id: string, subtype: string): string {
  return `${JSON.stringify({ type: 'control_request', request_id: id, request: { subtype } })}\n`;
}
