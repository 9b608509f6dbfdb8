// What the agents say and do; never more than a few hundred rows.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatClock } from '../../report/text/figure.ts';
import type { Bar } from '../../report/view/run-view.ts';
import type { ActivityItem, Card } from '../view.ts';
import { readActivity, useRead } from './connection.ts';
import { activity, go, pathOf, route, tasks, wholeRun } from './store.ts';

export function Activity({ card }: { card: Card }) {
  const { task: wanted } = route.value;
  const isLive = card.inWork.some(({ session }) => session !== undefined) && activity.value.length > 0;
  const sessions = listSessions();
  const newest = isLive ? undefined : sessions.at(-1)?.[0];
  const session = wanted === undefined ? newest : Number(wanted);
  return (
    <>
      <select
        aria-label="Session"
        value={String(session ?? '')}
        onChange={({ currentTarget: { value } }) => go(pathOf(card.id, 'activity', value || undefined))}
      >
        {isLive ? <option value="">What is happening now</option> : null}
        {sessions.map(([number, what]) => (
          <option key={number} value={String(number)}>
            {what}
          </option>
        ))}
      </select>
      {session === undefined ? (
        <Items items={activity.value} follows={true} />
      ) : (
        <OneSession card={card} session={session} />
      )}
    </>
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
    ...(wholeRun.value?.besides ?? []).flatMap(({ bars }) => bars.flatMap((bar) => named(bar, ''))),
  ].sort(([a], [b]) => a - b);
}

function OneSession({ card, session }: { card: Card; session: number }) {
  const { value, error } = useRead(() => readActivity(card.id, session), [card.id, session, card.lastAt]);
  return value ? <Items items={value} follows={false} /> : <p class="dim">{error || 'Reading …'}</p>;
}

function Items({ items, follows }: { items: readonly ActivityItem[]; follows: boolean }) {
  const [isFollowing, setFollowing] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const newest = items.at(-1)?.n;
  useLayoutEffect(() => {
    if (follows && isFollowing && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [follows, isFollowing, newest]);
  const onScroll = ({ currentTarget: list }: { currentTarget: HTMLOListElement }): void =>
    setFollowing(list.scrollHeight - list.scrollTop - list.clientHeight < 40);
  if (items.length === 0) return <p class="empty">Nothing has been said yet.</p>;
  return (
    <div class="activity">
      <ol class="box" ref={list} onScroll={onScroll} tabIndex={0} aria-label="Activity">
        {items.map((item) => (
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

function Item({ item: { at, tone, text, task } }: { item: ActivityItem }) {
  return (
    <li class={`item tone ${tone}`}>
      <time class="dim mono" dateTime={at}>
        {formatClock(at)}
      </time>
      <span class="dim">{task}</span>
      <span class="words">{text}</span>
    </li>
  );
}
