// Judges how a turn ended by what the agent printed and how its process ended. Wording counts only for a failed
// session, after structured fields.
import { defined } from '../../defined.ts';
import { startLack } from '../../process/find-program.ts';
import type { ProcessExit } from '../../process/spawn.ts';
import { oneLine, wordIn } from '../json-value.ts';
import type { Marker, MarkerName } from '../marker.ts';
import { type FailureWord, findRemedies, readFailure, readReset } from './outcome-words.ts';
import type { Outcome } from './session-plan.ts';
import type { ClockName } from './session-state.ts';
import type { Limit, Retry, TurnFacts, TurnResult } from './turn-transcript.ts';

export function answerOf(facts: TurnFacts): string {
  if (facts.answer !== undefined) return facts.answer.text;
  if (facts.last !== undefined) return '';
  return facts.ended?.code === 0 ? (facts.plainAnswer ?? '') : '';
}

/** `marker`: the one in `answerOf`. */
export function judgeOutcome(facts: TurnFacts, marker: Marker | undefined): Outcome {
  const { ended, last, ring } = facts;
  if (ended?.startError !== undefined) return judgeStart(facts, ended.startError);
  if (facts.stopped !== undefined) return facts.stopped;
  if (facts.refusal !== undefined) return judgeRefusal(facts.refusal);
  if (facts.cannotWork !== undefined) return { kind: 'refused', ...facts.cannotWork };
  if (ring !== undefined && ring.clock !== 'drain') return judgeRing(facts, ring);
  if (last === undefined && (facts.plainAnswer ?? '').trim() === '') return judgeNoResult(facts);
  if (last?.isError === true) return judgeError(facts, last);
  // After the drain clock, the exit code is pawl's own doing.
  if (ended !== undefined && ended.code !== 0 && ring === undefined) return judgeNoResult(facts);
  return judgeFinished(facts, marker);
}

function judgeStart({ command, wasThere }: TurnFacts, error: Error): Outcome {
  const code = (error as NodeJS.ErrnoException).code ?? error.message;
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `${command} was not found`,
    EACCES: `${command} may not be executed`,
    E2BIG: `${command} was given more arguments than the system takes`,
  };
  const lack = startLack(command, error);
  if (lack) return { kind: 'refused', reason: lack.message, remedies: lack.hint ? [lack.hint] : [] };
  const reason = sentences[code] ?? `${command} could not be started: ${oneLine(error.message, reasonLimit)}`;
  const remedies =
    code === 'ENOENT' || code === 'EACCES'
      ? [`install it (in a sandbox, in its image), or set the agent's command to the path of its program`]
      : [];
  const mayReturn = wasThere && beingReplaced.has(code) ? ({ mayReturn: true } as const) : {};
  return { kind: 'refused', reason, remedies, ...mayReturn };
}

/** How a start fails while a program's file is replaced. */
const beingReplaced: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'ETXTBSY', 'ENOEXEC']);

/** pawl ended it: later output does not count. */
function judgeRefusal({ status = 0, attempt, reason }: Retry): Outcome {
  const words = oneLine(`${status} ${reason}`.replaceAll('_', ' '), reasonLimit);
  return {
    kind: 'refused',
    reason: `the API refuses the login (${words}, ${attempt} times in a row)`,
    remedies: findRemedies(words, status),
  };
}

function judgeRing(facts: TurnFacts, ring: NonNullable<TurnFacts['ring']>): Outcome {
  if (facts.answer !== undefined && facts.background.length > 0) return unfinished(facts);
  const seconds = Math.round(ring.afterMs / 1_000);
  const mayBeWrong = ring.clock === 'firstEvent' || facts.isUp === false;
  const hint = mayBeWrong && ring.hint !== undefined ? `; ${ring.hint}` : '';
  const retry = facts.retry;
  const tried =
    retry === undefined ? '' : `; last try ${retry.attempt}: ${retry.status ?? ''} ${retry.reason}`;
  const setting = ring.clock === 'silence' || ring.clock === 'session' ? ` (clocks.${ring.clock})` : '';
  const reason = `${ringWords[ring.clock]} for ${seconds} s${setting}${hint}${oneLine(tried, reasonLimit)}`;
  // With no tool at work.
  const isSilence = ring.clock === 'silence' || ring.clock === 'api';
  if (facts.silentAtLimit && facts.isUp !== false && isSilence)
    return { kind: 'overloaded', reason: `suspected limit: ${reason}`, suspectsLimit: true };
  return { kind: 'timed-out', reason, clock: ring.clock };
}

const ringWords: Readonly<Record<ClockName, string>> = {
  firstEvent: 'nothing was printed after the first message',
  silence: 'nothing was printed while the model worked',
  api: 'the model said nothing',
  tool: 'one tool call was open',
  session: 'the session worked',
  drain: 'the process did not end',
};

