// The fields and sentences by which agents and APIs say why they failed. Outside a failed session a sentence may be its
// summary.
import { wordIn } from '../json-value.ts';
import type { Limit, TurnResult } from './turn-transcript.ts';

export type FailureWord = 'limited' | 'refused' | 'unfinished' | 'overloaded';

/** In order, the first match wins; apostrophes are normalized before. */
const sentences: Readonly<Record<FailureWord, readonly RegExp[]>> = {
  unfinished: [
    /\boutput token (maximum|limit)\b|\bmaximum number of turns\b/i,
    /\bprompt is too long\b|\brequest too large\b|\bautocompact\b|\bcontext (window|length|limit)\b/i,
  ],
  limited: [
    // "You've hit your 5-hour limit", "… weekly limit" (Claude Code 2.1.330), "Claude usage limit reached"
    // (older)
    /\b(hit|reached|exceeded) (your|the) (?!rate|retry|request|token)([\w-]+ ){0,4}limit\b/i,
    /\b(usage|spend(ing)?|5-hour|five-hour|hourly|daily|weekly|monthly|session|opus|sonnet) limits?\b/i,
    // "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."
    // (HTTP 400)
    /\bregain access\b|\baccess (returns|resumes|is restored)\b/i,
    /\bout of (extra )?usage\b|\busage (quota|cap)\b|\bquota (exceeded|exhausted|reached)\b/i,
  ],
  refused: [
    /\bnot logged in\b|\/login\b|\bfailed to authenticate\b|\bauthentication[_ ](error|failed)\b/i,
    /\binvalid (api|x-api)[ -]key\b|\boauth token\b.*\b(expired|revoked|invalid)\b/i,
    /\bcredit balance\b|\bbilling\b|\bpayment required\b|\binsufficient[_ ](quota|credits)\b/i,
    /\bissue with the selected model\b|\bmodel\b.*\b(does not|may not|doesn't) exist\b/i,
    /\bcannot be used with root\b|\bpermission_error\b|\borganization has been disabled\b/i,
    /\b401 unauthorized\b|\b403 forbidden\b|\bnot inside a trusted directory\b/i,
    /\b(launched|started|run) inside another\b.*\bsession\b/i,
    // A CLI that does not know its subcommand opens its screen.
    /\bno such device or address \(os error 6\)|\bstdin is not a (terminal|tty)\b/i,
    /\bcommand not found\b|\bunknown option\b|\binvalid (option|argument)\b/i,
  ],
  overloaded: [
    /\boverloaded\b|\bserver-side issue\b|\bhigh demand\b|\bservice unavailable\b|\bbad gateway\b/i,
    /\btoo many requests\b|\brate[ _-]limit|\brequest rejected \(429\)|\b(api error|status):? (429|5\d\d)\b/i,
    /\b(connection|socket|network|fetch)\b.*\b(refused|reset|lost|closed|failed|hang ?up|error)\b/i,
    /\bE(CONN\w+|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|HOSTUNREACH)\b|\b(request|connection) timed out\b/i,
    /\bstream idle timeout\b|\bempty or malformed response\b/i,
  ],
};

export function readFailure(text: string): FailureWord | undefined {
  const plain = text.replace(/[\u2018\u2019\u02BC]/g, "'");
  const words = Object.keys(sentences) as FailureWord[];
  return words.find((word) => sentences[word].some((shape) => shape.test(plain)));
}

/**
 * Epoch ms, from "regain access on 2026-12-01 at 00:00 UTC" or "resets December 1, 2026"; undefined without a whole
 * date.
 */
export function readReset(words: string): number | undefined {
  const said = returning.exec(words)?.groups;
  if (said === undefined) return undefined;
  const time = said['time'] === undefined ? '' : ` ${said['time']}`;
  const instant = Date.parse(`${said['day']}${time} UTC`);
  return Number.isNaN(instant) ? undefined : instant;
}

const returning =
  /\b(?:regain access|resets?|resumes?|renews?|returns?|available again|try again)\b\D{0,12}?\b(?<day>\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})(?:T|,? at | )?(?<time>\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?/i;

/** By structured fields, without wording. */
export function readFields(last: TurnResult, limit: Limit | undefined): FailureWord | 'failed' | undefined {
  const byError = wordIn(errors, last.apiError);
  if (byError === 'limited') return byError;
  if (isRejected(limit) && (last.apiStatus === undefined || last.apiStatus === 429)) return 'limited';
  const byReason = wordIn(reasons, last.reason);
  return byError ?? toldByStatus(last.apiStatus) ?? byReason;
}

function toldByStatus(status: number | undefined): FailureWord | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 402 || status === 403 || status === 404) return 'refused';
  if (status === 413) return 'unfinished';
  return status === 408 || status === 429 || status >= 500 ? 'overloaded' : undefined;
}

/** Claude Code 2.1.330: `api_error`, `startup_failure_reason`, `api_error_type`. */
const errors: Readonly<Record<string, FailureWord | 'failed'>> = {
  usage_limit_reached: 'limited',
  model_requires_usage_credits: 'limited',
  suspected_limit: 'overloaded',
  protocol_mismatch: 'refused',
  connection_failed: 'overloaded',
  overloaded_error: 'overloaded',
  rate_limit_error: 'overloaded',
  timeout_error: 'overloaded',
  no_response: 'overloaded',
  max_output_tokens: 'unfinished',
  autocompact_thrashing: 'unfinished',
  request_too_large: 'unfinished',
  long_context_credits_required: 'unfinished',
  message_over_context_limit: 'unfinished',
  authentication_error: 'refused',
  permission_error: 'refused',
  billing_error: 'refused',
  not_found_error: 'refused',
  bypass_root: 'refused',
  provider_credentials: 'refused',
  gateway_signin_required: 'refused',
  gateway_session_expired: 'refused',
  refusal: 'failed',
};

/** Claude Code 2.1.330: `terminal_reason`, `error_*` subtypes. */
const reasons: Readonly<Record<string, FailureWord | 'failed'>> = {
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

export function isRejected(limit: Limit | undefined): limit is Limit {
  return limit?.status === 'rejected';
}

/** By sentence or status; the first match wins. */
const remedies: readonly (readonly [RegExp, readonly number[], readonly string[]])[] = [
  [
    /\broot\b/i,
    [],
    [
      'run pawl as another user than root',
      'let the agent be denied what it would ask: --set agent.claude.permissions=acceptEdits',
      'set IS_SANDBOX=1 yourself where this machine is a sandbox',
    ],
  ],
  [/\bcredit\b|\bbilling\b/i, [402], ['look at the billing of the account that `pawl doctor` names']],
  [
    /\blog(ged)? ?in\b|\bauthenticat/i,
    [401, 403],
    [
      'log in again by hand (Claude Code: start it, then /login), or set a key that is valid; `pawl doctor` says which is used',
    ],
  ],
  [
    /\bapp server\b|\(os error 6\)|\bis not a (terminal|tty)\b/i,
    [],
    [
      'update the agent’s program: this version is not one that pawl can speak with (codex: npm install --global @openai/codex)',
    ],
  ],
  [/\bmodel\b/i, [404], ['name a model that the account may use: --model, or model: in the plan']],
  [
    /\bapi error:? 4\d\d\b/i,
    [400, 405, 409, 410, 422],
    [
      'the API declines the request itself: try the agent by hand with the same account and model (`pawl doctor` names them)',
    ],
  ],
];

export function findRemedies(words: string, status: number | undefined): readonly string[] {
  const row = remedies.find(([shape, statuses]) => shape.test(words) || statuses.includes(status ?? 0));
  return row?.[2] ?? [];
}
