// When pending items are sent, and how several become one message: judges times that are passed in.
import { shorten } from '../shorten.ts';
import type { Message, Priority } from './message.ts';
import type { Item } from './occasion.ts';

const minuteMs = 60_000;

/** Pauses before a message, to gather simultaneous events; between two; between two quiet ones. */
export const pauses = { gatherMs: 3_000, loudMs: minuteMs, quietMs: 8 * 60 * minuteMs } as const;

const loud = 3;

/** Epoch milliseconds; `quietMs`: of only quiet items. */
export type LastSent = Readonly<{ anyMs?: number; quietMs?: number }>;

/** Epoch milliseconds; undefined: nothing is pending. Quiet items wait for loud ones, or for hours. */
export function judgeSending(pending: readonly Item[], last: LastSent): number | undefined {
  const [first] = pending;
  if (!first) return undefined;
  const firstLoud = pending.find(({ priority }) => priority >= loud);
  if (firstLoud) return Math.max(firstLoud.atMs + pauses.gatherMs, (last.anyMs ?? 0) + pauses.loudMs);
  return Math.max(first.atMs + pauses.gatherMs, (last.quietMs ?? 0) + pauses.quietMs);
}

export function afterSending(sent: readonly Item[], last: LastSent, nowMs: number): LastSent {
  const isQuiet = sent.every(({ priority }) => priority < loud);
  return { ...last, anyMs: nowMs, ...(isQuiet ? { quietMs: nowMs } : {}) };
}

const most = 6;

/** Of at least one item. `dashboard`: where a run is shown, if anywhere. */
export function composeMessage(
  items: readonly Item[],
  dashboard: (run: string) => string | undefined = () => undefined,
): Message {
  const told = items.toSorted((a, b) => b.priority - a.priority || a.atMs - b.atMs);
  const [top] = told;
  if (!top) throw new Error('a message tells something');
  const { about } = top.event;
  const rest = told.length - most;
  const link = about && dashboard(about.run);
  const isOne = told.length === 1;
  const body = [
    ...told.slice(0, most).map((item) => formatItem(item, isOne)),
    ...(rest > 0 ? [`… and ${rest} more: pawl status`] : []),
    ...(about ? [`${about.title} (${about.plan}, branch ${about.branch})`] : []),
    // Without its token: a message stays with others.
    ...(link ? [`Dashboard: ${link} (in a browser that has it open)`] : []),
  ];
  return {
    title: shorten(`pawl: ${top.title}${isOne ? '' : ` (+${told.length - 1})`}`, 120),
    body: body.map((part) => shorten(part, 600)).join('\n\n'),
    tone: top.tone,
    priority: Math.max(...told.map(({ priority }) => priority)) as Priority,
    events: told.map(({ event }) => event),
  };
}

function formatItem({ title, text, event: { command } }: Item, isOne: boolean): string {
  const words = isOne ? text : `${title}. ${text}`;
  return command === undefined ? words : `${words}\n→ ${command}`;
}
