// What the page knows, as signals.
import { batch, computed, effect, signal } from '@preact/signals';
import type { ActivityItem, Card, Damaged, News, RunPart, TaskView, Waiting } from '../view.ts';
import { readNews, takeToken } from './connection.ts';
import { notifies } from './notifications.tsx';

const mostItems = 500;

/** `id`: of the run that is shown; empty: the list. */
type Route = Readonly<{ id: string; tab: string | undefined; task: string | undefined }>;

export const connection = signal<'starting' | 'live' | 'away' | 'refused'>('starting');
export const route = signal(readRoute());
export const shownId = computed(() => route.value.id);
export const now = signal(Date.now());
export const activity = signal<readonly ActivityItem[]>([]);
/** Epoch milliseconds. */
export const heardAt = signal(Date.now());

/** Cards, and the parts of the run. */
const parts = signal<ReadonlyMap<string, unknown>>(new Map());
/** The run at an instant, epoch milliseconds, instead of now. */
export const replayed = signal<Readonly<{ at: number; parts: ReadonlyMap<string, unknown> }> | undefined>(
  undefined,
);
const shownParts = computed(() => replayed.value?.parts ?? parts.value);
/** Now, unless the run is replayed. */
export const clock = computed(() => replayed.value?.at ?? now.value);

const entries = <T>(from: ReadonlyMap<string, unknown>, kind: string): readonly T[] =>
  [...from].flatMap(([name, value]) => (name.startsWith(kind) && value !== null ? [value as T] : []));

const allCards = computed(() => entries<Card | Damaged>(parts.value, 'card/'));

export const cards = computed(() =>
  allCards.value
    .filter((card): card is Card => !('damage' in card))
    .sort((a, b) => b.run.localeCompare(a.run)),
);
export const damaged = computed(() => allCards.value.filter((card) => 'damage' in card));
export const isListed = signal(false);
export const canAct = signal(false);

/** How long a branch is listed as ready: nobody can tell whether it was merged. */
const readyMs = 3 * 86_400_000;

/** Most urgent first. */
export const needs = computed(() => {
  const rank = ({ need: { urgency, kind } }: Waiting): number =>
    ['now', 'soon', 'later'].indexOf(urgency) + (urgency === 'later' && kind !== 'ready' ? 1 : 0);
  return cards.value
    .flatMap((card): readonly Waiting[] => card.needs.map((need) => ({ card, need })))
    .filter(({ need }) => need.kind !== 'ready' || now.value - Date.parse(need.since ?? '') < readyMs)
    .sort((a, b) => rank(a) - rank(b));
});
export const waiting = computed(() => needs.value.filter(({ need }) => need.urgency !== 'later'));

export const shown = computed(() => cards.value.find(({ id }) => id === shownId.value));

export function part<T>(name: string): T | undefined {
  return (shownParts.value.get(name) ?? undefined) as T | undefined;
}

export const tasks = computed(() =>
  entries<TaskView>(shownParts.value, 'task/').toSorted((a, b) => a.order - b.order),
);
export const wholeRun = computed(() => part<RunPart>('run'));

/** Of the list of runs. */
export const search = signal('');

function readRoute(): Route {
  const [, id = '', tab, task] = /^#\/run\/([^/]+)(?:\/([^/]+)(?:\/(.+))?)?/.exec(location.hash) ?? [];
  return { id: decodeURIComponent(id), tab, task: task && decodeURIComponent(task) };
}

export function pathOf(id: string, tab?: string, task?: string): string {
  const rest = [id, tab, task].flatMap((word) => (word === undefined ? [] : [encodeURIComponent(word)]));
  return `#/run/${rest.join('/')}`;
}

export function go(path: string): boolean {
  location.hash = path;
  return true;
}

/** Numbers of the newest that this page has. */
let known = { since: 0, seen: 0 };

function take(news: News): void {
  const stays = ([name]: [string, unknown]) => !(name.startsWith('card/') ? news.isWhole : news.isRunWhole);
  batch(() => {
    heardAt.value = Date.now();
    canAct.value = news.canAct;
    isListed.value = true;
    parts.value = new Map([...[...parts.value].filter(stays), ...Object.entries(news.parts)]);
    activity.value = [...(news.isRunWhole ? [] : activity.value), ...news.items].slice(-mostItems);
  });
}

export function start(): void {
  addEventListener('hashchange', () => {
    if (takeToken()) location.reload();
    route.value = readRoute();
  });
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1_000);
  const isHidden = signal(document.hidden);
  document.addEventListener('visibilitychange', () => {
    isHidden.value = document.hidden;
    now.value = Date.now();
  });
  shownId.subscribe(forgetRun);
  effect(() => {
    const id = shownId.value;
    const stop = new AbortController();
    const { signal } = stop;
    if (!isHidden.value) void follow(id, signal);
    // Of all hidden tabs one goes on listening, for its notifications.
    else if (notifies.value)
      void navigator.locks.request('pawl-hidden', { signal }, () => follow('', signal)).catch(() => {});
    return () => stop.abort();
  });
}

function forgetRun(): void {
  parts.value = new Map([...parts.value].filter(([name]) => name.startsWith('card/')));
  replayed.value = undefined;
  activity.value = [];
  known = { ...known, seen: 0 };
}

async function follow(run: string, signal: AbortSignal): Promise<void> {
  for (let waitMs = 500; !signal.aborted; ) {
    const news = await readNews(run, known, signal);
    if (signal.aborted) return;
    connection.value = news === 'refused' ? news : news ? 'live' : 'away';
    if (news === 'refused') return;
    if (news) {
      take(news);
      known = { since: news.n, seen: run === '' ? known.seen : news.n };
      waitMs = 500;
    } else {
      await new Promise((done) => setTimeout(done, waitMs));
      waitMs = Math.min(waitMs * 2, 15_000);
    }
  }
}
