// What the page knows, as signals: parts by name, the newest activity, and where the person is.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Need } from '../../report/view/run-view.ts';
import type { ActivityItem, Card, Damaged, Hello, PartMessage, RunPart, TaskView, Waiting } from '../view.ts';
import { answerTabs, askTabs, exported, follow, hasToken, leaveRun, readHello } from './connection.ts';
import { notifies } from './notifications.tsx';
import { searchJournals } from './searched.ts';

const mostItems = 500;

/** Where the person is: the list, one run and a part of it, the statistics, or the fleet. */
export type Route =
  | Readonly<{ page: 'runs' | 'stats' | 'fleet' }>
  | Readonly<{ page: 'run'; id: string; tab: string | undefined; task: string | undefined }>;

export const connection = signal<'starting' | 'live' | 'away' | 'hidden' | 'refused' | 'offline'>('starting');
export const hello = signal<Hello | undefined>(undefined);
export const route = signal<Route>(readRoute());
export const now = signal(Date.now());
export const activity = signal<readonly ActivityItem[]>([]);
/** When the server was last heard, epoch milliseconds. */
export const heardAt = signal(Date.now());
/** Whether the list has been received once. */
export const isListed = signal(false);

const cardParts = signal<ReadonlyMap<string, Card | Damaged>>(new Map());
const runParts = signal<ReadonlyMap<string, unknown>>(new Map());
/** The shown run as it was at an instant, epoch milliseconds, instead of as it is. */
export const replayed = signal<Readonly<{ at: number; parts: ReadonlyMap<string, unknown> }> | undefined>(
  undefined,
);
const shownParts = computed(() => replayed.value?.parts ?? runParts.value);
/** The instant that is shown: now, unless the run is replayed. */
export const clock = computed(() => replayed.value?.at ?? now.value);

export const cards = computed(() =>
  [...cardParts.value.values()].flatMap((card) => ('damage' in card ? [] : [card])).sort(byTime),
);

export const damaged = computed(() =>
  [...cardParts.value.values()].flatMap((card) => ('damage' in card ? [card] : [])),
);

export const needs = computed(() => {
  const rank: readonly Need['urgency'][] = ['now', 'soon', 'later'];
  return cards.value
    .flatMap((card): readonly Waiting[] => card.needs.map((need) => ({ card, need })))
    .filter(({ need }) => need.kind !== 'ready' || now.value - Date.parse(need.since ?? '') < readyMs)
    .sort((a, b) => rank.indexOf(a.need.urgency) - rank.indexOf(b.need.urgency) || kindOf(a) - kindOf(b));
});

/** How long a branch that can be merged is told in the list: nobody can tell whether it was merged. */
const readyMs = 3 * 86_400_000;

/** What resolves by itself comes last. */
function kindOf({ need }: Waiting): number {
  return need.kind === 'ready' ? 0 : 1;
}

export const shown = computed(() => {
  const { value } = route;
  return value.page === 'run' ? cards.value.find(({ id }) => id === value.id) : undefined;
});

export const canAct = computed(() => hello.value?.canAct === true && connection.value !== 'offline');

export function part<T>(name: string): T | undefined {
  return (shownParts.value.get(name) ?? undefined) as T | undefined;
}

/** Its tasks, in the order of the plan. */
export const tasks = computed(() =>
  [...shownParts.value]
    .flatMap(([name, value]) => (name.startsWith('task/') && value !== null ? [value as TaskView] : []))
    .sort((a, b) => a.order - b.order),
);

export const wholeRun = computed(() => part<RunPart>('run'));

function byTime(a: Card, b: Card): number {
  return a.run < b.run ? 1 : -1;
}

