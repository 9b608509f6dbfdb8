// The tasks of a run, which are its timeline.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount, formatMoment, formatMs, shortOid } from '../../report/text/figure.ts';
import { shellWord } from '../../shell-word.ts';
import type { Bar, Card, TaskView } from '../view.ts';
import { ActButtons, actsOfTask } from './acts.tsx';
import { EvidenceOf } from './evidence.tsx';
import { OpenForm } from './form.tsx';
import { Lane } from './lane.tsx';
import { CommandLine, Cost, PlusMinus, Standing, Words } from './small.tsx';
import { clock, go, isSearched, pathOf, replayed, route, tasks, wholeRun } from './store.ts';
import { stackBars } from './time-scale.ts';

export function TaskList({ card }: { card: Card }) {
  const { value } = route;
  const open = value.page === 'run' ? value.task : undefined;
  const shown = tasks.value.filter(
    ({ id, title, reason = '', question = '', closed }) =>
      id === open || isSearched(`${id} ${title} ${reason} ${question} ${closed?.summary ?? ''}`),
  );
  const whole = wholeRun.value;
  if (!whole) return null;
  const isGoing = replayed.value !== undefined || card.isRunning;
  const begin = Date.parse(whole.from);
  const end = Math.max(isGoing ? clock.value : Date.parse(whole.to), begin + 1_000);
  const rests = whole.bars.filter(({ kind }) => kind === 'wait' || kind === 'pause' || kind === 'stop');
  const laneOf = (bars: readonly Bar[]) => <Lane bars={bars} rests={rests} range={{ begin, end }} />;
  return (
    <ul class="tasks">
      <li class="task-row cols axis dim" aria-hidden="true">
        <span class="line">
          <span class="grow">{formatMoment(begin).slice(-5)}</span>
          {isGoing && !replayed.value ? 'now' : formatMoment(end).slice(-5)}
        </span>
      </li>
      {shown.map((task) => (
        <TaskRow key={task.id} card={card} task={task} isOpen={task.id === open}>
          {laneOf(task.bars)}
        </TaskRow>
      ))}
      {besides(whole.bars).map(({ label, bars }, at) => (
        <li class="task" key={at}>
          <div class="task-row cols">
            <span class="name dim">{label}</span>
            {laneOf(bars)}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Sessions and checks of no task. */
function besides(bars: readonly Bar[]): readonly Readonly<{ label: string; bars: readonly Bar[] }>[] {
  const rows = (kind: Bar['kind'], label: string) =>
    stackBars(bars.filter((bar) => bar.kind === kind)).map((row, at) => ({
      label: at === 0 ? label : '',
      bars: row,
    }));
  return [...rows('session', 'Review and planning'), ...rows('checks', 'Checks of the whole run')];
}

type TaskRowProps = Readonly<{ card: Card; task: TaskView; isOpen: boolean; children: ComponentChildren }>;

function TaskRow({ card, task, isOpen, children }: TaskRowProps) {
  const row = useRef<HTMLLIElement>(null);
  // One opened by a link may be far down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { id, title, isBeside, notes, spent } = task;
  const since = card.isRunning ? card.inWork.find((work) => work.id === id)?.since : undefined;
  const ms = task.ms + (since === undefined ? 0 : Math.max(0, clock.value - Date.parse(since)));
  return (
    <li class={isOpen ? 'task open' : 'task'} ref={row}>
      <button
        type="button"
        class="task-row cols"
        aria-expanded={isOpen}
        onClick={() => go(pathOf(card.id, 'tasks', isOpen ? undefined : id))}
        data-task={id}
      >
        <Standing task={task} isRunning={card.isRunning} />
        <span class="name">
          <span class="dim number">{isBeside ? '' : id}</span> <Words text={title} />{' '}
          {notes > 0 ? (
            <span class="flag" title="The guard noted something">
              {formatCount(notes, 'note')}
            </span>
          ) : null}
        </span>
        {children}
        <span class="took dim">{ms >= 100 ? formatMs(ms) : ''}</span>
        <span class="cost dim">{spent.sessions > 0 ? <Cost spent={spent} /> : null}</span>
      </button>
      {isOpen ? (
        <div class="evidence stack">
          <Conclusion task={task} />
          <div class="line">
            <ActButtons id={card.id} at="task" task={id} kinds={actsOfTask(card, task)} />
          </div>
          <OpenForm card={card} at="task" task={id} />
          <EvidenceOf card={card} task={task} />
          {task.closed && !isBeside && !card.isRunning && card.isNewest ? (
            <CommandLine
              label="Take it back"
              text={`pawl undo ${shellWord(id)} --plan ${shellWord(card.plan)}`}
            />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

function Conclusion({
  task: { closed, question, reason, standing, attempts, corrections },
}: {
  task: TaskView;
}) {
  const text = standing === 'parked' ? question : reason;
  if (!closed) return text ? <p class="words">{text}</p> : null;
  const effort = [
    closed.reason,
    attempts > 1 ? formatCount(attempts, 'attempt') : '',
    corrections > 0 ? formatCount(corrections, 'correction') : '',
  ].filter(Boolean);
  return (
    <p>
      {closed.summary}{' '}
      <span class="dim">
        {formatCount(closed.files, 'file')}, <PlusMinus plus={closed.insertions} minus={closed.deletions} />{' '}
        in <span class="mono">{shortOid(closed.oid)}</span>. {effort.join(', ')}
      </span>
    </p>
  );
}
