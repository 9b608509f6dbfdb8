// What each session does now, and since when.
import { formatMs } from '../../report/text/figure.ts';
import type { ActivityItem, Card } from '../view.ts';
import { Words } from './small.tsx';
import { activity, clock, pathOf, replayed, tasks } from './store.ts';

export function Now({ card }: { card: Card }) {
  if (!card.isRunning || replayed.value || card.inWork.length === 0) return null;
  return (
    <ul class="at-work box" aria-label="Now">
      {card.inWork.map(({ id, title, attempt, session, since }) => {
        const check = tasks.value
          .find((task) => task.id === id)
          ?.bars.findLast(({ kind, to }) => kind === 'checks' && to === undefined);
        const item = activity.value.findLast((one) => one.session === session);
        const heard = item?.at ?? since;
        return (
          <li class="cols" key={id}>
            <a href={pathOf(card.id, 'tasks', id)}>{/^\d/.test(id) ? id : 'fix'}</a>
            <span class="cut desk">
              <Words text={title} />
              {attempt > 1 ? <span class="dim"> attempt {attempt}</span> : null}
            </span>
            <span class="act cut">
              {check ? <code>{check.says}</code> : item ? <Last item={item} /> : <span class="dim">…</span>}
            </span>
            <span class="dim figure">
              {check ? `check ${ageOf(check.from)}` : heard ? `heard ${ageOf(heard)} ago` : ''}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Last({ item: { kind, text, detail } }: { item: ActivityItem }) {
  if (kind === 'tool')
    return (
      <>
        <strong>{text}</strong> <code>{detail}</code>
      </>
    );
  return kind === 'said' ? <>“{text.trim()}”</> : <span class="dim">{text}</span>;
}

function ageOf(at: string): string {
  return formatMs(Math.max(0, clock.value - Date.parse(at)));
}
