// The evidence of a task: each attempt with its sessions and checks, a check's output, the guard's notes, the commit's
// diff.
import { useState } from 'preact/hooks';
import { formatCost, formatCount, formatMs } from '../../report/text/figure.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../evidence-view.ts';
import type { Card, TaskView } from '../view.ts';
import { readDiff, readEvidence, readLog } from './connection.ts';
import { Diff } from './diff.tsx';
import { Badge, Notes } from './small.tsx';
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
      {[...seen.attempts].reverse().map((attempt) => (
        <Attempt key={attempt.at} card={card} attempt={attempt} />
      ))}
      {seen.before.length === 0 ? null : (
        <section class="attempt">
          <h4>Before the work</h4>
          <Checks card={card} list={seen.before} />
        </section>
      )}
      {hasAttempts && seen.hasDiff ? <TaskDiff card={card} task={task} /> : null}
      {hasAttempts ? null : (
        <p class="dim">
          {task.standing === 'before' ? 'It was done before this run.' : 'It has not started yet.'}
        </p>
      )}
    </>
  );
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

function Attempt({ card, attempt }: { card: Card; attempt: AttemptView }) {
  const { number, verdict, why, sessions, checks, corrections, reason } = attempt;
  return (
    <section class="attempt">
      <h4>
        Attempt {number}{' '}
        {verdict === undefined ? null : (
          <span class={`verdict ${verdict}`}>{verdicts[verdict] ?? verdict}</span>
        )}
      </h4>
      {why === undefined ? <p class="dim">{reason}</p> : <p>{why}</p>}
      {sessions.map((session) => (
        <Session key={session.session} card={card} session={session} />
      ))}
      {corrections.map((correction, at) => (
        <p key={at} class="dim">
          Corrected: {correction.reason}
        </p>
      ))}
      <Checks card={card} list={checks} />
    </section>
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

function Session({ card, session }: { card: Card; session: SessionView }) {
  const { startedAt, endedAt, outcome, costUsd, atLeast } = session;
  const parts = [
    session.model ?? session.agent,
    endedAt === undefined ? 'in progress' : formatMs(Date.parse(endedAt) - Date.parse(startedAt)),
    formatCost({ costUsd, atLeast }),
    outcome ?? '',
  ].filter(Boolean);
  return (
    <p class="session">
      <a href={pathOf(card.id, 'activity', String(session.session))}>Session {session.session}</a>{' '}
      <span class="dim">{parts.join(' · ')}</span>
    </p>
  );
}

const results: Readonly<Record<CheckView['result'], 'good' | 'bad' | 'warn' | 'plain'>> = {
  green: 'good',
  red: 'bad',
  'could-not-run': 'bad',
  'timed-out': 'bad',
  interrupted: 'plain',
};

function Checks({ card, list }: { card: Card; list: readonly CheckView[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="checks">
      {list.map((check) => (
        <Check key={`${check.log} ${check.at}`} card={card} check={check} />
      ))}
    </ul>
  );
}

function Check({ card, check }: { card: Card; check: CheckView }) {
  const [isOpen, setOpen] = useState(false);
  const isExcused = check.knownRed && check.result !== 'green';
  const exit = check.exitCode === null || check.result === 'green' ? '' : `exit ${check.exitCode}`;
  return (
    <li>
      <button type="button" class="check" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Badge tone={isExcused ? 'warn' : results[check.result]}>{check.result.replaceAll('-', ' ')}</Badge>
        <code>{check.command}</code>
        <span class="dim">
          {[
            exit,
            formatMs(check.durationMs),
            isExcused ? 'known red' : check.alreadyRed ? 'red before, too' : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </button>
      {check.says === undefined || isOpen ? null : <p class="says mono">{check.says}</p>}
      {isOpen ? <Output card={card} log={check.log} /> : null}
    </li>
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
