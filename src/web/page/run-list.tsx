// The list of runs, by repository: first those that are going on, then those that ended, newest first.
import { computed } from '@preact/signals';
import { formatCost } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { hits, isSearched, search } from './searched.ts';
import { Ago, Badge, Meter, stateOf } from './small.tsx';
import { cards, damaged, isListed, pathOf, route } from './store.ts';

/** How many runs of a repository are shown until more are requested. */
const most = 40;

const found = computed(() => {
  const fits = ({ title, plan, branch, repository, state, run }: Card): boolean =>
    isSearched(`${title} ${plan} ${branch} ${repository.name} ${state} ${run}`);
  const hit = new Set(hits.value.map(({ run }) => run));
  return cards.value.filter((card) => fits(card) || hit.has(card.id));
});

export const groups = computed(() => {
  const all = Map.groupBy(found.value, ({ repository }) => repository.key);
  return [...all.values()].map((list) => [...list].sort((a, b) => liveFirst(b) - liveFirst(a)));
});

function liveFirst({ isRunning, state }: Card): number {
  return Number(isRunning || state === 'paused');
}

export function RunList() {
  if (groups.value.length === 0 && damaged.value.length === 0) return <NoRuns />;
  return (
    <nav class="runs" aria-label="Runs">
      {groups.value.map((list) => {
        const [first] = list;
        return first === undefined ? null : (
          <section key={first.repository.key}>
            <h2 title={first.repository.root}>{first.repository.name}</h2>
            <ul>
              {list.slice(0, most).map((card) => (
                <Row key={card.id} card={card} isAlone={isAlone(card, list)} />
              ))}
            </ul>
            {list.length > most ? (
              <p class="dim more">and {list.length - most} older: search for them</p>
            ) : null}
          </section>
        );
      })}
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

function isAlone({ id, title }: Card, list: readonly Card[]): boolean {
  return !list.some((other) => other.id !== id && other.title === title);
}

function Done({ tasks, tone }: Readonly<{ tasks: Card['tasks']; tone: ReturnType<typeof stateOf>['tone'] }>) {
  const done = tasks.closed;
  return (
    <>
      <Meter share={done / tasks.total} tone={tone} label={`${done} of ${tasks.total} tasks closed`} />
      <span>
        {done}/{tasks.total}
      </span>
    </>
  );
}

function Row({ card, isAlone }: { card: Card; isAlone: boolean }) {
  const { tone, word } = stateOf(card);
  const urgent = card.needs.filter(({ urgency }) => urgency !== 'later').length;
  const isHere = route.value.page === 'run' && route.value.id === card.id;
  return (
    <li>
      <a class="row" href={pathOf(card.id)} aria-current={isHere ? 'page' : undefined}>
        <span class="title">
          {card.title}
          {isAlone ? null : (
            <small class="dim">
              {card.what === 'review' ? 'review of ' : ''}
              <span class="mono">{card.branch}</span>
            </small>
          )}
        </span>
        <span class="line">
          <Badge tone={tone}>{word}</Badge>
          {urgent > 0 ? <span class="count">{urgent}</span> : null}
          <span class="dim">
            <Ago at={card.endedAt ?? card.lastAt} />
          </span>
        </span>
        <span class="line dim">
          {card.tasks.total > 0 ? <Done tasks={card.tasks} tone={tone} /> : null}
          <span>{card.spent.sessions === 0 ? '' : formatCost(card.spent)}</span>
        </span>
      </a>
      <Hits id={card.id} />
    </li>
  );
}
