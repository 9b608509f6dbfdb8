// The evidence of a task as a trail: what was red before, then session, checks and corrections in the order in which they
// happened; each check in each series; the guard's notes; the commit's diff.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatClock, formatCommand, formatCost, formatCount, formatMs } from '../../report/text/figure.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../evidence-view.ts';
import type { Card, TaskView } from '../view.ts';
import { readDiff, readEvidence, readLog } from './connection.ts';
import { Diff } from './diff.tsx';
import { Matrix, toneOf } from './matrix.tsx';
import { Notes } from './small.tsx';
import { pathOf } from './store.ts';
import { useRead } from './use-read.ts';

export function EvidenceOf({ card, task }: { card: Card; task: TaskView }) {
  // Read again whenever the task itself has changed.
  const version = `${task.standing} ${task.attempts} ${task.corrections} ${task.ms} ${task.bars.length} ${task.notes}`;
  const { value: seen, error } = useRead(() => readEvidence(card.id, task.id), [card.id, task.id, version]);
  if (!seen) return <p class="dim">{error === '' ? 'Reading …' : error}</p>;
  const hasAttempts = seen.attempts.length > 0;
  return (
    <>
      <Summary seen={seen} />
      {seen.leftOut > 0 ? <p class="dim">{formatCount(seen.leftOut, 'earlier attempt')} left out</p> : null}
      {seen.before.length === 0 ? null : (
        <section class="attempt">
          <h2>Before the work</h2>
          <ol class="trail">
            {seen.before.map((check) => (
              <CheckStep key={check.at + check.log} card={card} check={check} isBefore={true} />
            ))}
          </ol>
        </section>
      )}
      {foldAlike(seen.attempts).map((alike) => (
        <Attempts key={alike[0]?.at} card={card} alike={alike} />
      ))}
      <Matrix seen={seen} />
      {hasAttempts && seen.hasDiff ? <TaskDiff card={card} task={task} /> : null}
      {hasAttempts ? null : (
        <p class="dim">
          {task.standing === 'before' ? 'It was done before this run.' : 'It has not started yet.'}
        </p>
      )}
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
  return red === undefined || verdict === 'close' ? undefined : `${red.command} ${red.says ?? ''}`;
}

function Summary({ seen: { turnedGreen, vacuous, answers, notes } }: { seen: Evidence }) {
  return (
    <>
      {turnedGreen.length === 0 ? null : (
        <p>
          Turned green: <Commands list={turnedGreen} />
        </p>
      )}
      {vacuous.length === 0 ? null : (
        <p class="warn-text">
          Green before the work, so they prove nothing: <Commands list={vacuous} />
        </p>
      )}
      {answers.map(({ question, answer }) => (
        <p key={question}>
          <span class="dim">Asked:</span> {question} <span class="dim">Answered:</span> {answer}
        </p>
      ))}
      <Notes list={notes} />
    </>
  );
}

function Commands({ list }: { list: readonly string[] }) {
  return (
    <>
      {list.map((command) => (
        <code key={command}>{command}</code>
      ))}
    </>
  );
}

/** One attempt, or several that ended alike, of which the last one is shown. */
function Attempts({ card, alike }: { card: Card; alike: readonly AttemptView[] }) {
  const last = alike.at(-1);
  if (!last) return null;
  const [first] = alike;
  return (
    <section class="attempt">
      <h2>
        {alike.length > 1 ? `Attempts ${first?.number}–${last.number} ended alike` : `Attempt ${last.number}`}{' '}
        {last.verdict === undefined ? null : (
          <span class={`verdict ${last.verdict}`}>{verdicts[last.verdict] ?? last.verdict}</span>
        )}
      </h2>
      <p class={last.why === undefined ? 'dim' : ''}>{last.why ?? last.reason}</p>
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

/** What happened, in order. */
function Trail({ card, attempt: { sessions, checks, corrections } }: { card: Card; attempt: AttemptView }) {
  const steps = [
    ...sessions.map((session) => ({
      at: session.startedAt,
      step: <SessionStep key={session.session} card={card} session={session} />,
    })),
    ...checks.map((check) => ({
      at: check.at,
      step: <CheckStep key={check.at + check.log} card={card} check={check} isBefore={false} />,
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
    <li>
      <time class="dim mono" dateTime={at}>
        {formatClock(at)}
      </time>
      <span class={`sign ${tone}`}>{sign}</span>
      <div>{children}</div>
      <span class="dim">{beside}</span>
    </li>
  );
}

const verdicts: Readonly<Record<string, string>> = {
  close: 'closed',
  correct: 'corrected',
  again: 'again',
  replan: 're-planned',
  wait: 'waited',
  park: 'asked',
  skip: 'skipped',
  fail: 'failed',
  stop: 'stopped',
};

function SessionStep({ card, session }: { card: Card; session: SessionView }) {
  const { startedAt, endedAt, outcome, costUsd, atLeast } = session;
  const parts = [
    session.model ?? session.agent,
    costUsd === undefined ? '' : formatCost({ costUsd, atLeast }),
    outcome ?? 'in progress',
  ].filter(Boolean);
  const took = endedAt === undefined ? '' : formatMs(Date.parse(endedAt) - Date.parse(startedAt));
  return (
    <Step at={startedAt} sign="●" tone="busy" beside={took}>
      <a class="inline" href={pathOf(card.id, 'activity', String(session.session))}>
        Session {session.session}
      </a>{' '}
      <span class="dim">{parts.join(' · ')}</span>
    </Step>
  );
}

function CheckStep({ card, check, isBefore }: { card: Card; check: CheckView; isBefore: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { at, command, result, exitCode, says, knownRed, alreadyRed, log, durationMs, when } = check;
  const isGreen = result === 'green';
  const notes = [
    isGreen ? '' : result.replaceAll('-', ' '),
    isGreen || exitCode === null ? '' : `exit ${exitCode}`,
    isGreen ? '' : knownRed ? 'known red' : alreadyRed && !isBefore ? 'red before, too' : '',
    when === 'after' || isBefore ? '' : when,
  ].filter(Boolean);
  return (
    <Step at={at} sign={isGreen ? '✓' : '✗'} tone={toneOf(check)} beside={formatMs(durationMs)}>
      <button type="button" class="check" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code>{formatCommand(command)}</code> <span class="dim">{notes.join(' · ')}</span>
      </button>
      {says === undefined || isOpen ? null : <p class={isBefore ? 'says dim' : 'says'}>{says}</p>}
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
  if (isOpen) return <ReadDiff card={card} task={task} />;
  return (
    <p>
      <button type="button" onClick={() => setOpen(true)}>
        Show the difference
      </button>
    </p>
  );
}

function ReadDiff({ card, task }: { card: Card; task: TaskView }) {
  const { value, error } = useRead(() => readDiff(card.id, task.id), [card.id, task.id]);
  if (value) return <Diff text={value.text} leftOut={value.leftOut} />;
  return <p class="dim">{error === '' ? 'Reading …' : error}</p>;
}