/** Where the path after the # leads; in an export always to its run. */
export function readRoute(): Route {
  const [, page, id, tab, task] =
    /^#\/(run|stats|fleet)(?:\/([^/]+)(?:\/([^/]+)(?:\/(.+))?)?)?/.exec(location.hash) ?? [];
  if (exported) return { page: 'run', id: exported.id, tab, task: task && decodeURIComponent(task) };
  if (page === 'stats' || page === 'fleet') return { page };
  if (page !== 'run' || id === undefined) return { page: 'runs' };
  return { page: 'run', id: decodeURIComponent(id), tab, task: task && decodeURIComponent(task) };
}

export function pathOf(id: string, tab?: string, task?: string): string {
  const rest = [tab, task].flatMap((word) => (word === undefined ? [] : [encodeURIComponent(word)]));
  return `#/${['run', encodeURIComponent(id), ...rest].join('/')}`;
}

export function go(path: string): void {
  location.hash = path;
}

function take(messages: readonly PartMessage[]): void {
  batch(() => {
    const nextCards = new Map(cardParts.value);
    const nextParts = new Map(runParts.value);
    for (const { part: name, value } of messages) {
      if (name === 'listed') {
        isListed.value = true;
        continue;
      }
      const target: Map<string, unknown> = name.startsWith('card/') ? nextCards : nextParts;
      if (value === null) target.delete(name);
      else target.set(name, value);
    }
    cardParts.value = nextCards;
    runParts.value = nextParts;
  });
}

function takeActivity(items: readonly ActivityItem[]): void {
  activity.value = [...activity.value, ...items].slice(-mostItems);
}

/** Follows what is shown while the page is visible; an export has nothing to follow. */
export function start(): void {
  addEventListener('hashchange', () => {
    route.value = readRoute();
  });
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1_000);
  if (exported) {
    startOffline();
    return;
  }
  if (hasToken()) connect();
  else
    void askTabs().then((has) => {
      if (has) connect();
      else connection.value = 'refused';
    });
}

function connect(): void {
  answerTabs();
  greet();
  effect(searchJournals);
  const isHidden = signal(document.hidden);
  document.addEventListener('visibilitychange', () => {
    isHidden.value = document.hidden;
    now.value = Date.now();
  });
  const run = computed(() => (route.value.page === 'run' ? route.value.id : undefined));
  let lastRun: string | undefined;
  effect(() => {
    const id = run.value;
    if (id !== lastRun) forgetRun();
    lastRun = id;
    if (!isHidden.value) return followRun(id);
    // One hidden tab goes on listening, for its notifications.
    if (notifies.value) return followAlone();
    connection.value = 'hidden';
    return undefined;
  });
}

/** Follows the list unless another hidden tab does. */
function followAlone(): () => void {
  let stop = (): void => {};
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = new AbortController();
  void navigator.locks
    .request('pawl-hidden', { signal: leave.signal }, () => {
      stop = followRun(undefined);
      return promise;
    })
    .catch(() => {});
  return () => {
    leave.abort();
    resolve();
    stop();
  };
}

/** A server that does not answer is asked again once the stream is there. */
function greet(): void {
  void readHello().then(
    (told) => {
      hello.value = told;
    },
    () => {},
  );
}

function forgetRun(): void {
  leaveRun();
  runParts.value = new Map();
  replayed.value = undefined;
  activity.value = [];
}

/** Follows the list, and a run; the returned function ends that. */
function followRun(id: string | undefined): () => void {
  const stop = new AbortController();
  const heard = {
    parts: (messages: readonly PartMessage[]) => {
      heardAt.value = Date.now();
      take(messages);
    },
    activity: takeActivity,
    state: (state: 'live' | 'away' | 'refused') => {
      connection.value = state;
      if (state === 'live') heardAt.value = Date.now();
      if (state === 'live' && hello.value === undefined) greet();
    },
  };
  void follow(id, heard, stop.signal);
  return () => stop.abort();
}

function startOffline(): void {
  if (!exported) return;
  connection.value = 'offline';
  take(Object.entries(exported.parts).map(([name, value]) => ({ part: name, value })));
  activity.value = exported.activity;
  now.value = Date.parse(exported.at);
}
