// The tasks of a run: a line each, and below the open one its evidence and what can be done to it.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCost, formatCount, formatMs, shortOid } from '../../report/text/figure.ts';
import type { Card, TaskView } from '../view.ts';
import { toggleForm } from './controls.tsx';
import { EvidenceOf } from './evidence.tsx';
import { OpenForm } from './form.tsx';
import { searched } from './searched.ts';
import { Standing, standings as standingWords } from './small.tsx';
import { canAct, go, now, pathOf, route, tasks } from './store.ts';

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
  return (
    <>
      {tasks.value.length > few ? <Filter /> : null}
      <ul class="tasks">
        {shown
          .filter(({ id }, at) => at < mostRows.value || id === open)
          .map((task) => (
            <TaskRow key={task.id} card={card} task={task} isOpen={task.id === open} />
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

function TaskRow({ card, task, isOpen }: { card: Card; task: TaskView; isOpen: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  // One that is opened by a link may be far down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const toggle = (): void => go(pathOf(card.id, 'tasks', isOpen ? undefined : task.id));
  const isInWork = task.standing === 'working' && card.isRunning;
  const since = card.inWork.find(({ id }) => id === task.id)?.since;
  const ms = task.ms + (isInWork && since !== undefined ? Math.max(0, now.value - Date.parse(since)) : 0);
  return (
    <li class={isOpen ? 'task open' : 'task'} id={`task-${task.id}`} ref={row}>
      <button type="button" class="task-row" aria-expanded={isOpen} onClick={toggle} data-task={task.id}>
        <span class="state">
          <Standing task={task} isRunning={card.isRunning} />
        </span>
        <span class="name">
          <span class="dim number">{task.isBeside ? '' : task.id}</span> {task.title}
          {task.notes > 0 ? (
            <span class="flag" title="The guard noted something">
              {formatCount(task.notes, 'note')}
            </span>
          ) : null}
        </span>
        <span class="facts dim">{formatFacts(task, ms, isInWork)}</span>
        <span class="commit mono dim">{task.closed ? shortOid(task.closed.oid).slice(0, 8) : ''}</span>
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

function formatFacts({ attempts, corrections, spent }: TaskView, ms: number, isInWork: boolean): string {
  const facts = [
    attempts > 1 ? formatCount(attempts, 'attempt') : '',
    corrections > 0 ? formatCount(corrections, 'correction') : '',
    ms >= 100 ? formatMs(ms) : '',
    // Nothing is known yet about a first session that is still working.
    spent.sessions > 0 && !(isInWork && spent.costUsd === undefined) ? formatCost(spent) : '',
  ];
  return facts.filter(Boolean).join(' · ');
}

function Conclusion({ task }: { task: TaskView }) {
  const { closed, question, reason } = task;
  if (closed)
    return (
      <p class="conclusion">
        {closed.summary}{' '}
        <span class="dim">
          {formatCount(closed.files, 'file')}, <span class="plus">+{closed.insertions}</span>{' '}
          <span class="minus">−{closed.deletions}</span> in <span class="mono">{shortOid(closed.oid)}</span>.{' '}
          {closed.reason}
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
