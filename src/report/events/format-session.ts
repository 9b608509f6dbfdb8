// Formats one agent process, what a person asks of it or of the run, and the dialogue about a plan with its drafts.
import type { FactOf } from '../../event.ts';
import { shorten } from '../../shorten.ts';
import { formatCount, formatList, formatMoment, formatMs, formatShare } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { hangOf } from './format-activity.ts';
import { type Formats, findSession, type Told } from './render-context.ts';

/** Characters shown of a process' command line. */
const mostCommand = 80;

export const sessionFormats = {
  'session-started': deliveredLines,
  'agent-switched': (fact) => line('warn', formatSwitch(fact), 1),
  'clock-rang': ({ clock, afterMs }) =>
    line('warn', `A time limit was reached: ${clockNames[clock] ?? clock} (${formatMs(afterMs)})`, 1),
  'limit-seen': formatLimit,
  'leftovers-ended': ({ session, processes }) => {
    const whose = session === undefined ? 'a check' : `session ${session}`;
    const commands = processes.map(({ pid, command }) => `${shorten(command, mostCommand)} (${pid})`);
    const count = formatCount(commands.length, 'process', 'processes');
    return [line('dim', `ended ${count} left running by ${whose}: ${formatList(commands, 3)}`, 1)];
  },
  // What its task or review comes to tells of it, its price is in the receipt.
  'session-ended': ({ session, outcome, reason, exitCode, signal }, context) => {
    const started = findSession(context, session);
    const isTold = started && (started.task !== undefined || started.role !== 'plan');
    // Nobody saw its end: it was lost with its pawl, or left on another machine.
    const isLost = outcome === 'crashed' && exitCode === null && signal === null;
    if (isTold || expected.has(outcome)) return [];
    const words = isLost ? 'was lost' : `ended as ${outcome}`;
    return [line('warn', `Session ${session} ${words}${reason === '' ? '' : `, ${reason}`}`, 1)];
  },
} satisfies Formats;

const clockNames: Readonly<Record<string, string>> = { firstEvent: 'first output', api: 'API answer' };

const expected: ReadonlySet<string> = new Set(['done', 'already-done', 'silent']);

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

function formatIntervention({ kind, now, said, text, by }: FactOf<'intervention'>): Told {
  // The resumption says how.
  if (kind === 'rerun') return [];
  const how = now ? 'is interrupted' : 'finishes its turn';
  if (kind === 'pause') return line('warn', `Pausing: the running session ${how}; its work is kept`);
  const who = by === undefined ? '' : `by ${by}: `;
  const answer = kind === 'answer' ? `: ${said}` : '';
  const words = `${who}${text}${answer}`;
  return line(alarming.has(kind) ? 'warn' : 'plain', `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`);
}

const alarming: ReadonlySet<string> = new Set(['stop', 'skip', 'tick']);

type Delivery = Readonly<{ session: number; notes?: readonly number[] | undefined }>;

function deliveredLines({ session, notes = [] }: Delivery): readonly Line[] {
  const told = formatList(notes.map((note) => `note ${note}`));
  return notes.length === 0 ? [] : [line('plain', `Session ${session} was given ${told}`, 1)];
}

export const dialogueFormats = {
  'dialogue-asked': ({ question, header, text, context }) => [
    line('head', `Question ${question}${header === undefined ? '' : `: ${header}`}`),
    ...[text, ...(context === undefined ? [] : [context])].flatMap((prose) =>
      prose.split('\n').map((part) => ({ ...line('plain', part, 1), hang: 0 })),
    ),
  ],
  'dialogue-answered': ({ question, answer, because }) =>
    line('good', `Answer ${question}${because === undefined ? '' : ` (${because})`}: ${answer}`),
  // Whoever judges it is shown all that is wrong with it.
  'dialogue-drafted': (fact) => formatFigures(fact),
  'dialogue-tried': (fact) => (fact.tried ? formatTried(fact) : []),
  'dialogue-judged': ({ draft, choice }) =>
    line('plain', `Draft ${draft} was ${choice === 'commented' ? 'commented on' : choice}`),
  'dialogue-written': ({ to }) => line('good', `The plan is written: ${to}`),
} satisfies Formats;

export type DraftWorded = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  tried?: FactOf<'dialogue-tried'>;
}>;

export function formatDraft({ draft, text, tried }: DraftWorded): readonly Line[] {
  return [
    line('plain', ''),
    ...text.trimEnd().split(/\r?\n/).map(formatLine),
    line('plain', ''),
    formatFigures(draft),
    ...draft.errors.map((problem) => line('bad', problem, 1)),
    ...draft.notes.map((note) => line('warn', note, 1)),
    ...(tried ? formatTried(tried) : []),
  ];
}

function formatLine(text: string): Line {
  const isCheck = /^\s*- (check|acceptance|verify):/.test(text);
  const tone = /^#{1,6}\s/.test(text) ? 'head' : isCheck ? 'good' : 'plain';
  return { ...line(tone, text, 1), hang: hangOf(text) };
}

function formatFigures({ draft, tasks, checks }: FactOf<'dialogue-drafted'>): Line {
  const whose = tasks === 1 ? 'its' : 'their';
  return line(
    'head',
    `Draft ${draft}: ${formatCount(tasks, 'task')}, ${formatCount(checks, 'check')} of ${whose} own`,
  );
}

function formatTried({ tried, problems }: FactOf<'dialogue-tried'>): readonly Line[] {
  if (!tried) return [line('dim', 'its checks were not tried', 1)];
  if (problems.length === 0) return [line('good', 'each of its checks fails now, as it should', 1)];
  return problems.map((text) => line('warn', text, 1));
}