function unfinished(facts: TurnFacts): Outcome {
  const open = facts.background.slice(0, 3).join(', ');
  return {
    kind: 'unfinished',
    reason: `work in the background was still open: ${oneLine(open, reasonLimit)}`,
  };
}

function judgeFinished(facts: TurnFacts, marker: Marker | undefined): Outcome {
  if (facts.background.length > 0) return unfinished(facts);
  if (facts.blind !== undefined)
    return { kind: 'crashed', reason: `it could run no command, and read nothing: ${facts.blind}` };
  const reason = facts.last?.reason ?? '';
  if (reason.startsWith('aborted_'))
    return { kind: 'interrupted', reason: `the turn was interrupted (${reason})` };
  if (marker !== undefined) return { kind: markerKinds[marker.name], reason: marker.text };
  if (reason !== '' && reason !== 'completed') {
    return { kind: 'silent', reason: `the agent's CLI ended the turn (${reason})` };
  }
  return { kind: 'silent', reason: 'it finished without a marker' };
}

const markerKinds: Readonly<
  Record<MarkerName, 'done' | 'failed' | 'already-done' | 'needs-input' | 'replan'>
> = {
  TASK_DONE: 'done',
  ALL_TASKS_DONE: 'done',
  REVIEW_DONE: 'done',
  PLAN_READY: 'done',
  TASK_FAILED: 'failed',
  ALREADY_DONE: 'already-done',
  NEEDS_INPUT: 'needs-input',
  REPLAN: 'replan',
};

function judgeNoResult(facts: TurnFacts): Outcome {
  const { ended } = facts;
  const words = lastWords(facts.words);
  const said = words === '' ? '' : `: ${words}`;
  const told = ended?.code === 0 ? undefined : (toldByLauncher(ended) ?? readFailure(facts.words));
  if (told !== undefined) return outcomeOf(told, facts, words === '' ? howEnded(ended) : words);
  if (isRejected(facts.limit)) return outcomeOf('limited', facts, words === '' ? howEnded(ended) : words);
  if (ended?.code === 0) return { kind: 'crashed', reason: `it ended with exit code 0 and no result${said}` };
  return { kind: 'crashed', reason: `${howEnded(ended)}${said}` };
}

/** A launcher script's way to report a missing program. */
function toldByLauncher(ended: ProcessExit | undefined): FailureWord | undefined {
  return ended?.code === 126 || ended?.code === 127 ? 'refused' : undefined;
}

function howEnded(ended: ProcessExit | undefined): string {
  if (ended === undefined) return 'it gave no result';
  if (ended.code === null && ended.signal === null) return 'it could not even be killed';
  return ended.signal === null ? `it ended with exit code ${ended.code}` : `it was ended by ${ended.signal}`;
}

function judgeError(facts: TurnFacts, last: TurnResult): Outcome {
  const words = last.text === '' ? lastWords(facts.words) : oneLine(last.text, reasonLimit);
  const reason = words === '' ? (last.reason ?? 'it reported an error') : words;
  if (last.reason?.startsWith('aborted_') === true) {
    return { kind: 'interrupted', reason: `the turn was interrupted (${last.reason})` };
  }
  if (last.reason === 'budget_exhausted' || last.reason === 'error_max_budget_usd') {
    return { kind: 'over-budget', reason };
  }
  const told = readFields(last, facts.limit) ?? readFailure(`${last.text}\n${facts.words}`);
  if (told === 'failed') return { kind: 'failed', reason };
  // Declined, so the same again does not help.
  const isDeclined = last.apiStatus !== undefined && last.apiStatus >= 400 && last.apiStatus < 500;
  const meant = told ?? (isDeclined ? 'refused' : undefined);
  return meant === undefined ? { kind: 'crashed', reason } : outcomeOf(meant, facts, reason);
}

function outcomeOf(told: FailureWord, facts: TurnFacts, reason: string): Outcome {
  switch (told) {
    case 'limited': {
      const { resetsAt, window } = isRejected(facts.limit) ? facts.limit : {};
      return { kind: 'limited', reason, ...defined({ until: resetsAt ?? readReset(reason), window }) };
    }
    case 'refused':
      return { kind: 'refused', reason, remedies: findRemedies(reason, facts.last?.apiStatus) };
    case 'overloaded': {
      const suspectsLimit = facts.last?.apiError === 'suspected_limit' || undefined;
      return { kind: told, reason, ...defined({ suspectsLimit }) };
    }
    case 'unfinished':
      return { kind: told, reason };
  }
}

const reasonLimit = 300;

/** Stack traces and banners come before it. */
function lastWords(words: string): string {
  return oneLine(words.trimEnd().split('\n').at(-1) ?? '', reasonLimit);
}

function readFields(last: TurnResult, limit: Limit | undefined): FailureWord | 'failed' | undefined {
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

function isRejected(limit: Limit | undefined): limit is Limit {
  return limit?.status === 'rejected';
}
