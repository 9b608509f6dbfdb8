// What waits for a person, and what can be done about it.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { defined } from '../../defined.ts';
import { formatMoment, formatMs } from '../../report/text/figure.ts';
import type { Need } from '../../report/view/run-view.ts';
import { commandLine } from '../command-line.ts';
import type { Card, Waiting } from '../view.ts';
import { ActButtons, type FormKind, OpenForm, put } from './acts.tsx';
import { Ago, Badge, CommandLine, Count, Words } from './small.tsx';
import { canAct, now, pathOf } from './store.ts';

/** The rest is done in a terminal. */
const acts: Readonly<Partial<Record<Need['kind'], readonly FormKind[]>>> = {
  failed: ['steer', 'retry', 'skip'],
  stuck: ['steer', 'skip'],
  budget: ['budget'],
};

/** `isOne`: all of it belongs to the run shown. */
export function Needs({ list, isOne }: { list: readonly Waiting[]; isOne: boolean }) {
  if (list.length === 0) return null;
  const waiting = list.filter(({ need }) => need.urgency !== 'later');
  const [oldest] = waiting.flatMap(({ need: { since } }) => since ?? []).sort();
  return (
    <section class="needs" aria-label="Needs you">
      {isOne ? null : (
        <h2>
          {waiting.length === 0 ? 'Nothing waits for you' : 'Needs you'} <Count number={waiting.length} />{' '}
          {oldest === undefined ? null : (
            <span class="dim">
              oldest <Ago at={oldest} />
            </span>
          )}
        </h2>
      )}
      <ul class="box">
        {list.map(({ card, need }) => (
          <Row key={`${card.id} ${need.kind} ${need.task}`} card={card} need={need} isOne={isOne} />
        ))}
      </ul>
    </section>
  );
}

type NeedProps = Readonly<{ card: Card; need: Need }>;

function Row({ card, need, isOne }: NeedProps & { isOne: boolean }) {
  const { kind, urgency, task, title, text, says, until, since } = need;
  const at = until === undefined ? undefined : Date.parse(until);
  const of = [
    ...(task === undefined ? [] : [`task ${task}`]),
    ...(isOne || title === card.title ? [] : [card.title]),
    ...(isOne ? [] : [card.repository.name]),
  ];
  return (
    <li class={`need cols ${urgency} ${kind}`}>
      <Badge tone={kind === 'ready' ? 'good' : urgency === 'later' ? 'plain' : 'bad'} word={kind} />
      <div class="stack what">
        <p>
          <a class="plain-link" href={pathOf(card.id, task && 'tasks', task)}>
            <Words text={title} />
          </a>
          <span class="dim">{of.map((name) => ` · ${name}`)}</span>
          {since === undefined || until !== undefined ? null : (
            <span class="dim">
              {' '}
              · <Ago at={since} />
            </span>
          )}
        </p>
        {text === '' ? null : (
          <p class="words">
            <Words text={text} />
          </p>
        )}
        {says === undefined ? null : <pre class="output tone bad">{says}</pre>}
        <Remedy card={card} need={need} />
      </div>
      <div class="stack beside">
        {at === undefined ? null : (
          <span>
            {at > now.value ? `in ${formatMs(at - now.value)}` : 'any moment'}{' '}
            <span class="dim">({formatMoment(at)})</span>
          </span>
        )}
        <Acts card={card} need={need} />
      </div>
    </li>
  );
}

function Remedy({ card, need: { kind, task, options = [] } }: NeedProps) {
  if (kind === 'planning')
    return (
      <p class="dim">
        Answer it in the terminal where <code>pawl plan</code> runs, in <code>{card.repository.root}</code>:
        no other place can.
      </p>
    );
  if (canAct.value && kind === 'question' && task !== undefined)
    return <Answer card={card} task={task} options={options} />;
  if (canAct.value && acts[kind]) return <OpenForm card={card} at="need" task={task} />;
  return null;
}

function Acts({ card, need: { kind, task, command } }: NeedProps) {
  const kinds = kind === 'budget' && command === undefined ? [] : (acts[kind] ?? []);
  const isDoneHere = canAct.value && (kind === 'question' || kind === 'limit' || kinds.length > 0);
  if (!isDoneHere && kind !== 'findings')
    return command === undefined ? null : <CommandLine text={command} />;
  return (
    <div class="line">
      <ActButtons id={card.id} at="need" kinds={kinds} {...defined({ task })} />
      {kind === 'limit' && canAct.value ? (
        <button type="button" onClick={() => void put(card, { do: 'continue' })}>
          Try now
        </button>
      ) : null}
      {kind === 'findings' ? (
        <a class="button" href={pathOf(card.id, 'findings')}>
          Read
        </a>
      ) : null}
    </div>
  );
}

type AnswerProps = Readonly<{ card: Card; task: string; options: readonly string[] }>;

function Answer({ card, task, options }: AnswerProps) {
  const [isTyping, setTyping] = useState(options.length === 0);
  const answer = held.value?.id === card.id && held.value.task === task ? held.value : undefined;
  if (answer)
    return (
      <div class="line" role="status">
        <span>
          Answering <strong>{answer.text}</strong> in {Math.max(0, Math.ceil((answer.at - now.value) / 1000))}
          s
        </span>
        <button type="button" onClick={() => (held.value = undefined)}>
          Undo
        </button>
        <CommandLine
          label="Stands for"
          text={commandLine({ do: 'answer', task, answer: answer.text }, card.plan)}
        />
      </div>
    );
  return (
    <>
      <div class="options line">
        {options.map((option, at) => (
          <button type="button" key={option} onClick={() => holdAnswer(card, task, option)}>
            <span class="dim" aria-hidden="true">
              {at + 1}
            </span>{' '}
            {option}
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

function OwnWords({ card, task }: { card: Card; task: string }) {
  const [text, setText] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') holdAnswer(card, task, text.trim());
  };
  return (
    <form class="line" onSubmit={submit}>
      <textarea
        rows={2}
        placeholder="In your own words"
        aria-label={`Answer to task ${task}`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary">
        Answer
      </button>
    </form>
  );
}

/** Milliseconds. */
const heldMs = 5_000;

/** `at`: when it is given, epoch milliseconds. */
type Held = Readonly<{ id: string; task: string; text: string; at: number; give: () => void }>;

/** Another one gives it at once. */
const held = signal<Held | undefined>(undefined);

function holdAnswer(card: Card, task: string, text: string): void {
  held.value?.give();
  const give = (): void => {
    if (held.value !== answer) return;
    held.value = undefined;
    void put(card, { do: 'answer', task, answer: text });
  };
  const answer = { id: card.id, task, text, give, at: Date.now() + heldMs };
  held.value = answer;
  setTimeout(give, heldMs);
}

// A closed tab would lose the answer without a word.
addEventListener('beforeunload', (event) => {
  if (held.value) event.preventDefault();
});
