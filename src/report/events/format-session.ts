// Formats one agent process, and what a person asks of it or of the run.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, formatMoment, formatMs, formatShare } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { type Formats, findSession } from './render-context.ts';

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

export const controlFormats = {
  intervention: formatIntervention,
  paused: () => [
    line('warn', 'Paused: no session is running and all timers are stopped. You can edit the plan now.'),
    line('dim', 'continue with: pawl continue', 1),
  ],
  'notes-delivered': deliveredLines,
} satisfies Formats;

function formatIntervention(fact: FactOf<'intervention'>): readonly Line[] {
  const { kind, task, note, said, text, by } = fact;
  const say = (words: string) => [line('plain', words)];
  const alert = (words: string) => [line('warn', words)];
  switch (kind) {
    case 'pause':
      return alert(
        fact.now
          ? 'Pausing: the running session is interrupted; its work is kept'
          : 'Pausing: the running session finishes its turn, then nothing new starts',
      );
    case 'continue':
      return say('Continuing, as asked');
    case 'stop':
      return alert('Stop requested');
    case 'steer': {
      const whose = task === undefined ? '' : ` of task ${task}`;
      return say(`Note ${note} (to the ${fact.now ? 'running or ' : ''}next session${whose}): ${said}`);
    }
    case 'skip':
      return alert(`Task ${task} will be skipped, as asked`);
    case 'retry':
      return say(`Task ${task} gets new attempts, as asked`);
    case 'tick':
      return alert(`! Task ${task} was ticked by hand: closed, but not checked by pawl`);
    case 'answer':
      return say(`Task ${task} was answered: ${said}`);
    // The resumption says how.
    case 'rerun':
      return [];
  }
  return say(`Intervention${by === undefined ? '' : ` by ${by}`}: ${text}`);
}

function deliveredLines({
  session,
  notes = [],
}: Readonly<{ session: number; notes?: readonly number[] | undefined }>): readonly Line[] {
  const told = formatList(notes.map((note) => `note ${note}`));
  return notes.length === 0 ? [] : [line('plain', `Session ${session} was given ${told}`, 1)];
}
