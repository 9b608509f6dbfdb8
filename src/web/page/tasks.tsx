// The tasks of a run, which are its timeline.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount, formatMoment, formatMs, shortOid } from '../../report/text/figure.ts';
import type { Bar } from '../../report/view/run-view.ts';
import { shellWord } from '../../shell-word.ts';
import type { Card, TaskView } from '../view.ts';
import { ActButtons, actsOfTask, OpenForm } from './acts.tsx';
import { EvidenceOf } from './evidence.tsx';
import { Badge, CommandLine, Cost, PlusMinus, Words } from './small.tsx';
import { clock, go, pathOf, replayed, route, tasks, wholeRun } from './store.ts';
import { markWidth, placeMarks, type Range, shareOf } from './time-scale.ts';

export function TaskList({ card }: { card: Card }) {
  const { task: open } = route.value;
  const whole = wholeRun.value;
  if (!whole) return null;
  const isGoing = replayed.value !== undefined || card.isRunning;
  const begin = Date.parse(whole.from);
  const end = Math.max(isGoing ? clock.value : Date.parse(whole.to), begin + 1_000);
  const laneOf = (bars: readonly Bar[]) => <Lane bars={bars} rests={whole.rests} range={{ begin, end }} />;
  return (
    <ul class="tasks">
      <li class="task-row cols axis dim" aria-hidden="true">
        <span class="line">
          <span class="grow">{formatMoment(begin).slice(-5)}</span>
          {isGoing && !replayed.value ? 'now' : formatMoment(end).slice(-5)}
        </span>
      </li>
      {tasks.value.map((task) => (
        <TaskRow key={task.id} card={card} task={task} isOpen={task.id === open}>
          {laneOf(task.bars)}
        </TaskRow>
      ))}
      {whole.besides.map(({ label, bars }) => (
        <li class="task" key={label}>
          <div class="task-row cols">
            <span class="name dim">{label}</span>
            {laneOf(bars)}
          </div>
        </li>
      ))}
    </ul>
  );
}

type TaskRowProps = Readonly<{ card: Card; task: TaskView; isOpen: boolean; children: ComponentChildren }>;

const busy = { tone: 'busy', word: 'in progress' } as const;

function TaskRow({ card, task, isOpen, children }: TaskRowProps) {
  const row = useRef<HTMLLIElement>(null);
  // One opened by a link may be far down.
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { id, title, isBeside, notes, spent } = task;
  const isInSession =
    card.isRunning && card.inWork.some((work) => work.id === id && work.since !== undefined);
  const { working, checking } = task.ms;
  const more = isInSession ? Math.max(0, clock.value - Date.parse(card.lastAt)) : 0;
  const ms = working + checking + more;
  return (
    <li class={isOpen ? 'task open' : 'task'} ref={row}>
      <button
        type="button"
        class="task-row cols"
        aria-expanded={isOpen}
        onClick={() => go(pathOf(card.id, 'tasks', isOpen ? undefined : id))}
        data-task={id}
      >
        <Badge {...(task.standing === 'working' && card.isRunning ? busy : task)} />
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
              text={`pawl undo ${shellWord(id)} --run ${shellWord(card.plan)}`}
            />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

function Conclusion({ task }: { task: TaskView }) {
  const { closed, question, reason, standing, attempts, corrections } = task;
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

/** The narrowest bar, percent. */
const leastWidth = 0.8;

/** `rests`: of the whole run, behind it. */
function Lane({ bars, rests, range }: { bars: readonly Bar[]; rests: readonly Bar[]; range: Range }) {
  const draw = (list: readonly Bar[], classOf: (bar: Bar) => string) =>
    list.map((bar) => {
      const left = shareOf(bar.from, range);
      const width = Math.max(leastWidth, shareOf(bar.to, range) - left);
      const style = { left: `${left}%`, width: `${width}%` };
      return <span key={bar.kind + bar.from} class={classOf(bar)} style={style} title={tell(bar)} />;
    });
  const marks = placeMarks(
    bars.filter(({ kind }) => kind === 'checks' || kind === 'question'),
    range,
  );
  // What little of a bar its marks leave would only be crumbs.
  const isSeen = ({ kind, from, to }: Bar): boolean => {
    const [begin, end] = [shareOf(from, range), shareOf(to, range)];
    const near = marks.filter(
      ({ left }) => Math.abs(left - (begin + end) / 2) < (end - begin + markWidth) / 2,
    );
    return kind === 'session' && (near.length === 0 || end - begin > (near.length + 1) * markWidth);
  };
  return (
    <div class="lane">
      {draw(rests, () => 'rest')}
      {draw(bars.filter(isSeen), ({ tone, to }) => `bar ${tone}${to === undefined ? ' running' : ''}`)}
      {marks.map(({ bar, left }) => (
        <span
          key={bar.kind + bar.from}
          class={`mark tone ${bar.tone}`}
          style={{ left: `${left}%` }}
          title={tell(bar)}
        >
          {bar.kind === 'question' ? '?' : signs[bar.tone]}
        </span>
      ))}
    </div>
  );
}

const signs: Readonly<Record<Bar['tone'], string>> = { good: '✓', bad: '✗', warn: '✗', plain: '·' };

function tell({ says, from, to }: Bar): string {
  const took = to === undefined ? 'continues' : formatMs(Date.parse(to) - Date.parse(from));
  return `${says}\n${formatMoment(Date.parse(from))}, ${took}`;
}
