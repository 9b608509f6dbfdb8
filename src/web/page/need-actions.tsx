// What can be done about something that waits: an answer, a note, new attempts, or a command for a terminal.
import { useState } from 'preact/hooks';
import type { Need } from '../../report/view/run-view.ts';
import { commandLine } from '../command-line.ts';
import type { Card } from '../view.ts';
import { type FormKind, put, toggleForm } from './controls.tsx';
import { CommandLine } from './small.tsx';
import { canAct } from './store.ts';

export function NeedActions({ card, need }: { card: Card; need: Need }) {
  if (!canAct.value && need.kind !== 'planning')
    return need.command === undefined ? null : <CommandLine text={need.command} />;
  const { task } = need;
  const open = (kind: FormKind) => (): void => toggleForm(card.id, kind, 'need', task);
  switch (need.kind) {
    case 'question':
      return task === undefined ? null : <Answer card={card} task={task} options={need.options ?? []} />;
    case 'failed':
      return <Buttons acts={{ Steer: open('steer'), Retry: open('retry'), Skip: open('skip') }} />;
    case 'stuck':
      return <Buttons acts={{ Steer: open('steer'), Skip: open('skip') }} />;
    case 'limit':
      return <Buttons acts={{ 'Try now': () => void put(card, { do: 'continue' }) }} />;
    case 'budget':
      return need.command === undefined ? null : <Buttons acts={{ 'Set budget': open('budget') }} />;
    case 'planning':
      return (
        <p class="dim">
          Answer it in the terminal where <code>pawl plan</code> runs, in <code>{card.repository.root}</code>:
          no other place can.
        </p>
      );
    case 'crash':
    case 'findings':
    case 'stopped':
      return need.command === undefined ? null : <CommandLine text={need.command} label="In a terminal" />;
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
