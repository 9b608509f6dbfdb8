// What the agents say and do: live while a session works, else the end of a session, with earlier items on demand. The page
// never contains more than a few hundred rows.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatClock } from '../../report/text/figure.ts';
import type { ActivityItem, Bar, Card } from '../view.ts';
import { readActivity, readRaw, type Text } from './connection.ts';
import { isSearched } from './searched.ts';
import { activity, connection, go, pathOf, route, tasks, wholeRun } from './store.ts';

const mostRows = 200;

export function Activity({ card }: { card: Card }) {
  const { value } = route;
  const wanted = value.page === 'run' && value.task !== undefined ? Number(value.task) : undefined;
  const open = card.inWork.flatMap(({ session }) => session ?? []);
  const sessions = listSessions();
  if (wanted === undefined && open.length > 0 && activity.value.length > 0)
    return (
      <>
        <p class="activity-head">
          <Choice card={card} sessions={sessions} shown={undefined} hasLive={true} />
        </p>
        <Items items={activity.value} follows={true} />
      </>
    );
  const session = wanted ?? open[0] ?? sessions.at(-1)?.[0];
  if (session === undefined) return <p class="empty">No session has started yet.</p>;
  return (
    <OneSession card={card} session={session}>
      <Choice card={card} sessions={sessions} shown={session} hasLive={open.length > 0} />
    </OneSession>
  );
}

function listSessions(): readonly (readonly [number, string])[] {
  const named = ({ session, says }: Bar, of: string) => {
    const rest = says.replace(/^session \d+/, '').replace(' (task)', '');
    return session === undefined ? [] : [[session, `Session ${session}${of}${rest}`] as const];
  };
  return [
    ...tasks.value.flatMap(({ id, isBeside, title, bars }) =>
      bars.flatMap((bar) => named(bar, `, ${isBeside ? title : `task ${id}`}`)),
    ),
    ...(wholeRun.value?.bars ?? []).flatMap((bar) => named(bar, '')),
  ].sort(([a], [b]) => a - b);
}

type ChoiceProps = Readonly<{
  card: Card;
  sessions: readonly (readonly [number, string])[];
  shown: number | undefined;
  hasLive: boolean;
}>;

/** Which session is shown; an export contains only the last one. */
function Choice({ card, sessions, shown, hasLive }: ChoiceProps) {
  if (connection.value === 'offline') return <strong>Session {shown}</strong>;
  return (
    <select
      aria-label="Session"
      value={shown === undefined ? '' : String(shown)}
      onChange={({ currentTarget: { value } }) => go(pathOf(card.id, 'activity', value || undefined))}
    >
      {hasLive ? <option value="">What is happening now</option> : null}
      {sessions.map(([session, what]) => (
        <option key={session} value={String(session)}>
          {what}
        </option>
      ))}
    </select>
  );
}

type OneSessionProps = Readonly<{ card: Card; session: number; children: ComponentChildren }>;

function OneSession({ card, session, children }: OneSessionProps) {
  const [items, setItems] = useState<readonly ActivityItem[]>([]);
  const [older, setOlder] = useState(0);
  const [state, setState] = useState('Reading …');
  const load = (before: number | undefined, keep: readonly ActivityItem[]): void => {
    readActivity(card.id, session, before).then(
      (read) => {
        setItems([...read.items, ...keep].slice(0, mostRows * 2));
        setOlder(read.older);
        setState('');
      },
      (cause: Error) => setState(cause.message),
    );
  };
  useEffect(() => load(undefined, []), [card.id, session, card.lastAt]);
  if (state !== '') return <p class="dim">{state}</p>;
  return (
    <>
      <p class="activity-head">
        {children}
        {older > 0 ? (
          <button type="button" onClick={() => load(items[0]?.n, items)}>
            {older} earlier
          </button>
        ) : null}
        <Raw card={card} session={session} />
      </p>
      <Items items={items} follows={false} />
    </>
  );
}

function Items({ items, follows }: { items: readonly ActivityItem[]; follows: boolean }) {
  const [isFollowing, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const fitting = items.filter(({ text, detail = '', marker }) =>
    isSearched(`${text} ${detail} ${marker?.words ?? ''}`),
  );
  const shown = fitting.slice(-mostRows);
  const newest = shown.at(-1)?.n;
  useLayoutEffect(() => {
    if (follows && isFollowing && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [follows, isFollowing, newest]);
  const onScroll = ({ currentTarget: list }: { currentTarget: HTMLOListElement }): void =>
    setFollowing(list.scrollHeight - list.scrollTop - list.clientHeight < 40);
  if (shown.length === 0)
    return <p class="empty">{items.length > 0 ? 'Nothing matches.' : 'Nothing has been said yet.'}</p>;
  return (
    <div class="activity">
      <ol ref={list} onScroll={onScroll} tabIndex={0} aria-label="Activity">
        {shown.map((item) => (
          <Item key={`${item.session} ${item.n}`} item={item} />
        ))}
      </ol>
      {follows && !isFollowing ? (
        <button type="button" class="to-end primary" onClick={() => setFollowing(true)}>
          ↓ Newest
        </button>
      ) : null}
    </div>
  );
}

function Item({ item }: { item: ActivityItem }) {
  const { at, kind, text, detail, marker, main, task } = item;
  return (
    <li class={`item ${kind}${main ? '' : ' sub'}`}>
      <time class="dim mono" dateTime={at}>
        {formatClock(at)}
      </time>
      {task === undefined ? null : <span class="whose dim">{task}</span>}
      <span class="said">
        {kind === 'tool' ? <strong>{text}</strong> : text.trimEnd()}
        {detail === undefined || detail === '' ? null : <code>{detail}</code>}
        {marker === undefined ? null : (
          <span class="marker">
            <span class="flag">{marker.name.toLowerCase().replaceAll('_', ' ')}</span> {marker.words}
          </span>
        )}
      </span>
    </li>
  );
}

function Raw({ card, session }: { card: Card; session: number }) {
  const [text, setText] = useState<Text | undefined>();
  if (connection.value === 'offline') return null;
  return (
    <>
      <button
        type="button"
        class="quiet"
        onClick={() => (text ? setText(undefined) : void readRaw(card.id, session).then(setText))}
      >
        {text ? 'Hide raw lines' : 'Raw lines'}
      </button>
      {text ? <pre class="output raw">{text.text}</pre> : null}
    </>
  );
}
