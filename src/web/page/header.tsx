// The head of a run, which stays in view: what it is, how it stands, how far it is, and what can be done to it.
import type { ComponentChildren } from 'preact';
import { formatUsd } from '../../dollars.ts';
import { formatCount, formatMs, formatShare, formatTime } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { readExportFile } from './connection.ts';
import { LastReply, RareButtons, RunButtons } from './controls.tsx';
import { OpenForm } from './form.tsx';
import { About, Badge, Cost, costCap, countsOf, phases, Segments, stateOf, Words } from './small.tsx';
import { connection, now, replayed, tasks, wholeRun } from './store.ts';

export function RunHeader({ card }: { card: Card }) {
  const { tone, word } = stateOf(card);
  return (
    <header class="run-header">
      <div class="headline">
        <h1>
          <Words text={card.title} />
        </h1>
        <Badge tone={tone}>{word}</Badge>
        <span class="grow" />
        <RunButtons card={card}>
          <More card={card} />
        </RunButtons>
      </div>
      <Figures card={card} />
      <OpenForm card={card} />
      <LastReply card={card} />
    </header>
  );
}

function Figures({ card }: { card: Card }) {
  const { forecast, spent, review } = card;
  const unsettled = review?.unsettled.length ?? 0;
  const takenMs = card.takenMs + (card.isAtWork ? Math.max(0, now.value - Date.parse(card.lastAt)) : 0);
  const cap = costCap(card);
  const counts = (replayed.value && wholeRun.value?.tasks) || card.tasks;
  const works = tasks.value.filter(({ standing }) => standing === 'working').length;
  const { total, closed } = counts;
  return (
    <div class="figures">
      {total === 0 ? null : (
        <span class="progress">
          <Segments
            counts={countsOf(counts, replayed.value ? works : card.inWork.length)}
            label={`${closed} of ${total} tasks closed`}
          />
          <Figure value={closed}>of {total} closed</Figure>
        </span>
      )}
      {replayed.value ? null : <Doing card={card} />}
      {forecast === undefined || replayed.value ? null : (
        <Figure value={<About epochMs={Date.parse(card.lastAt) + forecast.leftMs} />}>tasks done</Figure>
      )}
      {spent.sessions === 0 ? null : (
        <Figure value={<Cost spent={spent} />}>
          {cap === undefined ? '' : `of ${formatUsd(cap)} `}
          {forecast?.costUsd === undefined ? '' : `· ≈ ${formatUsd(forecast.costUsd)} at the end`}
          {card.apiEquivalent === undefined ? '' : ' API price'}
        </Figure>
      )}
      {card.windows.map(({ name, utilization = 0, resetsAt }) => (
        <Figure key={name} value={formatShare(utilization)}>
          {windows[name] ?? name}
          {resetsAt === undefined || resetsAt < now.value
            ? ''
            : `, resets ${formatTime(resetsAt, now.value)}`}
        </Figure>
      ))}
      <Figure value={formatMs(takenMs)} isRare={true}>
        at work
      </Figure>
      {unsettled > 0 ? <span class="warn-text">{formatCount(unsettled, 'finding')} to decide</span> : null}
    </div>
  );
}

type FigureProps = Readonly<{ value: ComponentChildren; children: ComponentChildren; isRare?: boolean }>;

/** `isRare`: a phone has no room for it. */
function Figure({ value, children, isRare }: FigureProps) {
  return (
    <span class={isRare ? 'rarely' : undefined}>
      <strong class="figure">{value}</strong> <span class="dim">{children}</span>
    </span>
  );
}

/** What it does while no task is worked on, or why it does nothing; a failure is told by what waits. */
function Doing({ card }: { card: Card }) {
  const isOver = card.state === 'finished' || card.state === 'stopped' || card.state === 'discarded';
  const why = isOver
    ? card.exit === 0 || card.needs.some(({ kind }) => kind === 'stopped')
      ? undefined
      : card.reasons?.join('; ') || card.exitText
    : card.waitingFor !== undefined && !card.isAtWork
      ? `waiting for ${card.waitingFor}`
      : card.inWork.length === 0 && card.phase !== undefined
        ? (phases[card.phase] ?? card.phase)
        : undefined;
  return why === undefined ? null : <span class="why">{why}</span>;
}

const windows: Readonly<Record<string, string>> = {
  five_hour: '5-hour window',
  seven_day: '7-day window',
  seven_day_opus: '7-day window, Opus',
};

/** What is rarely wanted: where the run works, with what, and a copy of all that the page shows. */
function More({ card }: { card: Card }) {
  const rows = [
    ['Branch', card.branch],
    ['Plan', card.plan],
    ['Agent', [card.agent, card.model].filter(Boolean).join(' · ')],
    ['Works in', card.worktree ?? card.repository.root],
  ] as const;
  return (
    <details class="more">
      <summary class="button" aria-label="More">
        ⋯
      </summary>
      <div class="menu">
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
        <div class="buttons">
          <RareButtons card={card} />
          {connection.value === 'offline' ? null : <ExportButton card={card} />}
        </div>
      </div>
    </details>
  );
}

function ExportButton({ card }: { card: Card }) {
  const save = async (): Promise<void> => {
    const url = URL.createObjectURL(await readExportFile(card.id));
    const link = document.createElement('a');
    link.href = url;
    link.download = `pawl-${card.run}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <button type="button" onClick={() => void save()} title="One HTML file that needs no server">
      Export
    </button>
  );
}
