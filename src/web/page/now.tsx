// What each session does now, and since when: its last word or call, from the activity that the page follows.
import { formatMs } from '../../report/text/figure.ts';
import type { ActivityItem, Card } from '../view.ts';
import { Words } from './small.tsx';
import { activity, clock, pathOf, replayed, tasks } from './store.ts';

export function Now({ card }: { card: Card }) {
  if (!card.isRunning || replayed.value || card.inWork.length === 0) return null;
  return (
    <ul class="now-rows" aria-label="Now">
      {card.inWork.map(({ id: task, title, attempt, session, since }) => (
        <li key={task}>
          <a class="number" href={pathOf(card.id, 'tasks', task)}>
            {/^\d/.test(task) ? task : 'fix'}
          </a>
          <span class="name">
            <Words text={title} />
            {attempt > 1 ? <span class="dim"> attempt {attempt}</span> : null}
          </span>
          <Act task={task} session={session} since={since} />
        </li>
      ))}
    </ul>
  );
}

type ActProps = Readonly<{ task: string; session: number | undefined; since: string | undefined }>;

function Act({ task, session, since }: ActProps) {
  const check = tasks.value
    .find(({ id }) => id === task)
    ?.bars.findLast(({ kind, to }) => kind === 'checks' && to === undefined);
  if (check)
    return (
      <>
        <span class="act mono">{check.says}</span>
        <span class="since dim">check {ageOf(check.from)}</span>
      </>
    );
  const item = activity.value.findLast((one) => one.session === session);
  const at = item?.at ?? since;
  return (
    <>
      <span class="act">{item === undefined ? <span class="dim">…</span> : <Last item={item} />}</span>
      <span class="since dim">{at === undefined ? '' : `heard ${ageOf(at)} ago`}</span>
    </>
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
