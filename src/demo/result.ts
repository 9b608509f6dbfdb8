// How a turn of the scripted agent ends: the `result` line, and the lines before it when the scripted API fails.
// Shapes and texts as recorded from Claude Code 2.1.330; it writes nothing and knows no steps.
import { randomUUID } from 'node:crypto';
import type { ApiFailure, LimitWindow } from './script.ts';
import { costOf, noTokens, type Session, type Tokens } from './stream.ts';

type Line = Record<string, unknown>;

/** Why a turn ended. */
export type Ending =
  | Readonly<{ kind: 'completed'; text: string; structured?: unknown }>
  | Readonly<{ kind: 'api-error'; text: string; error: ApiError }>
  /** Stopped by the user (`now`: by a message that could not wait) while a tool ran or the model spoke. */
  | Readonly<{ kind: 'aborted'; during: 'tools' | 'streaming'; by: 'interrupt' | 'now' }>;

/** The structured side of an API failure, as assistant line and result carry it. */
export type ApiError = Readonly<{
  /** Word of the assistant line, e.g. `rate_limit`. */
  error: string;
  status?: number;
  type?: string;
  /** Word of `api_error`, e.g. `usage_limit_reached`. */
  code?: string;
  params?: Line;
}>;

/** The line that ends a turn; counts the result and starts the count of tokens anew. */
export function resultLine(
  session: Session,
  ending: Ending,
  turn: { startedMs: number; turns: number },
): Line {
  const usage = modelUsage(session.model, session.total);
  const sinceResult = modelUsage(session.model, session.sinceResult);
  const line = {
    type: 'result',
    duration_api_ms: 0,
    session_id: session.id,
    total_cost_usd: costOf(session.total),
    usage: usageLine(session.mainSinceResult),
    modelUsage: usage,
    permission_denials: [],
    num_turns: turn.turns,
    ...endingFields(ending),
    duration_ms: Date.now() - turn.startedMs,
    uuid: randomUUID(),
    queued_turn_count: 0,
    result_index: session.results,
    model_usage_since_last_result: sinceResult,
  };
  session.results += 1;
  session.sinceResult = { ...noTokens };
  session.mainSinceResult = { ...noTokens };
  return line;
}

function endingFields(ending: Ending): Line {
  switch (ending.kind) {
    case 'completed': {
      const fields = { stop_reason: 'end_turn', terminal_reason: 'completed', is_error: false };
      const more = { subtype: 'success', api_error_status: null, result: ending.text };
      const structured = 'structured' in ending ? { structured_output: ending.structured } : {};
      return { ...fields, ...more, ...structured };
    }
    case 'api-error':
      return {
        stop_reason: 'stop_sequence',
        terminal_reason: 'api_error',
        is_error: true,
        subtype: 'success',
        ...errorFields(ending.error),
        result: ending.text,
      };
    case 'aborted': {
      const reason = `aborted_${ending.during}`;
      const fields = {
        stop_reason: ending.during === 'tools' ? 'tool_use' : null,
        terminal_reason: reason,
      };
      if (ending.by === 'now') {
        return { ...fields, is_error: false, subtype: 'success', api_error_status: null, result: '' };
      }
      return {
        ...fields,
        is_error: true,
        subtype: 'error_during_execution',
        errors: [`scripted: ${reason}`],
      };
    }
  }
}

function errorFields(error: ApiError): Line {
  return {
    api_error_status: error.status ?? null,
    ...(error.type === undefined ? {} : { api_error_type: error.type }),
    ...(error.code === undefined ? {} : { api_error: error.code }),
  };
}

/** The assistant text that reports an API failure. */
export function failureLine(session: Session, text: string, error: ApiError): Line {
  return {
    type: 'assistant',
    message: {
      id: randomUUID(),
      model: '<synthetic>',
      role: 'assistant',
      stop_reason: 'stop_sequence',
      stop_sequence: '',
      type: 'message',
      usage: usageLine(noTokens),
      content: [{ type: 'text', text }],
      context_management: null,
    },
    parent_tool_use_id: null,
    session_id: session.id,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    error: error.error,
    request_id: `req_${randomUUID()}`,
    is_api_error_message: true,
    ...errorFields(error),
    ...(error.params === undefined ? {} : { api_error_params: error.params }),
  };
}

/** Text and fields of a failure by its HTTP status. */
export function describeFailure(failure: ApiFailure): { text: string; error: ApiError } {
  const { status } = failure;
  const message = failure.message ?? `scripted HTTP ${status}`;
  const type = failure.type ?? errorTypeOf(status);
  const error = { error: errorWordOf(status), status, type };
  if (status === 401 || status === 403) {
    return { text: `Failed to authenticate. API Error: ${status} ${message}`, error };
  }
  if (status === 404) {
    return { text: "There's an issue with the selected model. It may not exist. (scripted)", error };
  }
  if (status === 429) return { text: `API Error: Request rejected (429) · ${message}`, error };
  if (status >= 500) {
    return { text: `API Error: ${status} ${message}. This is a server-side issue, usually temporary`, error };
  }
  return { text: `API Error: ${status} ${message}`, error };
}

/** The API's error type of a status. */
export function errorTypeOf(status: number): string {
  const types: Record<number, string> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}

function errorWordOf(status: number): string {
  if (status === 401 || status === 403) return 'authentication_failed';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The three parts of a usage limit that was reached: the event, the text, the error. */
export function describeLimit(
  resetsAt: number,
  window: LimitWindow,
): { rateLimit: Line; text: string; error: ApiError } {
  const word = window === 'five_hour' ? '5-hour' : 'weekly';
  const clock = new Date(resetsAt * 1000).toISOString().slice(11, 16);
  const base = {
    status: 'rejected',
    resetsAt,
    rateLimitType: window,
    overageStatus: 'rejected',
    overageDisabledReason: 'org_level_disabled',
    isUsingOverage: false,
  };
  const rateLimit = {
    ...base,
    unifiedWindows: { [window]: { utilization: 1, resetsAt, status: 'rejected' } },
  };
  return {
    rateLimit,
    text: `You've hit your ${word} limit · resets ${clock} (UTC)`,
    error: {
      error: 'rate_limit',
      status: 429,
      type: 'rate_limit_error',
      code: 'usage_limit_reached',
      params: { rate_limit_info: base },
    },
  };
}

function usageLine(tokens: Readonly<Tokens>): Line {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    service_tier: 'standard',
  };
}

function modelUsage(model: string, tokens: Readonly<Tokens>): Line {
  if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite === 0) return {};
  return {
    [model]: {
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      cacheReadInputTokens: tokens.cacheRead,
      cacheCreationInputTokens: tokens.cacheWrite,
      webSearchRequests: 0,
      costUSD: costOf(tokens),
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
    },
  };
}
