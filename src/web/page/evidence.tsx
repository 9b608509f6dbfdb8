// The evidence of a task, in the order in which it happened.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatClock, formatCost, formatMs } from '../../report/text/figure.ts';
import type { AttemptView, Card, CheckView, SessionView, TaskView } from '../view.ts';
import { readDiff, readEvidence, readLog, useRead } from './connection.ts';
import { Diff } from './diff.tsx';
import { Matrix, toneOf } from './matrix.tsx';
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
      {seen.answers.map(({ question, answer }) => (
        <p key={question}>
          <span class="dim">Asked:</span> {question} <span class="dim">Answered:</span> {answer}
        </p>
      ))}
      <Lines list={seen.notes} />
      {foldAlike(seen.attempts).map((alike) => (
        <Attempts key={alike[0]?.at} card={card} alike={alike} />
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
    const [first] = last ?? [];
    if (first && alarmOf(attempt) !== undefined && alarmOf(attempt) === alarmOf(first)) last?.push(attempt);
    else groups.push([attempt]);
  }
  return groups;
}

function alarmOf({ checks, verdict }: AttemptView): string | undefined {
  const red = checks.findLast(({ result }) => result !== 'green');
  return red === undefined || verdict === undefined || verdict === 'close'
    ? undefined
    : `${red.command} ${red.says ?? ''}`;
}

function Attempts({ card, alike }: { card: Card; alike: readonly AttemptView[] }) {
  const last = alike.at(-1);
  if (!last) return null;
  const { number, verdict = '', why, reason } = last;
  const tone = verdict === 'close' ? 'good' : verdict === 'fail' ? 'bad' : 'plain';
  return (
    <section class="attempt box stack">
      <h2>
        {alike.length > 1 ? `Attempts ${alike[0]?.number}–${number} ended alike` : nameOf(number)}{' '}
        <span class={`tone ${tone}`}>{verdicts[verdict] ?? verdict}</span>
      </h2>
      {number === 0 ? null : <p class={why === undefined ? 'dim' : undefined}>{why ?? reason}</p>}
      <Trail card={card} attempt={last} />
      {alike.length > 1 ? (
        <details>
          <summary>The earlier ones</summary>
          {alike.slice(0, -1).map((attempt) => (
            <Trail key={attempt.at} card={card} attempt={attempt} />
          ))}
        </details>
      ) : null}
    </section>
  );
}

const nameOf = (attempt: number): string => (attempt === 0 ? 'Before the work' : `Attempt ${attempt}`);

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

function Trail({ card, attempt: { sessions, checks, corrections } }: { card: Card; attempt: AttemptView }) {
  const steps = [
    ...sessions.map((session) => ({
      at: session.startedAt,
      step: <SessionStep key={session.session} card={card} session={session} />,
    })),
    ...checks.map((check) => ({
      at: check.at,
      step: <CheckStep key={check.at + check.log} card={card} check={check} />,
    })),
    ...corrections.map(({ at, reason }, number) => ({
      at,
      step: (
        <Step key={at} at={at} sign="↩" tone="plain">
          correction {number + 1}: {reason}
        </Step>
      ),
    })),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return <ol class="trail">{steps.map(({ step }) => step)}</ol>;
}

type StepProps = Readonly<{
  at: string;
  sign: string;
  tone: string;
  beside?: string;
  children: ComponentChildren;
}>;

function Step({ at, sign, tone, beside, children }: StepProps) {
  return (
    <li class="cols">
      <time class="dim mono" dateTime={at}>
        {formatClock(at)}
      </time>
      <strong class={`sign tone ${tone}`}>{sign}</strong>
      <div>{children}</div>
      <span class="dim">{beside}</span>
    </li>
  );
}

function SessionStep({ card, session: of }: { card: Card; session: SessionView }) {
  const { session, model, startedAt, endedAt, outcome, costUsd, atLeast } = of;
  const cost = costUsd === undefined ? '' : formatCost({ costUsd, atLeast });
  const took = endedAt === undefined ? '' : formatMs(Date.parse(endedAt) - Date.parse(startedAt));
  return (
    <Step at={startedAt} sign="●" tone="busy" beside={took}>
      <a class="inline" href={pathOf(card.id, 'activity', String(session))}>
        Session {session}
      </a>{' '}
      <span class="dim">{[model, cost, outcome ?? 'in progress'].filter(Boolean).join(' · ')}</span>
    </Step>
  );
}

function CheckStep({ card, check }: { card: Card; check: CheckView }) {
  const [isOpen, setOpen] = useState(false);
  const { at, command, name, result, exitCode, says, knownRed, alreadyRed, log, durationMs, when } = check;
  const isBefore = when === 'before';
  const notes = [
    ...(result === 'green'
      ? []
      : [
          result.replaceAll('-', ' '),
          exitCode === null ? '' : `exit ${exitCode}`,
          knownRed ? 'known red' : alreadyRed && !isBefore ? 'red before, too' : '',
        ]),
    when === 'after' || isBefore ? '' : when,
  ].filter(Boolean);
  return (
    <Step at={at} sign={result === 'green' ? '✓' : '✗'} tone={toneOf(check)} beside={formatMs(durationMs)}>
      <button type="button" class="check" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code title={command}>{name}</code> <span class="dim">{notes.join(' · ')}</span>
      </button>
      {says === undefined || isOpen ? null : <p class={`mono ${isBefore ? 'dim' : 'tone bad'}`}>{says}</p>}
      {isOpen ? <Output card={card} log={log} /> : null}
    </Step>
  );
}

function Output({ card, log }: { card: Card; log: string }) {
  const { value, error } = useRead(() => readLog(card.id, log), [card.id, log]);
  if (!value) return <p class="dim">{error === '' ? 'Reading …' : 'The output no longer exists.'}</p>;
  return (
    <pre class="output" tabIndex={0}>
      {value.leftOut > 0 ? `… ${value.leftOut} bytes before\n` : ''}
      {value.text === '' ? 'It printed nothing.' : value.text}
    </pre>
  );
}

function TaskDiff({ card, task }: { card: Card; task: TaskView }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <OpenDiff card={card} task={task} />;
  return (
    <p>
      <button type="button" onClick={() => setOpen(true)}>
        Show the difference
      </button>
    </p>
  );
}

function OpenDiff({ card, task }: { card: Card; task: TaskView }) {
  const { value, error } = useRead(() => readDiff(card.id, task.id), [card.id, task.id]);
  return value ? <Diff diff={value} plan={card.plan} /> : <p class="dim">{error || 'Reading …'}</p>;
}
