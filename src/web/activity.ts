// What a run's agents say and do: the newest few hundred items.
import { statSync } from 'node:fs';
import { defined } from '../defined.ts';
import type { Event, FactOf, Stamped } from '../event.ts';
import type { RunFolder } from '../journal/folder.ts';
import { maskEvent } from '../journal/mask.ts';
import { followSession, rawFile } from '../journal/replay.ts';
import type { RunState } from '../journal/state.ts';
import { formatActivity, mostSaid, splitSaid } from '../report/events/format-activity.ts';
import { type Line, line } from '../report/text/line.ts';
import { readerOf } from '../start/agent-start.ts';
import { nextNumber } from './parts.ts';
import type { ActivityItem } from './view.ts';

const mostItems = 500;
/** Read of a stream's end, when followed and on demand, in bytes. */
const firstBytes = 2 * 1024 * 1024;
const mostBytes = 32 * 1024 * 1024;

type SessionStart = Stamped<FactOf<'session-started'>>;

type Mask = (text: string) => string;

export class ActivityFollower {
  readonly #found: RunFolder;
  readonly #following: Omit<Following, 'state'>;
  readonly #streams = new Map<number, ReturnType<typeof followItems>>();
  readonly #fresh: ActivityItem[] = [];
  items: readonly ActivityItem[] = [];

  constructor(found: RunFolder, mask: Mask) {
    this.#found = found;
    this.#following = { mask, lastBytes: firstBytes, show: (item) => this.#fresh.push(item) };
  }

  look(state: RunState): void {
    for (const { started, ended } of state.sessions.values()) {
      const known = this.#streams.get(started.session);
      if (ended && !known) continue;
      const stream = known ?? followItems(this.#found, started, { ...this.#following, state });
      this.#streams.set(started.session, stream);
      stream.look();
      if (ended) this.#streams.delete(started.session);
    }
    // Concurrent sessions are sorted by time, within one look.
    const fresh = this.#fresh.splice(0).sort((a, b) => a.at.localeCompare(b.at));
    const numbered = fresh.map((item) => ({ ...item, n: nextNumber() }));
    this.items = [...this.items, ...numbered].slice(-mostItems);
  }
}

export function readSession(
  found: RunFolder,
  state: RunState,
  { session, mask }: Readonly<{ session: number; mask: Mask }>,
): readonly ActivityItem[] | undefined {
  const started = state.sessions.get(session)?.started;
  if (!started) return undefined;
  const items: ActivityItem[] = [];
  const show = (item: ActivityItem) => items.push({ ...item, n: items.length });
  followItems(found, started, { state, mask, lastBytes: mostBytes, show }).look();
  return items.slice(-mostItems);
}

type Following = Readonly<{
  state: RunState;
  mask: Mask;
  lastBytes: number;
  show(item: ActivityItem): unknown;
}>;

function followItems(found: RunFolder, started: SessionStart, { state, mask, lastBytes, show }: Following) {
  const size = statSync(rawFile(found, started.session), { throwIfNoEntry: false })?.size ?? 0;
  return followSession(found, started, {
    readerOf,
    from: Math.max(0, size - lastBytes),
    show: (event) => {
      const { at, session, task } = event.type === 'activity' ? event : started;
      for (const { tone, text } of linesOf(maskEvent(event, mask), state))
        show({ n: 0, at, session, tone, text: text.slice(0, mostSaid), ...defined({ task }) });
    },
  });
}

/** As `pawl logs` has them, with sub-agents; its facts, which are not here, tell what a marker says. */
function linesOf(event: Stamped<Event>, state: RunState): readonly Line[] {
  if (event.type !== 'activity') return [];
  const done = event.event;
  if (done.type === 'thought') return [line('dim', 'thinking')];
  const { marker = undefined } = done.type === 'said' ? splitSaid(done.text) : {};
  const name = marker?.name.toLowerCase().replaceAll('_', ' ');
  return [
    ...formatActivity(event, { verbose: 'main' in done && !done.main, state }),
    ...(marker ? [line('warn', `${name}: ${marker.words}`)] : []),
  ];
}
