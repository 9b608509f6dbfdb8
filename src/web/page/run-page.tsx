// One run: what stays in view, what each session does now, and one part at a time.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { formatClock, formatMs } from '../../report/text/figure.ts';
import type { Card, LogLine, ReportView } from '../view.ts';
import { Activity } from './activity.tsx';
import { readParts } from './connection.ts';
import { Changes } from './diff.tsx';
import { Blocks, End } from './end.tsx';
import { RunHeader } from './header.tsx';
import { Needs } from './needs.tsx';
import { Lines, Words } from './small.tsx';
import {
  activity,
  clock,
  damaged,
  isListed,
  part,
  pathOf,
  replayed,
  route,
  shown,
  shownId,
  tasks,
  wholeRun,
} from './store.ts';
import { TaskList } from './tasks.tsx';

/** Those with something to show; the first is the default. */
export function tabsOf(card: Card): readonly (readonly [name: string, label: string, count: number])[] {
  return [
    ['tasks', 'Tasks', tasks.value.length] as const,
    ['findings', 'Findings', card.review?.unsettled.length ?? 0] as const,
    ['activity', 'Activity', 0] as const,
    ['receipt', 'Receipt', 0] as const,
    ['journal', 'Journal', 0] as const,
  ].filter(
    ([name]) =>
      (name !== 'tasks' || tasks.value.length > 0) &&
      (name !== 'findings' || card.review !== undefined) &&
      (name !== 'activity' || card.spent.sessions > 0),
  );
}

function currentTab(card: Card): string {
  const tabs = tabsOf(card).map(([name]) => name);
  return tabs.find((name) => name === route.value.tab) ?? tabs[0] ?? 'journal';
}

export function RunPage() {
  const card = shown.value;
  if (!card) return <NoRun />;
  const isAtWork = card.isRunning && card.inWork.length > 0 && !replayed.value;
  const list = card.needs.filter(({ kind }) => kind !== 'ready').map((need) => ({ card, need }));
  return (
    <>
      <RunHeader card={card} />
      <div class={isAtWork ? 'with-rail' : undefined}>
        <div>
          <Needs list={list} isOne={true} />
          <End card={card} />
          {isAtWork ? <Now card={card} /> : null}
          {card.notes.map(({ note, text }) => (
            <p key={note}>
              <span class="dim">Waits for the next session:</span> {text}
            </p>
          ))}
          {wholeRun.value ? <Parts card={card} tab={currentTab(card)} /> : <p class="dim">Reading …</p>}
        </div>
        {isAtWork ? <Changes card={card} /> : null}
      </div>
    </>
  );
}

function Parts({ card, tab }: { card: Card; tab: string }) {
  return (
    <>
      <div class="tab-row line">
        <nav class="tabs grow" aria-label="Parts of the run">
          {tabsOf(card).map(([name, label, count]) => (
            <a key={name} href={pathOf(card.id, name)} aria-current={name === tab ? 'page' : undefined}>
              {label} {count > 0 ? <span class="dim">{count}</span> : null}
            </a>
          ))}
        </nav>
        <Replay card={card} />
      </div>
      {drawPart[tab]?.(card)}
    </>
  );
}

const reportPart = (name: 'findings' | 'receipt') => (
  <Blocks list={part<ReportView>('report')?.[name] ?? []} />
);

const drawPart: Readonly<Record<string, (card: Card) => ComponentChildren>> = {
  tasks: (card) => <TaskList card={card} />,
  findings: () => reportPart('findings'),
  activity: (card) => <Activity card={card} />,
  receipt: () => reportPart('receipt'),
  journal: () => <Lines list={part<readonly LogLine[]>('log') ?? []} />,
};

function NoRun() {
  const broken = damaged.value.find(({ id }) => id === shownId.value);
  const missing = isListed.value ? 'This run no longer exists.' : 'Looking for the run …';
  return (
    <div class="empty">
      <p>{broken ? broken.damage : missing}</p>
      <a href="#/">All runs</a>
    </div>
  );
}

/** How long the slider must rest before the run is read, milliseconds. */
const restMs = 120;

function Replay({ card }: { card: Card }) {
  const timer = useRef(0);
  const whole = wholeRun.value;
  const span = useRef<readonly [number, number]>([0, 0]);
  if (!whole) return null;
  // The replayed run ends where it is looked at; the slider keeps the whole.
  if (!replayed.value)
    span.current = [Date.parse(whole.from), card.isRunning ? clock.value : Date.parse(whole.to)];
  const [from, to] = span.current;
  const show = (at: number): void => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(async () => {
      const parts = await readParts(card.id, new Date(at).toISOString()).catch(() => undefined);
      if (parts) replayed.value = { at, parts: new Map(Object.entries(parts)) };
    }, restMs);
  };
  return (
    <div class="replay line desk">
      <label class="line">
        <span class="dim">replay</span>
        <input
          type="range"
          min={from}
          max={to}
          step={Math.max(1, Math.round((to - from) / 500))}
          value={replayed.value?.at ?? to}
          onInput={({ currentTarget }) => show(Number(currentTarget.value))}
        />
      </label>
      {replayed.value ? (
        <>
          <span class="figure">{formatClock(new Date(replayed.value.at).toISOString())}</span>
          <button type="button" onClick={() => (replayed.value = undefined)}>
            {card.isRunning ? 'Now' : 'The end'}
          </button>
        </>
      ) : null}
    </div>
  );
}

function Now({ card }: { card: Card }) {
  return (
    <ul class="at-work box" aria-label="Now">
      {card.inWork.map(({ id, title, attempt, session, since, isBeside }) => {
        const check = tasks.value
          .find((task) => task.id === id)
          ?.bars.findLast(({ kind, to }) => kind === 'checks' && to === undefined);
        const item = activity.value.findLast((one) => one.session === session);
        const heard = item?.at ?? since;
        return (
          <li class="cols" key={id}>
            <a href={pathOf(card.id, 'tasks', id)}>{isBeside ? 'fix' : id}</a>
            <span class="cut desk">
              <Words text={title} />
              {attempt > 1 ? <span class="dim"> attempt {attempt}</span> : null}
            </span>
            <span class="act cut">
              {check ? (
                <code>{check.says}</code>
              ) : (
                <span class={`tone ${item?.tone ?? 'dim'}`}>{item?.text ?? '…'}</span>
              )}
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

function ageOf(at: string): string {
  return formatMs(Math.max(0, clock.value - Date.parse(at)));
}
