// Judges how a turn ended by what the agent printed and how its process ended. Wording counts only for a failed
// session, after structured fields.
import { defined } from '../../defined.ts';
import { startLack } from '../../process/find-program.ts';
import type { ProcessExit } from '../../process/spawn.ts';
import type { Agent, AgentCommand } from '../agent.ts';
import { oneLine } from '../json-value.ts';
import { type Marker, markerKinds } from '../marker.ts';
import {
  type FailureWord,
  findRemedies,
  isRejected,
  readFailure,
  readFields,
  readReset,
} from './outcome-words.ts';
import type { Outcome, Stopped } from './session-plan.ts';
import type { ClockName } from './session-state.ts';
import {
  findCannotWork,
  isAborted,
  type Retry,
  type TurnResult,
  type TurnTranscript,
} from './turn-transcript.ts';

export type TurnFacts = Readonly<{
  said: Readonly<Omit<TurnTranscript, 'take' | 'startTurn'>>;
  agent: Pick<Agent, 'can' | 'silentAtLimit' | 'firstEventHint' | 'blindHint'>;
  command: Pick<AgentCommand, 'file' | 'permissions'>;
  /** Its tail. */
  stderr: string;
  ended: ProcessExit | undefined;
  wasThere?: boolean | undefined;
  isReviewer?: boolean;
  ring?: Readonly<{ clock: ClockName; afterMs: number }> | undefined;
  stopped?: Stopped | undefined;
}>;

/** Of an agent whose output is its answer, complete when it exits. */
function plainAnswerOf({ agent, said }: TurnFacts): string {
  return agent.can.plainAnswer ? said.noise : '';
}

export function answerOf(facts: TurnFacts): string {
  const { answer, last } = facts.said;
  if (answer !== undefined) return answer.text;
  return last === undefined && facts.ended?.code === 0 ? plainAnswerOf(facts) : '';
}

/** `marker`: the one in `answerOf`. */
export function judgeOutcome(facts: TurnFacts, marker: Marker | undefined): Outcome {
  const { ended, ring, stopped, said, command } = facts;
  const { last, refusal } = said;
  if (ended?.startError !== undefined) return judgeStart(facts, ended.startError);
  if (stopped !== undefined) return stopped;
  if (refusal !== undefined) return judgeRefusal(refusal);
  const cannotWork = findCannotWork(command, said);
  if (cannotWork !== undefined) return { kind: 'refused', ...cannotWork };
  if (ring !== undefined && ring.clock !== 'drain') return judgeRing(facts, ring);
  if (last === undefined && plainAnswerOf(facts).trim() === '') return judgeNoResult(facts);
  if (last?.isError === true) return judgeError(facts, last);
  // After the drain clock, the exit code is pawl's own doing.
  if (ended !== undefined && ended.code !== 0 && ring === undefined) return judgeNoResult(facts);
  return judgeFinished(facts, marker);
}

