// Parses the `system` and `result` lines and usage limits of Claude Code's stream-json (2.1.330). Unknown subtypes
// yield no event.
import { defined } from '../../defined.ts';
import { type AgentEvent, addTokens, noTokens, type Tokens } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, record, records, text, wordIn } from '../json-value.ts';

const detailLimit = 200;

type Events = readonly AgentEvent[];

export function readSystem(value: JsonRecord): Events {
  return wordIn(readers, text(value['subtype']))?.(value) ?? [];
}

const beat = (): Events => [{ type: 'heartbeat' }];
const fallback = (value: JsonRecord): Events => [readFallback(value)];

const readers: Readonly<Record<string, (value: JsonRecord) => Events>> = {
  init: (value) => [readInit(value)],
  session_state_changed: ({ state }) =>
    state === 'running' ? [{ type: 'busy' }] : state === 'idle' ? [{ type: 'idle' }] : [],
  api_retry: (value) => [readRetry(value)],
  model_fallback: fallback,
  model_refusal_fallback: fallback,
  model_consent_fallback: fallback,
  permission_denied: (value) => {
    const reason = text(value['decision_reason']) ?? text(value['decision_reason_type']) ?? '';
    return [{ type: 'denied', tool: text(value['tool_name']) ?? '', reason: oneLine(reason, detailLimit) }];
  },
  session_writes_lost: () => [{ type: 'writes-lost' }],
  compact_boundary: (value) => {
    const { pre_tokens: before, post_tokens: after } = record(value['compact_metadata']) ?? {};
    return [{ type: 'compacted', ...defined({ before: number(before), after: number(after) }) }];
  },
  background_tasks_changed: (value) => {
    const nameOf = (task: JsonRecord) =>
      text(task['description']) ?? text(task['task_id']) ?? 'a background task';
    const open = records(value['tasks']).map((task) => oneLine(nameOf(task), detailLimit));
    return [{ type: 'background', open }];
  },
  informational: readNotification,
  notification: readNotification,
  task_started: beat,
  task_progress: beat,
  task_updated: beat,
  task_notification: beat,
  status: beat,
};

function readNotification(value: JsonRecord): Events {
  const said = text(value['content']) ?? text(value['message']) ?? '';
  return said === '' ? [] : [{ type: 'said', text: said, main: true, synthetic: true }];
}

function readInit(value: JsonRecord): AgentEvent {
  return {
    type: 'started',
    agentSession: text(value['session_id']) ?? '',
    model: text(value['model']) ?? '',
    version: text(value['claude_code_version']) ?? '',
    ...defined({ permissions: text(value['permissionMode']), broken: brokenOf(value) }),
  };
}

function readFallback(value: JsonRecord): AgentEvent {
  const from = text(value['original_model']) ?? '';
  const to = text(value['fallback_model']) ?? '';
  const reason = text(value['trigger']) ?? whyFallback[String(value['subtype'])] ?? '';
  return { type: 'model-fallback', from, to, reason };
}

const whyFallback: Readonly<Record<string, string>> = {
  model_refusal_fallback: 'the model refused',
  model_consent_fallback: 'the model needs a consent',
};

function brokenOf(value: JsonRecord): readonly string[] | undefined {
  const servers = records(value['mcp_servers']).filter(({ status }) => status === 'failed');
  const found = [
    ...servers.map(({ name }) => `MCP server ${text(name) ?? '?'} failed`),
    ...['mcp_server_errors', 'plugin_errors'].flatMap((key) => records(value[key]).map(describeError)),
  ];
  return found.length === 0 ? undefined : found.map((each) => oneLine(each, detailLimit));
}

function describeError(error: JsonRecord): string {
  const name = text(error['name']) ?? text(error['plugin']) ?? text(error['server']) ?? 'a plugin';
  return `${name}: ${text(error['error']) ?? text(error['message']) ?? 'failed'}`;
}

function readRetry(value: JsonRecord): AgentEvent {
  return {
    type: 'api-retry',
    attempt: number(value['attempt']) ?? 0,
    max: number(value['max_retries']) ?? 0,
    delayMs: number(value['retry_delay_ms']) ?? 0,
    ...defined({ status: number(value['error_status']) }),
    reason: text(value['error']) ?? 'connection',
  };
}

