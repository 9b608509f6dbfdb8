// The list of runs, newest first.
import { formatMs } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { Ago, Badge, DoneAt, Price, Progress, StateBadge, Words, whyOf } from './small.tsx';
import { cards, damaged, isListed, now, pathOf, search } from './store.ts';

const most = 60;

function groupOf({ isRunning, state }: Card): string {
  if (isRunning || state === 'paused') return 'Live';
  return state === 'stopped' || state === 'died' ? 'Stopped' : 'Ended';
}

export function RunList() {
  const words = search.value.toLowerCase().split(/\s+/);
  const found = cards.value.filter(({ title, plan, branch, repository, state, run }) => {
    const text = `${title} ${plan} ${branch} ${repository.name} ${state} ${run}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (found.length === 0 && damaged.value.length === 0) return <NoRuns />;
  const groups = Map.groupBy(found, groupOf);
  return (
    <nav class="runs" aria-label="Runs">
      {['Live', 'Stopped', 'Ended'].map((name) => {
        const list = groups.get(name) ?? [];
        return list.length === 0 ? null : (
          <section key={name}>
            <h2>{name}</h2>
            {list.slice(0, most).map((card) => (
              <Row key={card.id} card={card} />
            ))}
            {list.length > most ? <p class="dim">and {list.length - most} older: search for them</p> : null}
          </section>
        );
      })}
      {(search.value === '' ? damaged.value : []).map(({ id, run, damage, repository }) => (
        <section key={id}>
          <h2>{repository.name}</h2>
          <Badge tone="bad" word="unreadable" /> {run} <span class="dim">{damage}</span>
        </section>
      ))}
    </nav>
  );
}

function NoRuns() {
  if (!isListed.value) return <p class="empty">Looking for runs …</p>;
  if (search.value !== '') return <p class="empty">No run matches “{search.value}”.</p>;
  return (
    <div class="empty stack">
      <p>There is no run yet.</p>
      <p>
        Start one in a terminal with <code>pawl run plan.md</code>: it appears here by itself.
      </p>
    </div>
  );
}

function Row({ card }: { card: Card }) {
  const { id, title, what, repository, branch, tasks, inWork, isRunning, endedAt, lastAt } = card;
  return (
    <a class="row cols" href={pathOf(id)}>
      <span class="title">
        <strong>
          <Words text={title} />
        </strong>
        <span class="dim cut">
          {what === 'run' ? '' : `${what} · `}
          {repository.name} · <span class="mono">{branch}</span>
        </span>
      </span>
      <Progress tasks={tasks} inWork={inWork.length} />
      <Doing card={card} />
      <span class="when">
        <DoneAt card={card} />
        {isRunning ? null : <Ago at={endedAt ?? lastAt} />}
      </span>
      <Price card={card} />
    </a>
  );
}

function Doing({ card }: { card: Card }) {
  const { state, pausing, inWork } = card;
  const isBusy = state === 'working' && !pausing;
  return (
    <span class="doing">
      {isBusy ? null : <StateBadge card={card} />}
      {inWork.slice(0, isBusy ? 2 : 0).map(({ id, title, attempt, since, isBeside }) => (
        <span class="cut" key={id}>
          <strong class="tone busy">{isBeside ? '●' : id}</strong> <Words text={title} />
          <span class="dim">
            {attempt > 1 ? ` attempt ${attempt}` : ''}
            {since === undefined ? '' : ` ${formatMs(Math.max(0, now.value - Date.parse(since)))}`}
          </span>
        </span>
      ))}
      {isBusy && inWork.length > 2 ? <span class="dim">and {inWork.length - 2} more</span> : null}
      <span class="dim cut">{whyOf(card)}</span>
    </span>
  );
}