function judgeStart({ command: { file: command }, wasThere }: TurnFacts, error: Error): Outcome {
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

function judgeRing({ agent, said }: TurnFacts, { clock, afterMs }: NonNullable<TurnFacts['ring']>): Outcome {
  if (said.answer !== undefined && said.background.length > 0) return unfinished(said.background);
  const isUp = said.isUp || agent.can.plainAnswer;
  const hint = agent.firstEventHint;
  const tip = hint !== undefined && (clock === 'firstEvent' || !isUp) ? `; ${hint}` : '';
  const { retry } = said;
  const tried = retry ? `; last try ${retry.attempt}: ${retry.status ?? ''} ${retry.reason}` : '';
  const setting = clock === 'silence' || clock === 'session' ? ` (clocks.${clock})` : '';
  const seconds = Math.round(afterMs / 1_000);
  const reason = `${ringWords[clock]} for ${seconds} s${setting}${tip}${oneLine(tried, reasonLimit)}`;
  // With no tool at work.
  const isSilence = clock === 'silence' || clock === 'api';
  if (agent.silentAtLimit && isUp && isSilence)
    return { kind: 'overloaded', reason: `suspected limit: ${reason}`, suspectsLimit: true };
  return { kind: 'timed-out', reason };
}

const ringWords: Readonly<Record<ClockName, string>> = {
  firstEvent: 'nothing was printed after the first message',
  silence: 'nothing was printed while the model worked',
  api: 'the model said nothing',
  tool: 'one tool call was open',
  session: 'the session worked',
  drain: 'the process did not end',
};

function unfinished(background: readonly string[]): Outcome {
  const open = oneLine(background.slice(0, 3).join(', '), reasonLimit);
  return { kind: 'unfinished', reason: `work in the background was still open: ${open}` };
}

function judgeFinished(
  { said, agent: { blindHint }, isReviewer }: TurnFacts,
  marker: Marker | undefined,
): Outcome {
  if (said.background.length > 0) return unfinished(said.background);
  // An opinion is worth nothing without reading.
  if (isReviewer && !said.used && blindHint !== undefined)
    return { kind: 'crashed', reason: `it could run no command, and read nothing: ${blindHint}` };
  const reason = said.last?.reason ?? '';
  if (isAborted(said.last)) return { kind: 'interrupted', reason: `the turn was interrupted (${reason})` };
  if (marker !== undefined) return { kind: markerKinds[marker.name], reason: marker.text };
  if (reason !== '' && reason !== 'completed')
    return { kind: 'silent', reason: `the agent's CLI ended the turn (${reason})` };
  return { kind: 'silent', reason: 'it finished without a marker' };
}

function judgeNoResult(facts: TurnFacts): Outcome {
  const { ended, said } = facts;
  const words = wordsOf(facts);
  const last = lastWords(words);
  const reason = last === '' ? howEnded(ended) : last;
  const told = ended?.code === 0 ? undefined : (toldByLauncher(ended) ?? readFailure(words));
  if (told !== undefined) return outcomeOf(told, facts, reason);
  if (isRejected(said.limit)) return outcomeOf('limited', facts, reason);
  const how = ended?.code === 0 ? 'it ended with exit code 0 and no result' : howEnded(ended);
  return { kind: 'crashed', reason: last === '' ? how : `${how}: ${last}` };
}

/** Characters at the end of a plain answer that are judged if its program failed. */
const wordsLimit = 2_000;

function wordsOf({ said, stderr }: TurnFacts): string {
  return `${said.noise.slice(-wordsLimit)}\n${stderr}`;
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
  const words = last.text === '' ? lastWords(wordsOf(facts)) : oneLine(last.text, reasonLimit);
  const reason = words === '' ? (last.reason ?? 'it reported an error') : words;
  if (isAborted(last)) return { kind: 'interrupted', reason: `the turn was interrupted (${last.reason})` };
  if (last.reason === 'budget_exhausted' || last.reason === 'error_max_budget_usd')
    return { kind: 'over-budget', reason };
  const told = readFields(last, facts.said.limit) ?? readFailure(`${last.text}\n${wordsOf(facts)}`);
  if (told === 'failed') return { kind: 'failed', reason };
  // Declined, so the same again does not help.
  const isDeclined = last.apiStatus !== undefined && last.apiStatus >= 400 && last.apiStatus < 500;
  const meant = told ?? (isDeclined ? 'refused' : undefined);
  return meant === undefined ? { kind: 'crashed', reason } : outcomeOf(meant, facts, reason);
}

function outcomeOf(told: FailureWord, { said }: TurnFacts, reason: string): Outcome {
  switch (told) {
    case 'limited': {
      const { resetsAt = readReset(reason) } = isRejected(said.limit) ? said.limit : {};
      return { kind: told, reason, ...defined({ until: resetsAt }) };
    }
    case 'refused':
      return { kind: told, reason, remedies: findRemedies(reason, said.last?.apiStatus) };
    case 'overloaded': {
      const suspectsLimit = said.last?.apiError === 'suspected_limit' || undefined;
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
