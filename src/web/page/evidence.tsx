// The evidence of a task: each attempt with its sessions and checks, the output of a check, what the guard noted, the
// difference of the commit.
import { useEffect, useState } from 'preact/hooks';
import { formatCost, formatCount, formatMs } from '../../report/text/figure.ts';
import type { AttemptView, CheckView, Evidence, SessionView } from '../evidence-view.ts';
import type { Card, TaskView } from '../view.ts';
import { readDiff, readEvidence, readLog, type Text } from './connection.ts';
import { Diff } from './diff.tsx';
import { Badge } from './small.tsx';
import { pathOf } from './store.ts';

export function EvidenceOf({ card, task }: { card: Card; task: TaskView }) {
  const [seen, setSeen] = useState<Evidence | undefined>();
  const [error, setError] = useState('');
  // Read again whenever the task itself has changed.
  const version = `${task.standing} ${task.attempts} ${task.corrections} ${task.ms} ${task.bars.length} ${task.notes}`;
  useEffect(() => {
    let isHere = true;
    readEvidence(card.id, task.id).then(
      (next) => isHere && setSeen(next),
      (cause: Error) => isHere && setError(cause.message),
    );
    return () => {
      isHere = false;
    };
  }, [card.id, task.id, version]);
  if (!seen) return <p class="dim">{error === '' ? 'Reading …' : error}</p>;
  const hasAttempts = seen.attempts.length > 0;
  return (
    <>
      {seen.turnedGreen.length === 0 ? null : (
        <p>
          Turned green: <Commands list={seen.turnedGreen} />
        </p>
      )}
      {seen.vacuous.length === 0 ? null : (
        <p class="warn-text">
          Green before the work, so that they prove nothing: <Commands list={seen.vacuous} />
        </p>
      )}
      {seen.answers.map(({ question, answer }) => (
        <p key={question}>
          <span class="dim">Asked:</span> {question} <span class="dim">Answered:</span> {answer}
        </p>
      ))}
      {seen.notes.length === 0 ? null : (
        <ul class="notes">
          {seen.notes.map(({ tone, text }, at) => (
            <li key={at} class={tone}>
              {text}
            </li>
          ))}
        </ul>
      )}
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
          {task.standing === 'before' ? 'It was done before this run.' : 'It has not begun yet.'}
        </p>
      )}
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
    endedAt === undefined ? 'in work' : formatMs(Date.parse(endedAt) - Date.parse(startedAt)),
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
  const [text, setText] = useState<Text | string>('Reading …');
  useEffect(() => {
    readLog(card.id, log).then(setText, () => setText('The output is not there any more.'));
  }, [card.id, log]);
  if (typeof text === 'string') return <p class="dim">{text}</p>;
  return (
    <pre class="output" tabIndex={0}>
      {text.leftOut > 0 ? `… ${text.leftOut} bytes before\n` : ''}
      {text.text === '' ? 'It printed nothing.' : text.text}
    </pre>
  );
}

function TaskDiff({ card, task }: { card: Card; task: TaskView }) {
  const [text, setText] = useState<Text | undefined>();
  const [error, setError] = useState('');
  const open = (): void => {
    readDiff(card.id, task.id).then(setText, (cause: Error) => setError(cause.message));
  };
  if (text) return <Diff text={text.text} leftOut={text.leftOut} />;
  return (
    <p>
      <button type="button" onClick={open}>
        Show the difference
      </button>{' '}
      {error === '' ? null : <span class="dim">{error}</span>}
    </p>
  );
}
