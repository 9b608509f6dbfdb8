// The list of runs: those that are going on, those that stopped, those that ended, newest first.
import { computed, signal } from '@preact/signals';
import { formatUsd } from '../../dollars.ts';
import { formatMs } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { hits, isSearched, search } from './searched.ts';
import { About, Ago, Badge, Cost, costCap, countsOf, phases, Segments, stateOf, Words } from './small.tsx';
import { cards, damaged, isListed, now, pathOf } from './store.ts';

/** How many runs of a group are shown until more are searched for. */
const most = 60;

/** Only runs of this repository, by its key. */
const only = signal<string | undefined>(undefined);

const found = computed(() => {
  const fits = ({ title, plan, branch, repository, state, run }: Card): boolean =>
    isSearched(`${title} ${plan} ${branch} ${repository.name} ${state} ${run}`);
  const hit = new Set(hits.value.map(({ run }) => run));
  return cards.value.filter((card) => fits(card) || hit.has(card.id));
});

const kept = computed(() =>
  found.value.filter(({ repository }) => only.value === undefined || repository.key === only.value),
);

export const groups = computed(() => {
  const all = Map.groupBy(kept.value, groupOf);
  return (['Live', 'Stopped', 'Ended'] as const).flatMap((name) => {
    const list = all.get(name);
    return list ? [{ name, list }] : [];
  });
});

function groupOf({ isRunning, state }: Card): 'Live' | 'Stopped' | 'Ended' {
  if (isRunning || state === 'paused') return 'Live';
  return state === 'stopped' || state === 'died' ? 'Stopped' : 'Ended';
}

export function RunList() {
  if (found.value.length === 0 && damaged.value.length === 0) return <NoRuns />;
  return (
    <nav class="runs" aria-label="Runs">
      <Repositories />
      {groups.value.map(({ name, list }) => (
        <section key={name}>
          <h2>{name}</h2>
          <ul>
            {list.slice(0, most).map((card) => (
              <Row key={card.id} card={card} />
            ))}
          </ul>
          {list.length > most ? (
            <p class="dim more">and {list.length - most} older: search for them</p>
          ) : null}
        </section>
      ))}
      {damaged.value.map(({ id, run, damage, repository }) => (
        <section key={id} class="damaged">
          <h2>{repository.name}</h2>
          <p>
            <Badge tone="bad">unreadable</Badge> {run}
          </p>
          <p class="dim">{damage}</p>
        </section>
      ))}
    </nav>
  );
}

/** Chooses one repository, if there are several. */
function Repositories() {
  const all = new Map(found.value.map(({ repository }) => [repository.key, repository]));
  if (all.size < 2) return null;
  const choices = [[undefined, 'All'], ...[...all.values()].map(({ key, name }) => [key, name])] as const;
  return (
    <div class="choice small" role="group" aria-label="Only runs of">
      {choices.map(([key, name]) => (
        <button
          type="button"
          key={key ?? ''}
          aria-pressed={only.value === key}
          onClick={() => (only.value = key)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function NoRuns() {
  if (!isListed.value) return <p class="empty">Looking for runs …</p>;
  if (search.value !== '') return <p class="empty">No run matches “{search.value}”.</p>;
  return (
    <div class="empty">
      <p>There is no run yet.</p>
      <p class="dim">
        Start one in a terminal with <code>pawl run plan.md</code>: it appears here by itself.
      </p>
    </div>
  );
}

function Hits({ id }: { id: string }) {
  const own = hits.value.filter(({ run }) => run === id);
  if (own.length === 0) return null;
  return (
    <ul class="hits">
      {own.map(({ text, task }) => (
        <li key={text}>
          <a href={task === undefined ? pathOf(id, 'journal') : pathOf(id, 'tasks', task)}>
            {task === undefined ? null : <span class="dim">{/^\d/.test(task) ? `Task ${task}` : task} </span>}
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Row({ card }: { card: Card }) {
  const { tasks, forecast, spent } = card;
  const done = tasks.closed;
  const cap = costCap(card);
  return (
    <li>
      <a class="row" href={pathOf(card.id)}>
        <span class="title">
          <Words text={card.title} />
          <small class="dim">
            {card.what === 'review' ? 'review · ' : ''}
            {card.repository.name} · <span class="mono">{card.branch}</span>
          </small>
        </span>
        <span class="progress">
          {tasks.total === 0 ? null : (
            <>
              <Segments
                counts={countsOf(tasks, card.inWork.length)}
                label={`${done} of ${tasks.total} tasks closed`}
              />
              <small class="dim">
                {done} of {tasks.total}
                {tasks.unchecked > 0 ? `, ${tasks.unchecked} UNCHECKED` : ''}
              </small>
            </>
          )}
        </span>
        <span class="now">
          <NowOf card={card} />
        </span>
        <span class="when">
          {forecast ? (
            <About epochMs={Date.parse(card.lastAt) + forecast.leftMs} />
          ) : card.isRunning ? null : (
            <Ago at={card.endedAt ?? card.lastAt} />
          )}
        </span>
        <span class="cost">
          <Cost spent={spent} />
          {cap === undefined ? null : <span class="dim"> of {formatUsd(cap)}</span>}
          {forecast?.costUsd === undefined ? null : (
            <small class="dim">≈ {formatUsd(forecast.costUsd)} at the end</small>
          )}
        </span>
      </a>
      <Hits id={card.id} />
    </li>
  );
}

/** What the run does; of one that does nothing, how it stands. */
function NowOf({ card }: { card: Card }) {
  const { tone, word } = stateOf(card);
  const isBusy = card.state === 'working' && !card.pausing;
  if (isBusy && card.inWork.length > 0)
    return (
      <>
        {card.inWork.slice(0, 2).map(({ id: task, title, attempt, since }) => (
          <span class="doing" key={task}>
            <span class="busy-text">{/^\d/.test(task) ? task : '●'}</span> <Words text={title} />
            <span class="dim">
              {attempt > 1 ? ` attempt ${attempt}` : ''}
              {since === undefined ? '' : ` ${formatMs(Math.max(0, now.value - Date.parse(since)))}`}
            </span>
          </span>
        ))}
        {card.inWork.length > 2 ? <small class="dim">and {card.inWork.length - 2} more</small> : null}
      </>
    );
  if (isBusy && card.phase !== undefined)
    return <span class="doing">{phases[card.phase] ?? card.phase}</span>;
  const why = card.waitingFor ?? card.reasons?.[0] ?? (card.exit === 0 ? undefined : card.exitText);
  return (
    <span class="doing">
      <Badge tone={tone}>{word}</Badge> <span class="dim">{why}</span>
    </span>
  );
}
