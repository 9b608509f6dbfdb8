// The tasks of a run, which are its timeline: a line each with what was done when, and below the open one its evidence and
// what can be done to it.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount, formatMs, shortOid } from '../../report/text/figure.ts';
import type { Bar, Card, TaskView } from '../view.ts';
import { Axis, Lane, rangeOf } from './chart.tsx';
import { toggleForm } from './controls.tsx';
import { stackBars } from './drawn-bars.ts';
import { EvidenceOf } from './evidence.tsx';
import { OpenForm } from './form.tsx';
import { searched } from './searched.ts';
import { Cost, Standing, standings as standingWords, Words } from './small.tsx';
import { canAct, clock, go, pathOf, replayed, route, tasks, wholeRun } from './store.ts';

export function TaskList({ card }: { card: Card }) {
  const { value } = route;
  const open = value.page === 'run' ? value.task : undefined;
  const found = searched(
    tasks.value,
    ({ id, title, reason = '', question = '', closed }) =>
      `${id} ${title} ${reason} ${question} ${closed?.summary ?? ''}`,
  );
  const wanted = found.filter(({ id, standing }) => standing === only.value || id === open);
  const shown = only.value === undefined || wanted.length === 0 ? found : wanted;
  const whole = wholeRun.value;
  if (!whole) return null;
  const from = Date.parse(whole.from);
  const range = rangeOf(from, replayed.value || card.isRunning ? clock.value : Date.parse(whole.to));
  const rests = whole.bars.filter(({ kind }) => kind === 'wait' || kind === 'pause' || kind === 'stop');
  return (
    <>
      {tasks.value.length > few ? <Filter /> : null}
      <div class="axis-row">
        <Axis range={range} from={from} />
      </div>
      <ul class="tasks">
        {shown
          .filter(({ id }, at) => at < mostRows.value || id === open)
          .map((task) => (
            <TaskRow key={task.id} card={card} task={task} isOpen={task.id === open}>
              <Lane bars={task.bars} rests={rests} range={range} />
            </TaskRow>
          ))}
        {besides(whole.bars).map(({ label, bars }, at) => (
          <li class="task" key={at}>
            <div class="task-row whole">
              <span class="state" />
              <span class="name dim">{label}</span>
              <Lane bars={bars} rests={rests} range={range} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length > mostRows.value ? (
        <button type="button" onClick={() => (mostRows.value += firstRows)}>
          {shown.length - mostRows.value} more
        </button>
      ) : null}
    </>
  );
}

/** Sessions and checks of the run that belong to no task, in as few rows as show each. */
function besides(bars: readonly Bar[]): readonly Readonly<{ label: string; bars: readonly Bar[] }>[] {
  const rows = (kind: Bar['kind'], label: string) =>
    stackBars(bars.filter((bar) => bar.kind === kind)).map((row, at) => ({
      label: at === 0 ? label : '',
      bars: row,
    }));
  return [...rows('session', 'Review and planning'), ...rows('checks', 'Checks of the whole run')];
}

const few = 20;

/** How many rows the page contains until more are requested. */
const firstRows = 200;
const mostRows = signal(firstRows);

/** Shows only tasks with this standing. */
const only = signal<TaskView['standing'] | undefined>(undefined);

function Filter() {
  const counts = [...Map.groupBy(tasks.value, ({ standing }) => standing)];
  const choices = [
    [undefined, tasks.value.length] as const,
    ...counts.map(([standing, list]) => [standing, list.length] as const),
  ];
  return (
    <div class="choice small filter" role="group" aria-label="Only tasks that are">
      {choices.map(([standing, count]) => (
        <button
          type="button"
          key={standing ?? 'all'}
          aria-pressed={only.value === standing}
          onClick={() => (only.value = standing)}
        >
          {standing === undefined ? 'All' : standingWords[standing].word} <span class="dim">{count}</span>
        </button>
      ))}
    </div>
  );
}

type TaskRowProps = Readonly<{ card: Card; task: TaskView; isOpen: boolean; children: ComponentChildren }>;

/** `children`: its time. */
function TaskRow({ card, task, isOpen, children }: TaskRowProps) {
  const row = useRef<HTMLLIElement>(null);
  // One that is opened by a link may be far down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const toggle = (): void => go(pathOf(card.id, 'tasks', isOpen ? undefined : task.id));
  const isInWork = task.standing === 'working' && card.isRunning;
  const since = card.inWork.find(({ id }) => id === task.id)?.since;
  const ms = task.ms + (isInWork && since !== undefined ? Math.max(0, clock.value - Date.parse(since)) : 0);
  return (
    <li class={isOpen ? 'task open' : 'task'} id={`task-${task.id}`} ref={row}>
      <button type="button" class="task-row" aria-expanded={isOpen} onClick={toggle} data-task={task.id}>
        <span class="state">
          <Standing task={task} isRunning={card.isRunning} />
        </span>
        <span class="name">
          <span class="dim number">{task.isBeside ? '' : task.id}</span> <Words text={task.title} />
          {task.notes > 0 ? (
            <span class="flag" title="The guard noted something">
              {formatCount(task.notes, 'note')}
            </span>
          ) : null}
        </span>
        {children}
        <span class="took dim">{ms >= 100 ? formatMs(ms) : ''}</span>
        <span class="cost dim">{task.spent.sessions > 0 ? <Cost spent={task.spent} /> : null}</span>
      </button>
      {isOpen ? (
        <div class="evidence">
          <Conclusion task={task} />
          <TaskButtons card={card} task={task} />
          <OpenForm card={card} at="task" task={task.id} />
          <EvidenceOf card={card} task={task} />
        </div>
      ) : null}
    </li>
  );
}

function Conclusion({ task }: { task: TaskView }) {
  const { closed, question, reason, attempts, corrections } = task;
  const effort = [
    attempts > 1 ? formatCount(attempts, 'attempt') : '',
    corrections > 0 ? formatCount(corrections, 'correction') : '',
  ].filter(Boolean);
  if (closed)
    return (
      <p class="conclusion">
        {closed.summary}{' '}
        <span class="dim">
          {formatCount(closed.files, 'file')}, <span class="plus">+{closed.insertions}</span>{' '}
          <span class="minus">−{closed.deletions}</span> in <span class="mono">{shortOid(closed.oid)}</span>.{' '}
          {closed.reason} {effort.join(', ')}
        </span>
      </p>
    );
  const text = task.standing === 'parked' ? question : reason;
  return text === undefined || text === '' ? null : <p class="conclusion words">{text}</p>;
}

function TaskButtons({ card, task }: { card: Card; task: TaskView }) {
  if (!canAct.value || !card.isNewest || task.isBeside) return null;
  const isOver = card.state === 'finished' || card.state === 'discarded';
  const isLive = card.isRunning || card.state === 'paused';
  const isOpen = task.standing === 'open' || task.standing === 'working';
  const isSetAside = task.standing === 'failed' || task.standing === 'parked' || task.standing === 'skipped';
  const kinds = [
    ...(!isOver && (isOpen || isSetAside) ? (['steer'] as const) : []),
    ...(!isOver && isSetAside ? (['retry'] as const) : []),
    ...(!isOver && (isOpen || task.standing === 'failed' || task.standing === 'parked')
      ? (['skip'] as const)
      : []),
    ...(task.canUndo && !isLive ? (['undo'] as const) : []),
  ];
  if (kinds.length === 0) return null;
  const labels = { steer: 'Steer', retry: 'Retry', skip: 'Skip', undo: 'Undo' };
  return (
    <div class="buttons">
      {kinds.map((kind) => (
        <button type="button" key={kind} onClick={() => toggleForm(card.id, kind, 'task', task.id)}>
          {labels[kind]}
        </button>
      ))}
    </div>
  );
}
