// Formats one agent process.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, formatMoment, formatMs, formatShare } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { deliveredLines } from './format-control.ts';
import type { Formats } from './formats.ts';
import { findSession } from './render-context.ts';

export const sessionFormats = {
  'session-started': deliveredLines,
  'agent-switched': (fact) => [line('warn', formatSwitch(fact), 1)],
  'clock-rang': ({ clock, afterMs }) => [
    line('warn', `${clockName[clock] ?? `A time limit was reached: ${clock}`} (${formatMs(afterMs)})`, 1),
  ],
  'limit-seen': formatLimit,
  'leftovers-ended': ({ session, processes }) => {
    const whose = session === undefined ? 'a check' : `session ${session}`;
    const commands = processes.map(({ pid, command }) => `${command} (${pid})`);
    const count = formatCount(commands.length, 'process', 'processes');
    return [line('dim', `ended ${count} left running by ${whose}: ${formatList(commands, 3)}`, 1)];
  },
  // What its task or review comes to tells of it, its price is in the receipt.
  'session-ended': ({ session, outcome, reason, exitCode, signal }, _how, context) => {
    const started = findSession(context, session);
    const isTold = started && (started.task !== undefined || started.role !== 'plan');
    // Nobody saw its end: it was lost with its pawl, or left on another machine.
    const isLost = outcome === 'crashed' && exitCode === null && signal === null;
    const words = isLost ? 'was lost' : outcomeName[outcome];
    if (isTold || words === undefined) return [];
    return [line('warn', `Session ${session} ${words}${reason === '' ? '' : `: ${reason}`}`, 1)];
  },
} satisfies Formats;

const outcomeName: Readonly<Partial<Record<FactOf<'session-ended'>['outcome'], string>>> = {
  failed: 'gave up',
  'needs-input': 'ended with a question',
  replan: 'asked for another plan',
  limited: 'hit the usage limit',
  overloaded: 'got no answer from the service',
  refused: 'was refused',
  crashed: 'crashed',
  'timed-out': 'was ended by a timeout',
  stuck: 'made no progress and was ended',
  unfinished: 'ended with work still open',
  'over-budget': 'reached its budget',
  interrupted: 'was interrupted',
};

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
