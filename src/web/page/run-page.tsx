// One run: its head, what waits, what it does now, and below it one part at a time; first its tasks, which are the timeline.
import { useEffect, useRef } from 'preact/hooks';
import type { Card, ReviewView, RunPart } from '../view.ts';
import { Activity } from './activity.tsx';
import { Changes } from './changes.tsx';
import { End } from './end.tsx';
import { FindingList } from './findings.tsx';
import { RunHeader } from './header.tsx';
import { Needs } from './needs.tsx';
import { Now } from './now.tsx';
import { Journal, Receipt } from './receipt.tsx';
import { Replay } from './replay.tsx';
import { RunStatistics } from './statistics.tsx';
import { damaged, isListed, part, pathOf, replayed, route, shown, tasks, wholeRun } from './store.ts';
import { TaskList } from './tasks.tsx';

/** The parts that have something to show, in order; the first is shown if none is named. */
export function tabsOf(card: Card): readonly (readonly [string, string, number | undefined])[] {
  const review = part<ReviewView>('review');
  const open = review?.findings.filter(
    ({ standing }) => standing === 'open' || standing === 'disputed',
  ).length;
  return [
    ...(tasks.value.length > 0 ? ([['tasks', 'Tasks', tasks.value.length]] as const) : []),
    ...(review && review.stages.length > 0
      ? ([['findings', 'Findings', open || review.findings.length]] as const)
      : []),
    ...(card.spent.sessions > 0 ? ([['activity', 'Activity', undefined]] as const) : []),
    ['receipt', 'Receipt', undefined],
    ...(card.spent.sessions > 0 ? ([['stats', 'Statistics', undefined]] as const) : []),
    ['journal', 'Journal', undefined],
  ];
}

export function currentTab(card: Card): string {
  const tabs = tabsOf(card).map(([name]) => name);
  const wanted = route.value.page === 'run' ? route.value.tab : undefined;
  return tabs.find((name) => name === wanted) ?? tabs[0] ?? 'journal';
}

export function RunPage() {
  const card = shown.value;
  if (!card) return <NoRun />;
  const tab = currentTab(card);
  const hasRail = card.isRunning && card.inWork.length > 0 && !replayed.value;
  return (
    <>
      <RunHeader card={card} />
      <div class={hasRail ? 'run-body with-rail' : 'run-body'}>
        <div>
          <Needs
            list={card.needs.filter(({ kind }) => kind !== 'ready').map((need) => ({ card, need }))}
            isOne={true}
          />
          <End card={card} />
          <Now card={card} />
          <Waiting />
          {wholeRun.value ? <Tabs card={card} tab={tab} /> : null}
          <section class="part">
            <Part card={card} tab={tab} />
          </section>
        </div>
        {hasRail ? <Changes card={card} /> : null}
      </div>
    </>
  );
}

function Tabs({ card, tab }: { card: Card; tab: string }) {
  const list = useRef<HTMLElement>(null);
  // On a phone not all of them are visible.
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (here && list.current) list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft - 48;
  }, [tab]);
  return (
    <div class="tab-row">
      <nav class="tabs" aria-label="Parts of the run" ref={list}>
        {tabsOf(card).map(([name, label, count]) => (
          <a key={name} href={pathOf(card.id, name)} aria-current={name === tab ? 'page' : undefined}>
            {label} {count ? <span class="dim">{count}</span> : null}
          </a>
        ))}
      </nav>
      <Replay card={card} />
    </div>
  );
}

function Part({ card, tab }: { card: Card; tab: string }) {
  if (!wholeRun.value) return <p class="dim">Reading …</p>;
  switch (tab) {
    case 'tasks':
      return <TaskList card={card} />;
    case 'findings':
      return <FindingList />;
    case 'activity':
      return <Activity card={card} />;
    case 'receipt':
      return <Receipt />;
    case 'stats':
      return <RunStatistics />;
    default:
      return <Journal />;
  }
}

function Waiting() {
  const notes = part<RunPart>('run')?.notesWaiting ?? [];
  if (notes.length === 0) return null;
  return (
    <ul class="pending">
      {notes.map((note) => (
        <li key={note}>
          <span class="dim">Waits for the next session:</span> {note}
        </li>
      ))}
    </ul>
  );
}

function NoRun() {
  const id = route.value.page === 'run' ? route.value.id : '';
  const broken = damaged.value.find((card) => card.id === id);
  return (
    <div class="empty">
      <p>
        {broken ? broken.damage : isListed.value ? 'This run no longer exists.' : 'Looking for the run …'}
      </p>
      <a href="#/">All runs</a>
    </div>
  );
}
