// How the scripted API fails: the texts and fields of a failure by its HTTP status or of a limit, and the line that reports
// it. Shapes and texts as recorded from Claude Code 2.1.330; it writes nothing.
import { randomUUID } from 'node:crypto';
import type { ApiFailure, LimitWindow } from './script.ts';
import { noTokens, type Session } from './session.ts';
import { type Line, usageLine } from './stream.ts';

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

/** The fields of a failure that assistant line and result share. */
export function errorFields(error: ApiError): Line {
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
