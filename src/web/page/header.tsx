// The head of a run: what it is, how it stands, its figures, and what can be done to it.
import { formatCost, formatCount, formatMoment, formatMs, formatShare } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { readExportFile } from './connection.ts';
import { LastReply, RunButtons } from './controls.tsx';
import { OpenForm } from './form.tsx';
import { Badge, CommandLine, Meter, stateOf } from './small.tsx';
import { connection, now, pathOf } from './store.ts';

export function RunHeader({ card }: { card: Card }) {
  const { tone, word } = stateOf(card);
  return (
    <header class="run-header">
      <div class="headline">
        <h1>{card.title}</h1>
        <Badge tone={tone}>{word}</Badge>
        {connection.value === 'offline' ? null : <ExportButton card={card} />}
      </div>
      <p class="meta">
        <span>{card.repository.name}</span>
        <span class="mono">{card.branch}</span>
        <span class="mono">{card.plan}</span>
        <span>{[card.agent, card.model].filter(Boolean).join(' · ')}</span>
        {card.worktree === undefined ? null : <span class="mono">{card.worktree}</span>}
      </p>
      <Doing card={card} />
      <Figures card={card} />
      <RunButtons card={card} />
      <OpenForm card={card} />
      <LastReply card={card} />
    </header>
  );
}

function Ended({ card }: { card: Card }) {
  const isDone = card.state === 'finished' && card.exit === 0;
  const why = card.reasons?.length ? card.reasons.join('; ') : card.exitText;
  return (
    <>
      {why === undefined || isDone ? null : (
        <p class="doing bounded" title={why}>
          {why}
        </p>
      )}
      {card.state === 'stopped' && card.isNewest && card.next !== undefined ? (
        <CommandLine label="Continues with" text={card.next} />
      ) : null}
    </>
  );
}

function Doing({ card }: { card: Card }) {
  if (card.state === 'finished' || card.state === 'stopped' || card.state === 'discarded')
    return <Ended card={card} />;
  if (card.state === 'died') return null;
  if (card.isRunning && !card.isAtWork && card.waitingFor !== undefined)
    return <p class="doing">Waiting for {card.waitingFor}</p>;
  if (card.inWork.length === 0)
    return card.phase === undefined ? null : <p class="doing">{phases[card.phase] ?? card.phase}</p>;
  return (
    <div>
      {card.inWork.map(({ id: task, title, attempt, since }) => (
        <p class="doing" key={task}>
          <a href={pathOf(card.id, 'tasks', task)}>
            <strong>{/^\d/.test(task) ? `Task ${task}` : task.startsWith('fix-') ? 'Fix' : ''}</strong>{' '}
            {title}
          </a>
          <span class="dim">
            {` · attempt ${attempt}`}
            {since === undefined || !card.isRunning
              ? ''
              : ` · ${formatMs(Math.max(0, now.value - Date.parse(since)))} in this session`}
          </span>
        </p>
      ))}
    </div>
  );
}

const phases: Readonly<Record<string, string>> = {
  setup: 'Setting up the working tree',
  baseline: 'Running the checks on the untouched tree',
  tasks: 'Between two tasks',
  'at-end': 'Running the checks at the end',
  review: 'Reviewing',
  finalize: 'Finalizing',
  archive: 'Moving the plan',
  plan: 'Planning',
};

function Figures({ card }: { card: Card }) {
  const taken = card.takenMs + (card.isAtWork ? Math.max(0, now.value - Date.parse(card.lastAt)) : 0);
  return (
    <dl class="figures">
      {card.tasks.total === 0 ? null : <TasksClosed card={card} />}
      <div>
        <dt>Time at work</dt>
        <dd>{formatMs(taken)}</dd>
        <p class="dim">since {formatMoment(Date.parse(card.startedAt))}</p>
      </div>
      <Spent card={card} />
      {card.windows.map((limit) => (
        <Limit key={limit.name} limit={limit} />
      ))}
    </dl>
  );
}

function TasksClosed({ card: { tasks, review } }: { card: Card }) {
  const done = tasks.closed;
  const unsettled = review?.unsettled.length ?? 0;
  const notes = [
    tasks.unchecked > 0 ? `${tasks.unchecked} UNCHECKED` : '',
    tasks.failed > 0 ? `${tasks.failed} failed` : '',
    tasks.parked > 0 ? `${tasks.parked} waiting` : '',
    unsettled > 0 ? `${formatCount(unsettled, 'finding')} to decide` : '',
  ].filter(Boolean);
  return (
    <div>
      <dt>Tasks closed</dt>
      <dd>
        {done} <span class="dim">of {tasks.total}</span>
      </dd>
      <Meter
        share={done / tasks.total}
        tone={notes.length > 0 ? 'warn' : 'good'}
        label={`${done} of ${tasks.total}`}
      />
      {notes.length === 0 ? null : <p class="warn-text">{notes.join(' · ')}</p>}
    </div>
  );
}

function Spent({ card: { spent, caps, apiEquivalent } }: { card: Card }) {
  const cap = caps.find(({ budget, from }) => budget === 'cost' && from !== 'default');
  const notes = [
    formatCount(spent.sessions, 'session'),
    cap ? `cap $${cap.cap}` : '',
    apiEquivalent === undefined ? '' : 'what the API would charge; a subscription pays',
  ].filter(Boolean);
  return (
    <div>
      <dt>Cost</dt>
      <Cost spent={spent} />
      {cap ? <Meter share={(spent.costUsd ?? 0) / cap.cap} tone="plain" label={`of $${cap.cap}`} /> : null}
      <p class="dim">{notes.join(' · ')}</p>
    </div>
  );
}

function Limit({ limit: { name, utilization = 0, resetsAt } }: { limit: Card['windows'][number] }) {
  return (
    <div>
      <dt>{windows[name] ?? name}</dt>
      <dd>{formatShare(utilization)}</dd>
      <Meter
        share={utilization}
        tone={utilization > 0.9 ? 'bad' : utilization > 0.7 ? 'warn' : 'plain'}
        label={formatShare(utilization)}
      />
      {resetsAt === undefined ? null : (
        <p class="dim">
          resets {resetsAt > now.value ? `in ${formatMs(resetsAt - now.value)}` : 'any moment'}
        </p>
      )}
    </div>
  );
}

/** "at least" comes before a lower bound, without breaking the figure. */
function Cost({ spent }: { spent: Card['spent'] }) {
  const text = spent.sessions === 0 ? '–' : formatCost(spent);
  const [, bound, figure = text] = /^(at least )?(.*)$/.exec(text) ?? [];
  return (
    <dd>
      {bound ? <small class="dim">{bound}</small> : null}
      {figure.startsWith('$') || figure === '–' ? figure : <span class="dim">unknown</span>}
    </dd>
  );
}

const windows: Readonly<Record<string, string>> = {
  five_hour: '5-hour window',
  seven_day: '7-day window',
  seven_day_opus: '7-day window, Opus',
};

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
    <button
      type="button"
      class="quiet export"
      onClick={() => void save()}
      title="One HTML file that needs no server"
    >
      Export
    </button>
  );
}
