// The form of an act, and the equivalent command line.
import { useState } from 'preact/hooks';
import type { ControlCommand } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { commandLine } from '../command-line.ts';
import type { Card } from '../view.ts';
import { type FormKind, type FormOf, labels, openForm, put } from './acts.tsx';
import { CommandLine } from './small.tsx';

export function OpenForm({ card, at, task }: { card: Card; at: FormOf['at']; task?: string | undefined }) {
  const { value } = openForm;
  if (!value || value.id !== card.id || value.task !== task || value.at !== at) return null;
  return <Form key={`${value.kind} ${task}`} card={card} kind={value.kind} task={task} />;
}

const texts: Readonly<Record<FormKind, string>> = {
  steer: 'The agent reads it in its next prompt, or at once.',
  pause: 'The work is kept, nothing new starts, and all clocks stop.',
  stop: 'Sessions and checks are ended; their work is kept. The same command resumes later.',
  budget: 'For the whole run. It cannot exceed what the settings allow.',
  skip: 'This run skips the task; it stays open.',
  retry: 'The task gets new attempts.',
};

const fields: Readonly<Partial<Record<FormKind, string>>> = {
  steer: 'Note for the agent',
  budget: 'US dollars',
};

const moments: Readonly<Partial<Record<FormKind, string>>> = {
  steer: 'Next session',
  pause: 'After this turn',
};

function Form({ card, kind, task }: { card: Card; kind: FormKind; task: string | undefined }) {
  const [text, setText] = useState('');
  const [isNow, setNow] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const command = commandOf(kind, { text: text.trim(), isNow, task });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!command || isBusy) return;
    setBusy(true);
    await put(card, command);
    setBusy(false);
  };
  const title = `${labels[kind]}${task === undefined ? '' : ` task ${task}`}`;
  const Field = kind === 'steer' ? 'textarea' : 'input';
  const later = moments[kind];
  return (
    <form class="form box stack" onSubmit={(event) => void submit(event)}>
      <p>
        <strong>{title}</strong> <span class="dim">{texts[kind]}</span>
      </p>
      {fields[kind] === undefined ? null : (
        <Field
          autofocus
          aria-label={fields[kind]}
          placeholder={fields[kind]}
          value={text}
          onInput={({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
            setText(currentTarget.value)
          }
        />
      )}
      {later === undefined ? null : (
        <div class="choice" role="radiogroup">
          {[later, 'Now: interrupt the session'].map((word, at) => (
            <button
              type="button"
              role="radio"
              key={word}
              aria-checked={isNow === (at === 1)}
              onClick={() => setNow(at === 1)}
            >
              {word}
            </button>
          ))}
        </div>
      )}
      {command ? <CommandLine label="Stands for" text={commandLine(command, card.plan)} /> : null}
      <div class="line">
        <button type="submit" class={kind === 'stop' ? 'danger' : 'primary'} disabled={!command || isBusy}>
          {isBusy ? 'Asking …' : title}
        </button>
        <button type="button" onClick={() => (openForm.value = undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function commandOf(
  kind: FormKind,
  { text, isNow, task }: Readonly<{ text: string; isNow: boolean; task: string | undefined }>,
): ControlCommand | undefined {
  const dollars = Number(text.replace(/^\$/, ''));
  switch (kind) {
    case 'steer':
      return text === '' ? undefined : { do: 'steer', text, now: isNow, ...defined({ task }) };
    case 'pause':
      return { do: 'pause', now: isNow };
    case 'stop':
      return { do: 'stop' };
    case 'budget':
      return dollars > 0 ? { do: 'set-budget', maxCostUsd: dollars } : undefined;
    case 'skip':
    case 'retry':
      return { do: kind, ...defined({ task }) };
  }
}
