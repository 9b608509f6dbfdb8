// Parses Claude Code's `result` lines and usage limits (2.1.330).
import { defined } from '../../defined.ts';
import type { AgentEvent, LimitWindow, Tokens } from '../../event/activity.ts';
import { addTokens, noTokens } from '../../event/tokens.ts';
import { type JsonRecord, number, record, records, text, wordIn } from '../json-value.ts';

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
  const word = text(value['api_error']) ?? text(value['startup_failure_reason']);
  return (
    word ??
    text(value['api_error_type']) ??
    (isError && value['stop_reason'] === 'refusal' ? 'refusal' : undefined)
  );
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
  const windows: Record<string, number> = {};
  for (const [model, usage] of Object.entries(perModel ?? {})) {
    const size = number(record(usage)?.['contextWindow']);
    if (size !== undefined && size > 0) windows[model] = size;
  }
  return Object.keys(windows).length === 0 ? undefined : windows;
}

export function readLimit(info: JsonRecord): readonly AgentEvent[] {
  const status = wordIn(statuses, text(info['status']));
  if (status === undefined) return [];
  const windows = Object.entries(record(info['unifiedWindows']) ?? {}).map(([name, window]) =>
    readWindow(name, record(window) ?? {}),
  );
  const window = text(info['rateLimitType']);
  return [{ type: 'limit', status, ...defined({ window, resetsAt: epochMs(info['resetsAt']) }), windows }];
}

const statuses: Readonly<Record<string, 'allowed' | 'warning' | 'rejected'>> = {
  allowed: 'allowed',
  allowed_warning: 'warning',
  rejected: 'rejected',
};

function readWindow(name: string, window: JsonRecord): LimitWindow {
  const utilization = number(window['utilization']);
  return { name, ...defined({ utilization, resetsAt: epochMs(window['resetsAt']) }) };
}

/** The CLI counts in seconds. */
function epochMs(value: unknown): number | undefined {
  const seconds = number(value);
  return seconds === undefined ? undefined : seconds * 1_000;
}
