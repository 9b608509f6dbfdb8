// What the fields of a failed result mean, before its sentences are read. The tables hold the words agents use; an unknown
// word means nothing.
import { wordIn } from '../json-value.ts';
import type { Told } from './outcome-words.ts';
import type { Limit, Result } from './turn-transcript.ts';

/** What the fields of a failed result tell. */
export function readFields(last: Result, limit: Limit | undefined): Told | 'failed' | undefined {
  const byError = wordIn(errors, last.apiError);
  if (byError === 'limited') return byError;
  if (isRejected(limit) && (last.apiStatus === undefined || last.apiStatus === 429)) return 'limited';
  const byReason = wordIn(reasons, last.reason);
  return byError ?? toldByStatus(last.apiStatus) ?? byReason;
}

function toldByStatus(status: number | undefined): Told | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 402 || status === 403 || status === 404) return 'refused';
  if (status === 413) return 'unfinished';
  return status === 408 || status === 429 || status >= 500 ? 'overloaded' : undefined;
}

/** Words of `api_error`, `startup_failure_reason` and `api_error_type` (Claude Code 2.1.330). */
const errors: Readonly<Record<string, Told | 'failed'>> = {
  usage_limit_reached: 'limited',
  suspected_limit: 'overloaded',
  protocol_mismatch: 'refused',
  connection_failed: 'overloaded',
  overloaded_error: 'overloaded',
  rate_limit_error: 'overloaded',
  timeout_error: 'overloaded',
  max_output_tokens: 'unfinished',
  autocompact_thrashing: 'unfinished',
  request_too_large: 'unfinished',
  authentication_error: 'refused',
  permission_error: 'refused',
  billing_error: 'refused',
  not_found_error: 'refused',
  bypass_root: 'refused',
  refusal: 'failed',
};

/** Words of `terminal_reason` and of the `error_*` subtypes (Claude Code 2.1.330). */
const reasons: Readonly<Record<string, Told | 'failed'>> = {
  model_error: 'overloaded',
  max_turns: 'unfinished',
  error_max_turns: 'unfinished',
  prompt_too_long: 'unfinished',
  rapid_refill_breaker: 'unfinished',
  blocking_limit: 'unfinished',
  background_requested: 'unfinished',
  structured_output_retry_exhausted: 'failed',
  error_max_structured_output_retries: 'failed',
};

/** Whether the last report of the usage limit was a refusal. */
export function isRejected(limit: Limit | undefined): limit is Limit {
  return limit?.status === 'rejected';
}
