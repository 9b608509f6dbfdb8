// What can be done about something that waits: an answer, a note, new attempts, or a command for a terminal.
import { useState } from 'preact/hooks';
import { commandLine } from '../command-line.ts';
import type { Card, Need } from '../view.ts';
import { put, toggleForm } from './controls.tsx';
import { CommandLine } from './small.tsx';
import { canAct } from './store.ts';

/** What can be done about something that waits. */
export function NeedActions({ card, need }: { card: Card; need: Need }) {
  if (!canAct.value && need.kind !== 'planning')
    return need.command === undefined ? null : <CommandLine text={need.command} />;
  const { task } = need;
  switch (need.kind) {
    case 'question':
      return task === undefined ? null : <Answer card={card} task={task} options={need.options ?? []} />;
    case 'failed':
    case 'stuck':
      return (
        <div class="buttons">
          <button type="button" onClick={() => toggleForm(card.id, 'steer', 'need', task)}>
            Steer
          </button>
          {need.kind === 'failed' ? (
            <button type="button" onClick={() => toggleForm(card.id, 'retry', 'need', task)}>
              Retry
            </button>
          ) : null}
          <button type="button" onClick={() => toggleForm(card.id, 'skip', 'need', task)}>
            Skip
          </button>
        </div>
      );
    case 'limit':
      return (
        <div class="buttons">
          <button type="button" onClick={() => void put(card, { do: 'continue' })}>
            Try now
          </button>
        </div>
      );
    case 'budget':
      return need.command === undefined ? null : (
        <div class="buttons">
          <button type="button" onClick={() => toggleForm(card.id, 'budget', 'need')}>
            Set budget
          </button>
        </div>
      );
    case 'planning':
      return (
        <p class="dim">
          Answer it in the terminal where <code>pawl plan</code> runs, in <code>{card.repository.root}</code>:
          no other place can.
        </p>
      );
    case 'crash':
    case 'stopped':
      return need.command === undefined ? null : <CommandLine text={need.command} label="In a terminal" />;
  }
}

function Answer({ card, task, options }: { card: Card; task: string; options: readonly string[] }) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const answer = text.trim();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (answer === '' || isBusy) return;
    setBusy(true);
    await put(card, { do: 'answer', task, answer });
    setBusy(false);
  };
  return (
    <form class="answer" onSubmit={(event) => void submit(event)}>
      {options.length === 0 ? null : (
        <div class="options">
          {options.map((option) => (
            <button type="button" key={option} aria-pressed={text === option} onClick={() => setText(option)}>
              {option}
            </button>
          ))}
        </div>
      )}
      <textarea
        rows={2}
        placeholder={options.length === 0 ? 'Your answer' : 'Or in your own words'}
        aria-label={`Answer to task ${task}`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {answer === '' ? null : (
        <CommandLine label="Stands for" text={commandLine({ do: 'answer', task, answer }, card.plan)} />
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={answer === '' || isBusy}>
          {isBusy ? 'Asking …' : 'Answer'}
        </button>
      </div>
    </form>
  );
}
