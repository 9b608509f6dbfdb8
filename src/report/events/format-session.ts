// Formats one agent process, from spawn to end.
import type { FactOf } from '../../event.ts';
import { formatCost, formatCount, formatList, formatMoment, formatMs, formatShare } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { deliveredLines } from './format-control.ts';
import type { Formats } from './formats.ts';
import { findSession } from './render-context.ts';

export const sessionFormats = {
  'session-started': (fact) => [
    ...(fact.continues === undefined
      ? []
      : [line('dim', `Continues the conversation of session ${fact.continues}`, 1)]),
    ...deliveredLines(fact),
  ],
  'session-ready': () => [],
  'session-cost': () => [],
  'turn-ended': () => [],
  'agent-switched': (fact) => [line('warn', formatSwitch(fact), 1)],
  'clock-rang': ({ clock, afterMs }) => [
    line('warn', `${clockName[clock] ?? `A time limit was reached: ${clock}`} (${formatMs(afterMs)})`, 1),
  ],
  'limit-seen': (fact) => formatLimit(fact),
  'leftovers-ended': ({ session, processes }) => {
    const whose = session === undefined ? 'a check' : `session ${session}`;
    const commands = processes.map(({ pid, command }) => `${command} (${pid})`);
    const count = formatCount(commands.length, 'process', 'processes');
    return [line('dim', `ended ${count} left running by ${whose}: ${formatList(commands, 3)}`, 1)];
  },
  // What its task or review comes to tells of it; its price is in the receipt.
  'session-ended': (fact, { verbose }, context) => {
    const started = findSession(context, fact.session);
    const isTold = started && (started.task !== undefined || started.role !== 'plan');
    const isFine = ['done', 'already-done', 'silent'].includes(fact.outcome);
    if (!verbose && (isTold || isFine)) return [];
    const who = started?.reviewer ? `Reviewer ${started.reviewer} (session ${fact.session})` : undefined;
    const text = `${who ?? `Session ${fact.session}`} ${formatSessionEnd(fact)} ${formatFigures(fact)}`;
    return [line(isFine ? 'dim' : 'warn', text, 1)];
  },
} satisfies Formats;

type SessionEnd = Pick<FactOf<'session-ended'>, 'outcome'> & Partial<FactOf<'session-ended'>>;

/** A session whose end nobody saw was lost with its pawl, or left on another machine. */
export function formatOutcome({ outcome, exitCode, signal }: SessionEnd): string {
  return outcome === 'crashed' && exitCode === null && signal === null ? 'was lost' : outcomeName[outcome];
}

function formatSessionEnd(fact: FactOf<'session-ended'>): string {
  return `${formatOutcome(fact)}${fact.reason === '' ? '' : `: ${fact.reason}`}`;
}

const outcomeName = {
  done: 'says it is done',
  failed: 'gave up',
  'already-done': 'says nothing had to be done',
  'needs-input': 'ended with a question',
  replan: 'asked for another plan',
  silent: 'ended without saying whether it is done',
  limited: 'hit the usage limit',
  overloaded: 'got no answer from the service',
  refused: 'was refused',
  crashed: 'crashed',
  'timed-out': 'was ended by a timeout',
  stuck: 'made no progress and was ended',
  unfinished: 'ended with work still open',
  'over-budget': 'reached its budget',
  interrupted: 'was interrupted',
} as const;

const clockName: Readonly<Record<string, string>> = {
  firstEvent: 'The agent printed nothing after the first message',
  silence: 'The agent was silent for longer than clocks.silence',
  api: 'The model sent nothing for too long',
  tool: 'One tool call took too long',
  session: 'The session worked for longer than clocks.session',
  drain: 'The agent did not end when its input was closed',
};

function formatSwitch({ from, to, why, until }: FactOf<'agent-switched'>): string {
  if (why === 'back') return `${to} continues: its usage limit is over`;
  if (why === 'refused') return `${to} continues instead of ${from}, which cannot take over`;
  const reset = until === undefined ? 'its reset time is unknown' : `it resets ${formatMoment(until)}`;
  return `${to} continues instead of ${from}, which is at its usage limit (${reset})`;
}

function formatLimit({ status, window, utilization, resetsAt }: FactOf<'limit-seen'>): readonly Line[] {
  if (status === 'allowed') return [];
  const text = [
    `Usage limit${window === undefined ? '' : ` (${window})`} ${status === 'warning' ? 'nearly reached' : 'reached'}`,
    ...(utilization === undefined ? [] : [`${formatShare(utilization)} used`]),
    ...(resetsAt === undefined ? [] : [`resets ${formatMoment(resetsAt)}`]),
  ].join(', ');
  return [line('warn', text, 1)];
}

function formatFigures({
  costUsd,
  costAtLeast,
  durationMs,
  exitCode,
  signal,
}: FactOf<'session-ended'>): string {
  const how = signal ? `, by ${signal}` : exitCode ? `, exit ${exitCode}` : '';
  return `(${formatMs(durationMs)}, ${formatCost({ costUsd, atLeast: costAtLeast })}${how})`;
}
