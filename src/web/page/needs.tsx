// What waits for a person: a row each, with what the failure says and what can be done about it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Need } from '../../report/view/run-view.ts';
import { commandLine } from '../command-line.ts';
import type { Card, Waiting } from '../view.ts';
import { type FormKind, put, toggleForm } from './controls.tsx';
import { OpenForm } from './form.tsx';
import { heldAnswer, holdAnswer, undoAnswer } from './held-answers.ts';
import { Ago, Badge, CommandLine, Countdown, Words } from './small.tsx';
import { canAct, now, pathOf } from './store.ts';

const words: Readonly<Record<Need['kind'], string>> = {
  question: 'Question',
  planning: 'Question',
  failed: 'Failed',
  findings: 'Findings',
  stuck: 'Stuck',
  limit: 'By itself',
  budget: 'Budget',
  crash: 'Crashed',
  stopped: 'Stopped',
  ready: 'Ready',
};

const tones = { now: 'bad', soon: 'bad', later: 'plain' } as const;

/** What waits; `isOne`: all of it belongs to the run that is shown. */
export function Needs({ list, isOne }: { list: readonly Waiting[]; isOne: boolean }) {
  if (list.length === 0) return null;
  const waiting = list.filter(({ need }) => need.urgency !== 'later');
  const oldest = waiting.map(({ need: { since = '~' } }) => since).sort()[0];
  return (
    <section class="needs" aria-label="Needs you">
      {isOne ? null : (
        <h2>
          {waiting.length === 0 ? 'Nothing waits for you' : 'Needs you'}{' '}
          {waiting.length > 0 ? <span class="count">{waiting.length}</span> : null}
          {oldest === undefined || oldest === '~' ? null : (
            <span class="dim">
              {' '}
              oldest <Ago at={oldest} />
            </span>
          )}
        </h2>
      )}
      <ul class="inbox">
        {list.map(({ card, need }) => (
          <Row key={`${card.id} ${need.kind} ${need.task}`} card={card} need={need} isOne={isOne} />
        ))}
      </ul>
    </section>
  );
}

function Row({ card, need, isOne }: { card: Card; need: Need; isOne: boolean }) {
  const { kind, urgency, task, title, text, says, until, since } = need;
  const of = [
    ...(task === undefined ? [] : [`task ${task}`]),
    ...(isOne || title === card.title ? [] : [card.title]),
  ];
  return (
    <li class={`need ${urgency} ${kind}`}>
      <span class="kind">
        <Badge tone={kind === 'ready' ? 'good' : tones[urgency]}>{words[kind]}</Badge>
      </span>
      <div class="what">
        <p class="subject">
          <a href={task === undefined ? pathOf(card.id) : pathOf(card.id, 'tasks', task)}>
            <Words text={title} />
          </a>
          <span class="dim">
            {of.length > 0 ? ` · ${of.join(' of ')}` : ''}
            {isOne ? '' : ` · ${card.repository.name}`}
          </span>
        </p>
        {text === '' ? null : (
          <p class="words">
            <Words text={text} />
          </p>
        )}
        {says === undefined ? null : <pre class="alarm">{says}</pre>}
        <Below card={card} need={need} />
      </div>
      <div class="beside">
        {until === undefined ? null : <Countdown until={until} />}
        {since === undefined || until !== undefined ? null : (
          <span class="dim">
            <Ago at={since} />
          </span>
        )}
        <Acts card={card} need={need} />
      </div>
    </li>
  );
}

function Below({ card, need }: { card: Card; need: Need }) {
  const { kind, task, options = [], command } = need;
  if (kind === 'planning')
    return (
      <p class="dim">
        Answer it in the terminal where <code>pawl plan</code> runs, in <code>{card.repository.root}</code>:
        no other place can.
      </p>
    );
  const isForTerminal =
    !canAct.value || kind === 'crash' || kind === 'findings' || kind === 'stopped' || kind === 'ready';
  if (isForTerminal) return command === undefined ? null : <CommandLine text={command} />;
  if (kind === 'question' && task !== undefined) return <Answer card={card} task={task} options={options} />;
  return (
    <>
      {kind === 'budget' ? <OpenForm card={card} at="need" /> : null}
      {task === undefined ? null : <OpenForm card={card} at="need" task={task} />}
    </>
  );
}

function Acts({ card, need: { kind, task, command } }: { card: Card; need: Need }) {
  if (!canAct.value) return null;
  const open = (form: FormKind) => (): void => toggleForm(card.id, form, 'need', task);
  switch (kind) {
    case 'failed':
      return <Buttons acts={{ Steer: open('steer'), Retry: open('retry'), Skip: open('skip') }} />;
    case 'stuck':
      return <Buttons acts={{ Steer: open('steer'), Skip: open('skip') }} />;
    case 'limit':
      return <Buttons acts={{ 'Try now': () => void put(card, { do: 'continue' }) }} />;
    case 'budget':
      return command === undefined ? null : <Buttons acts={{ 'Set budget': open('budget') }} />;
    case 'findings':
      return (
        <a class="button" href={pathOf(card.id, 'findings')}>
          Read
        </a>
      );
    default:
      return null;
  }
}

function Buttons({ acts }: { acts: Readonly<Record<string, () => void>> }) {
  return (
    <div class="buttons">
      {Object.entries(acts).map(([label, act]) => (
        <button type="button" key={label} onClick={act}>
          {label}
        </button>
      ))}
    </div>
  );
}

type AnswerProps = Readonly<{ card: Card; task: string; options: readonly string[] }>;

function Answer({ card, task, options }: AnswerProps) {
  const [isTyping, setTyping] = useState(options.length === 0);
  const held = heldAnswer(card, task);
  if (held)
    return (
      <div class="held" role="status">
        <p>
          Answering <strong>{held.answer}</strong> in {Math.max(0, Math.ceil((held.at - now.value) / 1000))}s
        </p>
        <button type="button" onClick={() => undoAnswer(card, task)}>
          Undo
        </button>
        <CommandLine
          label="Stands for"
          text={commandLine({ do: 'answer', task, answer: held.answer }, card.plan)}
        />
      </div>
    );
  return (
    <>
      <div class="options">
        {options.map((option, at) => (
          <button type="button" key={option} onClick={() => holdAnswer(card, task, option)}>
            <Digit>{at + 1}</Digit> {option}
          </button>
        ))}
        {isTyping ? null : (
          <button type="button" class="quiet" onClick={() => setTyping(true)}>
            own words …
          </button>
        )}
      </div>
      {isTyping ? <OwnWords card={card} task={task} /> : null}
    </>
  );
}

/** The key that gives the answer. */
function Digit({ children }: { children: ComponentChildren }) {
  return (
    <span class="dim" aria-hidden="true">
      {children}
    </span>
  );
}

function OwnWords({ card, task }: { card: Card; task: string }) {
  const [text, setText] = useState('');
  const answer = text.trim();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (answer !== '') holdAnswer(card, task, answer);
  };
  return (
    <form class="answer" onSubmit={submit}>
      <textarea
        rows={2}
        placeholder="In your own words"
        aria-label={`Answer to task ${task}`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={answer === ''}>
        Answer
      </button>
    </form>
  );
}
