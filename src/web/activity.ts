// What the agents of one run say and do, from the raw streams of its sessions: the newest few hundred items, and older ones
// of a session on demand. Only the end of a long stream is read.

import { statSync } from 'node:fs';
import { defined } from '../defined.ts';
import type { AgentEvent } from '../event/activity.ts';
import type { Activity, Event, FactOf, Stamped } from '../event.ts';
import type { RunFolder } from '../journal/folder.ts';
import { maskEvent } from '../journal/mask.ts';
import { followSession, rawFile } from '../journal/replay.ts';
import type { RunState } from '../journal/state.ts';
import { splitSaid } from '../report/events/format-activity.ts';
import { formatToolDetail } from '../report/text/figure.ts';
import { readerOf } from '../start/read-activity.ts';
import type { ActivityItem } from './view.ts';

/** How many of a run's newest items are kept. */
const mostItems = 500;
/** How much of a stream's end is read at first, in bytes. */
const firstBytes = 2 * 1024 * 1024;
/** How much of a session is read on demand, in bytes. */
const mostBytes = 32 * 1024 * 1024;
const mostText = 4_000;

type Mask = (text: string) => string;
type SessionStart = Stamped<FactOf<'session-started'>>;

/** What an item is made with. `root`: where the session works, removed from paths; `n`: its number. */
type ActivityContext = Readonly<{ mask: Mask; root: string; n: number }>;

/** Items of all runs are counted together, so a run that is followed again continues with higher numbers. */
let counted = 0;

export class ActivityFollower {
  readonly #found: RunFolder;
  readonly #options: Readonly<{ mask: Mask; rootOf: (started: SessionStart) => string }>;
  readonly #streams = new Map<number, ReturnType<typeof followSession>>();
  #count = 0;
  /** The newest, in order of arrival. */
  items: readonly ActivityItem[] = [];

  constructor(
    found: RunFolder,
    options: Readonly<{ mask: Mask; rootOf: (started: SessionStart) => string }>,
  ) {
    this.#found = found;
    this.#options = options;
  }

  /** Number of the last item; increases with each. */
  get count(): number {
    return this.#count;
  }

  look({ sessions }: Pick<RunState, 'sessions'>): void {
    const fresh: ActivityItem[] = [];
    for (const { started, ended } of sessions.values()) {
      const known = this.#streams.get(started.session);
      if (ended && !known) continue;
      const stream = known ?? this.#follow(started);
      this.#streams.set(started.session, stream);
      this.#show = (item) => fresh.push(item);
      stream.look();
      if (ended) this.#streams.delete(started.session);
    }
    if (fresh.length === 0) return;
    // Items of concurrent sessions are sorted by their times, within one look.
    fresh.sort((a, b) => a.at.localeCompare(b.at));
    this.items = [...this.items, ...fresh.map((item) => ({ ...item, n: ++counted }))].slice(-mostItems);
    this.#count = counted;
  }

  #show: (item: ActivityItem) => void = () => {};

  #follow(started: SessionStart) {
    const { mask, rootOf } = this.#options;
    const root = rootOf(started);
    return followSession(this.#found, started, {
      readerOf,
      from: Math.max(0, sizeOf(rawFile(this.#found, started.session)) - firstBytes),
      show: (event) => {
        const item = itemOf(event, { mask, root, n: 0 });
        if (item) this.#show(item);
      },
    });
  }
}

/** Items of one session, the newest `most` of those before the number `before`; and whether there are older ones. */
export function readSession(
  found: RunFolder,
  started: SessionStart,
  { before, most, ...given }: Omit<ActivityContext, 'n'> & Readonly<{ before: number; most: number }>,
): Readonly<{ items: readonly ActivityItem[]; older: number }> {
  const items: ActivityItem[] = [];
  const size = sizeOf(rawFile(found, started.session));
  followSession(found, started, {
    readerOf,
    from: Math.max(0, size - mostBytes),
    show: (event) => {
      const item = itemOf(event, { ...given, n: items.length + 1 });
      if (item) items.push(item);
    },
  }).look();
  const end = Math.min(items.length, before - 1);
  const begin = Math.max(0, end - most);
  return { items: items.slice(begin, end), older: begin };
}

function itemOf(event: Stamped<Event>, { mask, root, n }: ActivityContext): ActivityItem | undefined {
  if (event.type !== 'activity') return undefined;
  const said = wordsOf(event.event);
  if (!said) return undefined;
  const masked = maskEvent(event, mask) as Stamped<Activity>;
  const words = wordsOf(masked.event) ?? said;
  return {
    ...{ n, at: event.at, session: event.session, ...defined({ task: event.task }) },
    ...words,
    text: cut(words.text),
    ...(words.detail === undefined ? {} : { detail: cut(formatToolDetail(words.detail, root)) }),
    ...defined({ marker: words.marker && { ...words.marker, words: cut(words.marker.words) } }),
  };
}

type Words = Pick<ActivityItem, 'kind' | 'text' | 'detail' | 'marker' | 'isError' | 'main'>;

function wordsOf(event: AgentEvent): Words | undefined {
  switch (event.type) {
    case 'said':
      return { kind: 'said', ...splitSaid(event.text), main: event.main };
    case 'thought':
      return { kind: 'thought', text: 'thinking', main: event.main };
    case 'tool-started':
      // Its answer is shown as findings.
      if (event.tool === 'StructuredOutput')
        return { kind: 'note', text: 'Gave its answer', main: event.main };
      return { kind: 'tool', text: event.tool, detail: event.detail, main: event.main };
    case 'tool-ended':
      return event.isError
        ? { kind: 'trouble', text: 'The tool call failed', isError: true, main: event.main }
        : undefined;
    case 'denied':
      return { kind: 'trouble', text: `${event.tool} was denied: ${event.reason}`, main: true };
    case 'api-retry':
      return {
        kind: 'trouble',
        text: `The service did not answer (${event.reason}); try ${event.attempt} of ${event.max}`,
        main: true,
      };
    case 'model-fallback':
      return {
        kind: 'note',
        text: `${event.to} continues instead of ${event.from}: ${event.reason}`,
        main: true,
      };
    case 'compacted':
      return { kind: 'note', text: 'The conversation was compacted', main: true };
    case 'noise':
      return { kind: 'note', ...splitSaid(event.text), main: true };
    default:
      return undefined;
  }
}

function cut(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)} …` : text;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
