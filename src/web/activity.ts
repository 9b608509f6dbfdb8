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
import { nextNumber } from './parts.ts';
import type { ActivityItem } from './view.ts';

const mostItems = 500;
/** Read of a stream's end, when followed and on demand, in bytes. */
const firstBytes = 2 * 1024 * 1024;
const mostBytes = 32 * 1024 * 1024;
const mostText = 4_000;

type SessionStart = Stamped<FactOf<'session-started'>>;

type Mask = (text: string) => string;

export class ActivityFollower {
  readonly #found: RunFolder;
  readonly #mask: Mask;
  readonly #streams = new Map<number, ReturnType<typeof followItems>>();
  readonly #fresh: ActivityItem[] = [];
  items: readonly ActivityItem[] = [];

  constructor(found: RunFolder, mask: Mask) {
    this.#found = found;
    this.#mask = mask;
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
    const numbered = fresh.map((item) => ({ ...item, n: nextNumber() }));
    this.items = [...this.items, ...numbered].slice(-mostItems);
  }

  #follow(started: SessionStart) {
    return followItems(this.#found, started, {
      mask: this.#mask,
      lastBytes: firstBytes,
      show: (item) => this.#fresh.push(item),
    });
  }
}

export function readSession(found: RunFolder, started: SessionStart, mask: Mask): readonly ActivityItem[] {
  const items: ActivityItem[] = [];
  const show = (item: ActivityItem) => items.push({ ...item, n: items.length });
  followItems(found, started, { mask, lastBytes: mostBytes, show }).look();
  return items.slice(-mostItems);
}

function followItems(
  found: RunFolder,
  started: SessionStart,
  { mask, lastBytes, show }: Readonly<{ mask: Mask; lastBytes: number; show(item: ActivityItem): void }>,
) {
  const size = statSync(rawFile(found, started.session), { throwIfNoEntry: false })?.size ?? 0;
  return followSession(found, started, {
    readerOf,
    from: Math.max(0, size - lastBytes),
    show: (event) => {
      const item = itemOf(maskEvent(event, mask), started.cwd);
      if (item) show(item);
    },
  });
}

/** `folder`: where the session works, removed from paths. */
function itemOf(event: Stamped<Event>, folder: string): ActivityItem | undefined {
  const words = event.type === 'activity' ? wordsOf(event) : undefined;
  if (event.type !== 'activity' || !words) return undefined;
  const { text, detail, marker } = words;
  return {
    ...{ n: 0, at: event.at, session: event.session, kind: words.kind, text: cut(text) },
    ...defined({
      task: event.task,
      detail: detail && cut(formatToolDetail(detail, folder)),
      marker: marker && { ...marker, words: cut(marker.words) },
    }),
    main: !('main' in event.event) || event.event.main,
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
