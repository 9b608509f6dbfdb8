// Formats one agent process, from spawn to end.
import type { FactOf } from '../../event.ts';
import {
  formatCost,
  formatCount,
  formatList,
  formatMoment,
  formatMs,
  formatShare,
  formatTokens,
} from '../text/figure.ts';
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
  'clock-rang': (fact) => [
    line(
      'warn',
      `${formatClockName(fact.clock)} (${formatMs(fact.afterMs)}${isSetting(fact.clock) ? `, see clocks.${fact.clock}` : ''})`,
      1,
    ),
  ],
  'limit-seen': (fact) => formatLimit(fact),
  'leftovers-ended': (fact) => {
    const whose = fact.session === undefined ? 'a check' : `session ${fact.session}`;
    const commands = fact.processes.map(({ pid, command }) => `${command} (${pid})`);
    return [
      line(
        'dim',
        `ended ${formatCount(commands.length, 'process', 'processes')} left running by ${whose}: ${formatList(commands, 3)}`,
        1,
      ),
    ];
  },
  'session-ended': (fact, { verbose }, context) => {
    const started = findSession(context, fact.session);
    const isHeard = fact.outcome === 'silent' && started !== undefined && markerless.has(started.role);
    // Its words were just shown; its price is in the receipt.
    if (!verbose && (isHeard || isWanted(fact.outcome))) return [];
    const how = isHeard ? 'ended' : endOf(fact);
    const who = nameSession(fact.session, started?.reviewer);
    return [
      line(isHeard || isWanted(fact.outcome) ? 'dim' : 'warn', `${who} ${how} ${formatFigures(fact)}`, 1),
    ];
  },
} satisfies Formats;

/** A session whose end nobody saw was lost with its pawl, or left on another machine. */
export function formatOutcome({
  outcome,
  exitCode,
  signal,
}: Pick<FactOf<'session-ended'>, 'outcome'> &
  Partial<Pick<FactOf<'session-ended'>, 'exitCode' | 'signal'>>): string {
  return outcome === 'crashed' && exitCode === null && signal === null ? 'was lost' : outcomeName[outcome];
}

/** These answer with a block or data, not with a marker. */
const markerless: ReadonlySet<FactOf<'session-started'>['role']> = new Set(['plan', 'replan', 'review']);

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

const limitStatus = { warning: 'nearly reached', rejected: 'reached' } as const;

const clockName: Readonly<Record<string, string>> = {
  firstEvent: 'The agent printed nothing after the first message',
  silence: 'The agent was silent for too long',
  api: 'The model sent nothing for too long',
  tool: 'One tool call took too long',
  session: 'The session worked for too long',
  drain: 'The agent did not end when its input was closed',
};

function isSetting(clock: string): boolean {
  return clock === 'silence' || clock === 'session';
}

function formatClockName(clock: string): string {
  return clockName[clock] ?? `A time limit was reached: ${clock}`;
}

function isWanted(outcome: FactOf<'session-ended'>['outcome']): boolean {
  return outcome === 'done' || outcome === 'already-done';
}

export function formatSwitch({ from, to, why, until }: FactOf<'agent-switched'>): string {
  if (why === 'back') return `${to} continues: its usage limit is over`;
  if (why === 'refused') return `${to} continues instead of ${from}, which cannot take over`;
  const reset = until === undefined ? 'its reset time is unknown' : `it resets ${formatMoment(until)}`;
  return `${to} continues instead of ${from}, which is at its usage limit (${reset})`;
}

function formatLimit({ status, window, utilization, resetsAt }: FactOf<'limit-seen'>): readonly Line[] {
  if (status === 'allowed') return [];
  const text = [
    `Usage limit${window === undefined ? '' : ` (${window})`} ${limitStatus[status]}`,
    ...(utilization === undefined ? [] : [`${formatShare(utilization)} used`]),
    ...(resetsAt === undefined ? [] : [`resets ${formatMoment(resetsAt)}`]),
  ].join(', ');
  return [line('warn', text, 1)];
}

/** A claim is worth what the checks say, on their own lines. */
function endOf(fact: FactOf<'session-ended'>): string {
  const { outcome, reason } = fact;
  if (outcome === 'done' && reason !== '') return `ended and says: ${reason}`;
  return `${formatOutcome(fact)}${because(reasonOf(fact))}`;
}

function nameSession(session: number, reviewer: string | undefined): string {
  return reviewer === undefined ? `Session ${session}` : `Reviewer ${reviewer} (session ${session})`;
}

function formatFigures(fact: FactOf<'session-ended'>): string {
  const cost = formatCost({
    costUsd: fact.costUsd,
    atLeast: fact.costAtLeast,
  });
  const tokens = fact.tokens ? `, ${formatTokens(fact.tokens.output)} output tokens` : '';
  const how = fact.signal ? `, by ${fact.signal}` : fact.exitCode ? `, exit ${fact.exitCode}` : '';
  return `(${formatMs(fact.durationMs)}, ${cost}${tokens}${how})`;
}

/** A question has a line of its own. */
function reasonOf({ outcome, reason }: FactOf<'session-ended'>): string {
  if (outcome === 'needs-input') return '';
  return outcome === 'interrupted' && reason === 'pawl was interrupted' ? '' : reason;
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${reason}`;
}
