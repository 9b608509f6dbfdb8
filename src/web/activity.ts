// What a run's agents say and do: the newest few hundred items.
import { statSync } from 'node:fs';
import { defined } from '../defined.ts';
import type { Activity, Event, FactOf, Stamped } from '../event.ts';
import type { RunFolder } from '../journal/folder.ts';
import { maskEvent } from '../journal/mask.ts';
import { followSession, rawFile } from '../journal/replay.ts';
import type { RunState } from '../journal/state.ts';
import { formatActivity, splitSaid } from '../report/events/format-activity.ts';
import { formatToolDetail } from '../report/text/figure.ts';
import { readerOf } from '../start/agent-start.ts';
import type { ActivityItem } from './view.ts';

const mostItems = 500;
/** Read of a stream's end, when followed and on demand, in bytes. */
const firstBytes = 2 * 1024 * 1024;
const mostBytes = 32 * 1024 * 1024;
const mostText = 4_000;

type SessionStart = Stamped<FactOf<'session-started'>>;

/** `root`: where the session works, removed from paths. */
type ItemOptions = Readonly<{ mask: (text: string) => string; root: string }>;

type FollowOptions = Readonly<{
  mask: ItemOptions['mask'];
  rootOf: (started: SessionStart) => string;
}>;

export class ActivityFollower {
  readonly #found: RunFolder;
  readonly #options: FollowOptions;
  readonly #streams = new Map<number, ReturnType<typeof followItems>>();
  readonly #fresh: ActivityItem[] = [];
  #count = 0;
  items: readonly ActivityItem[] = [];

  constructor(found: RunFolder, options: FollowOptions) {
    this.#found = found;
    this.#options = options;
  }

  look({ sessions }: Pick<RunState, 'sessions'>): void {
    for (const { started, ended } of sessions.values()) {
      const known = this.#streams.get(started.session);
      if (ended && !known) continue;
      const stream = known ?? this.#follow(started);
      this.#streams.set(started.session, stream);
      stream.look();
      if (ended) this.#streams.delete(started.session);
    }
    // Concurrent sessions are sorted by time, within one look.
    const fresh = this.#fresh.splice(0).sort((a, b) => a.at.localeCompare(b.at));
    const numbered = fresh.map((item, at) => ({ ...item, n: this.#count + at + 1 }));
    this.#count += fresh.length;
    this.items = [...this.items, ...numbered].slice(-mostItems);
  }

  #follow(started: SessionStart) {
    const { mask, rootOf } = this.#options;
    return followItems(this.#found, started, {
      mask,
      root: rootOf(started),
      lastBytes: firstBytes,
      show: (item) => this.#fresh.push(item),
    });
  }
}

export function readSession(
  found: RunFolder,
  started: SessionStart,
  options: ItemOptions,
): readonly ActivityItem[] {
  const items: ActivityItem[] = [];
  followItems(found, started, {
    ...options,
    lastBytes: mostBytes,
    show: (item) => items.push({ ...item, n: items.length }),
  }).look();
  return items.slice(-mostItems);
}

function followItems(
  found: RunFolder,
  started: SessionStart,
  {
    lastBytes,
    show,
    ...options
  }: ItemOptions & Readonly<{ lastBytes: number; show(item: ActivityItem): void }>,
) {
  const size = statSync(rawFile(found, started.session), { throwIfNoEntry: false })?.size ?? 0;
  return followSession(found, started, {
    readerOf,
    from: Math.max(0, size - lastBytes),
    show: (event) => {
      const item = itemOf(event, options);
      if (item) show(item);
    },
  });
}

function itemOf(event: Stamped<Event>, { mask, root }: ItemOptions): ActivityItem | undefined {
  if (event.type !== 'activity') return undefined;
  const masked = maskEvent(event, mask) as Stamped<Activity>;
  const words = wordsOf(masked);
  if (!words) return undefined;
  return {
    n: 0,
    at: event.at,
    session: event.session,
    ...defined({ task: event.task }),
    ...words,
    main: !('main' in event.event) || event.event.main,
    text: cut(words.text),
    ...(words.detail === undefined ? {} : { detail: cut(formatToolDetail(words.detail, root)) }),
    ...defined({ marker: words.marker && { ...words.marker, words: cut(words.marker.words) } }),
  };
}

function wordsOf(activity: Activity): Pick<ActivityItem, 'kind' | 'text' | 'detail' | 'marker'> | undefined {
  const { event } = activity;
  switch (event.type) {
    case 'said':
      return { kind: 'said', ...splitSaid(event.text) };
    case 'noise':
      return { kind: 'note', ...splitSaid(event.text) };
    case 'thought':
      return { kind: 'thought', text: 'thinking' };
    case 'tool-started':
      // Its answer is shown as findings.
      if (event.tool === 'StructuredOutput') return { kind: 'note', text: 'Gave its answer' };
      return { kind: 'tool', text: event.tool, detail: event.detail };
    case 'tool-ended':
      return event.isError ? { kind: 'trouble', text: 'The tool call failed' } : undefined;
    default: {
      const [line] = formatActivity(activity, { verbose: false });
      return line && { kind: line.tone === 'warn' ? 'trouble' : 'note', text: line.text };
    }
  }
}

function cut(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)} …` : text;
}
