// The form of an act: what it asks, and the equivalent command line.
import { useState } from 'preact/hooks';
import { defined } from '../../defined.ts';
import { commandLine, type WebCommand } from '../command-line.ts';
import type { Card } from '../view.ts';
import { type FormKind, type FormPlace, labels, openForm, put } from './controls.tsx';
import { CommandLine } from './small.tsx';

export function OpenForm({ card, at = 'run', task }: { card: Card; at?: FormPlace; task?: string }) {
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
  undo: 'The branch goes back to where it was before the task; what was there is kept. The task is open again.',
};

function Form({ card, kind, task }: { card: Card; kind: FormKind; task: string | undefined }) {
  const [text, setText] = useState('');
  const [isNow, setNow] = useState(false);
  const [how, setHow] = useState<How>('last');
  const [isBusy, setBusy] = useState(false);
  const command = commandOf(kind, { text, isNow, how, task });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!command || isBusy) return;
    setBusy(true);
    await put(card, command);
    setBusy(false);
  };
  const title = `${labels[kind]}${task === undefined ? '' : ` task ${task}`}`;
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <p>
        <strong>{title}</strong> <span class="dim">{texts[kind]}</span>
      </p>
      {kind === 'steer' ? <Note value={text} set={setText} /> : null}
      {kind === 'budget' ? <Dollars value={text} set={setText} /> : null}
      {kind === 'steer' || kind === 'pause' ? (
        <Choice
          value={isNow}
          set={setNow}
          choices={[
            [false, kind === 'steer' ? 'Next session' : 'After this turn'],
            [true, 'Now: interrupt the session'],
          ]}
        />
      ) : null}
      {kind === 'undo' ? <Choice value={how} set={setHow} choices={howWords} /> : null}
      {command ? <CommandLine label="Stands for" text={commandLine(command, card.plan)} /> : null}
      <div class="buttons">
        <button
          type="submit"
          class={kind === 'stop' || kind === 'undo' ? 'danger' : 'primary'}
          disabled={!command || isBusy}
        >
          {isBusy ? 'Asking …' : title}
        </button>
        <button type="button" onClick={() => (openForm.value = undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

type FieldProps = Readonly<{ value: string; set: (value: string) => void }>;

function Note({ value, set }: FieldProps) {
  return (
    <textarea
      rows={3}
      autofocus
      placeholder="What should the agent know?"
      aria-label="Note for the agent"
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

function Dollars({ value, set }: FieldProps) {
  return (
    <label class="field">
      US dollars
      <input
        inputMode="decimal"
        autofocus
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** What else is undone with a task. */
type How = 'last' | 'with-later' | 'revert';
const howWords: readonly (readonly [How, string])[] = [
  ['last', 'Only this task: nothing builds on it'],
  ['with-later', 'And all later tasks'],
  ['revert', 'Only this task: with a revert commit'],
];

function Choice<T extends string | boolean>({
  value,
  set,
  choices,
}: {
  value: T;
  set: (value: T) => void;
  choices: readonly (readonly [T, string])[];
}) {
  return (
    <div class="choice" role="radiogroup">
      {choices.map(([option, word]) => (
        <button
          type="button"
          role="radio"
          key={String(option)}
          aria-checked={value === option}
          onClick={() => set(option)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}

function commandOf(
  kind: FormKind,
  { text, isNow, how, task }: Readonly<{ text: string; isNow: boolean; how: How; task: string | undefined }>,
): WebCommand | undefined {
  const whose = defined({ task });
  switch (kind) {
    case 'steer':
      return text.trim() === '' ? undefined : { do: 'steer', text: text.trim(), now: isNow, ...whose };
    case 'pause':
      return { do: 'pause', now: isNow };
    case 'stop':
      return { do: 'stop' };
    case 'budget': {
      const dollars = Number(text.replace(/^\$/, ''));
      return text.trim() !== '' && dollars > 0 ? { do: 'set-budget', maxCostUsd: dollars } : undefined;
    }
    case 'skip':
    case 'retry':
      return { do: kind, ...whose };
    case 'undo':
      return task === undefined ? undefined : { do: 'undo', task, ...(how === 'last' ? {} : { how }) };
  }
}