export function readResult(value: JsonRecord): AgentEvent {
  const isError = value['is_error'] === true;
  return {
    type: 'result',
    text: resultText(value, isError),
    isError,
    ...defined({
      reason: reasonOf(value),
      apiStatus: number(value['api_error_status']),
      apiError: errorOf(value, isError),
      costUsd: number(value['total_cost_usd']),
      tokens: tokensOf(value),
      contextWindows: windowsOf(record(value['modelUsage'])),
      structured: value['structured_output'],
      denied: deniedOf(value),
      unasked: value['num_turns'] === 0 && value['duration_api_ms'] === 0 ? (true as const) : undefined,
    }),
  };
}

function deniedOf(value: JsonRecord): readonly string[] | undefined {
  const tools = records(value['permission_denials']).map(({ tool_name: name }) => text(name) ?? 'a tool');
  return tools.length === 0 ? undefined : [...new Set(tools)];
}

/** `error_*` results have `errors` instead of `result`. */
function resultText(value: JsonRecord, isError: boolean): string {
  const said = text(value['result']) ?? '';
  if (said !== '' || !isError || !Array.isArray(value['errors'])) return said;
  return value['errors'].filter((error) => typeof error === 'string').join('\n');
}

/** A model's refusal has only a stop reason. */
function errorOf(value: JsonRecord, isError: boolean): string | undefined {
  const words = ['api_error', 'startup_failure_reason', 'api_error_type'].map((name) => text(value[name]));
  const isRefusal = isError && value['stop_reason'] === 'refusal';
  return words.find((word) => word !== undefined) ?? (isRefusal ? 'refusal' : undefined);
}

/** API failures have `subtype: success` too. */
function reasonOf(value: JsonRecord): string | undefined {
  const subtype = text(value['subtype']);
  return text(value['terminal_reason']) ?? (subtype === 'success' ? undefined : subtype);
}

/** `usage` counts the main loop of one turn; `modelUsage` all models over the process. */
function tokensOf(value: JsonRecord): Tokens | undefined {
  const perModel = record(value['modelUsage']);
  if (perModel === undefined) return undefined;
  return Object.values(perModel)
    .map((usage) => tokensOfModel(record(usage) ?? {}))
    .reduce(addTokens, noTokens);
}

function tokensOfModel(usage: JsonRecord): Tokens {
  return {
    input: number(usage['inputTokens']) ?? 0,
    output: number(usage['outputTokens']) ?? 0,
    cacheRead: number(usage['cacheReadInputTokens']) ?? 0,
    cacheWrite: number(usage['cacheCreationInputTokens']) ?? 0,
  };
}

function windowsOf(perModel: JsonRecord | undefined): Readonly<Record<string, number>> | undefined {
  const sizes = Object.entries(perModel ?? {}).flatMap(([model, usage]) => {
    const size = number(record(usage)?.['contextWindow']) ?? 0;
    return size > 0 ? [[model, size] as const] : [];
  });
  return sizes.length === 0 ? undefined : Object.fromEntries(sizes);
}

export function readLimit(info: JsonRecord): Events {
  const told = wordIn(statuses, text(info['status']));
  if (told === undefined) return [];
  // Extra usage goes on beyond it: to the CLI that is no limit either.
  const isServed = info['isUsingOverage'] === true || info['overageInUse'] === true;
  const status = told === 'rejected' && isServed ? 'warning' : told;
  const window = text(info['rateLimitType']);
  const own = record(record(info['unifiedWindows'])?.[window ?? '']);
  const utilization = number(own?.['utilization']);
  return [
    { type: 'limit', status, ...defined({ window, utilization, resetsAt: epochMs(info['resetsAt']) }) },
  ];
}

const statuses: Readonly<Record<string, 'allowed' | 'warning' | 'rejected'>> = {
  allowed: 'allowed',
  allowed_warning: 'warning',
  rejected: 'rejected',
};

/** The CLI counts in seconds. */
function epochMs(value: unknown): number | undefined {
  const seconds = number(value);
  return seconds === undefined ? undefined : seconds * 1_000;
}
