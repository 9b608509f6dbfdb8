// The evidence of a task, in the order in which it happened.
import { useState } from 'preact/hooks';
import { formatClock } from '../../report/text/figure.ts';
import type { AttemptStep, AttemptView, WorkEvidence } from '../../report/view/attempts.ts';
import type { Card, TaskView } from '../view.ts';
import { readDiff, readEvidence, readLog, useRead } from './connection.ts';
import { Diff } from './diff.tsx';
import { Lines } from './small.tsx';
import { pathOf } from './store.ts';

export function EvidenceOf({ card, task }: { card: Card; task: TaskView }) {
  const { value: seen, error } = useRead(
    () => readEvidence(card.id, task.id),
    [card.id, JSON.stringify(task)],
  );
  if (!seen) return <p class="dim">{error || 'Reading …'}</p>;
  const before = task.standing === 'before' ? 'It was done before this run.' : 'It has not started yet.';
  return (
    <>
      <Lines list={seen.notes} />
      {foldAlike(seen.attempts).map((alike, at) => (
        <Attempts key={at} card={card} alike={alike} />
      ))}
      <Matrix seen={seen} />
      {seen.attempts.length > 0 ? <TaskDiff card={card} task={task} /> : <p class="dim">{before}</p>}
    </>
  );
}

/** Attempts in a row that ended with the same alarm. */
function foldAlike(attempts: readonly AttemptView[]): readonly (readonly AttemptView[])[] {
  const groups: AttemptView[][] = [];
  for (const attempt of attempts) {
    const last = groups.at(-1);
    const alarm = alarmOf(attempt);
    if (last?.[0] && alarm !== undefined && alarm === alarmOf(last[0])) last.push(attempt);
    else groups.push([attempt]);
  }
  return groups;
}

function alarmOf({ steps, verdict }: AttemptView): string | undefined {
  const red = steps.findLast(({ sign }) => sign === '✗');
  return red && verdict && verdict !== 'close' ? `${red.title} ${red.says}` : undefined;
}

function Attempts({ card, alike }: { card: Card; alike: readonly AttemptView[] }) {
  const last = alike.at(-1);
  if (!last) return null;
  const { number, verdict = '', why, reason } = last;
  const tone = verdict === 'close' ? 'good' : verdict === 'fail' ? 'bad' : 'plain';
  const name = number === 0 ? 'Before the work' : `Attempt ${number}`;
  return (
    <section class="attempt box stack">
      <h2>
        {alike.length > 1 ? `Attempts ${alike[0]?.number}–${number} ended alike` : name}{' '}
        <span class={`tone ${tone}`}>{verdicts[verdict] ?? verdict}</span>
      </h2>
      {number === 0 ? null : <p class={why === undefined ? 'dim' : undefined}>{why ?? reason}</p>}
      <Trail card={card} attempt={last} />
      {alike.length > 1 ? (
        <details>
          <summary>The earlier ones</summary>
          {alike.slice(0, -1).map((attempt, at) => (
            <Trail key={at} card={card} attempt={attempt} />
          ))}
        </details>
      ) : null}
    </section>
  );
}

const verdicts: Readonly<Record<string, string>> = {
  close: 'closed',
  correct: 'corrected',
  again: 'tried again',
  replan: 're-planned',
  wait: 'waited',
  park: 'asked',
  skip: 'skipped',
  fail: 'failed',
  stop: 'stopped',
};

function Trail({ card, attempt: { steps } }: { card: Card; attempt: AttemptView }) {
  return (
    <ol class="trail">
      {steps.map((step) => (
        <StepRow key={step.at + step.title} card={card} step={step} />
      ))}
    </ol>
  );
}

function StepRow({ card, step }: { card: Card; step: AttemptStep }) {
  const { at, sign, tone, title, note, says, session, log } = step;
  const [isOpen, setOpen] = useState(false);
  const told = <span class="dim">{note}</span>;
  return (
    <li class="cols">
      <time class="dim mono" dateTime={at}>
        {formatClock(at)}
      </time>
      <strong class={`sign tone ${tone}`}>{sign}</strong>
      <div>
        {session !== undefined ? (
          <a class="inline" href={pathOf(card.id, 'activity', String(session))}>
            {title}
          </a>
        ) : log === undefined ? (
          title
        ) : (
          <button type="button" class="check" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <code>{title}</code> {told}
          </button>
        )}{' '}
        {log === undefined ? told : null}
        {says === undefined || isOpen ? null : <p class={`mono tone ${tone}`}>{says}</p>}
        {isOpen && log !== undefined ? <Output card={card} log={log} /> : null}
      </div>
    </li>
  );
}

function Output({ card, log }: { card: Card; log: string }) {
  const { value, error } = useRead(() => readLog(card.id, log), [card.id, log]);
  if (!value) return <p class="dim">{error ? 'The output no longer exists.' : 'Reading …'}</p>;
  return (
    <pre class="output" tabIndex={0}>
      {value.text === '' ? 'It printed nothing.' : value.text}
    </pre>
  );
}

const mostSeries = 12;

/** Each check in each series. */
function Matrix({ seen: { attempts } }: { seen: WorkEvidence }) {
  const checks = attempts.flatMap(({ steps }) => steps.filter(({ series }) => series));
  const series = [...Map.groupBy(checks, ({ series }) => series)].slice(-mostSeries);
  const names = new Set(series.flatMap(([, steps]) => steps.map(({ title }) => title)));
  if (series.length < 3 || names.size < 2) return null;
  return (
    <div class="scroll" tabIndex={0}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">check</th>
            {series.map(([name]) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...names].map((name) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              {series.map(([key, steps]) => {
                const step = steps.findLast(({ title }) => title === name);
                return (
                  <td key={key} class={`tone ${step?.tone}`} title={step?.note}>
                    {step?.sign ?? '·'}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TaskDiff({ card, task }: { card: Card; task: TaskView }) {
  const [isOpen, setOpen] = useState(false);
  const { value, error } = useRead(
    async () => (isOpen ? readDiff(card.id, task.id) : undefined),
    [card.id, task.id, isOpen],
  );
  if (value) return <Diff diff={value} plan={card.plan} />;
  if (isOpen) return <p class="dim">{error || 'Reading …'}</p>;
  return (
    <p>
      <button type="button" onClick={() => setOpen(true)}>
        Show the difference
      </button>
    </p>
  );
}
