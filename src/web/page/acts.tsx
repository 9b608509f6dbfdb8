// What a person can do to a run and its tasks, and the result of the last command.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { ControlCommand } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { commandLine } from '../command-line.ts';
import type { Card, TaskView } from '../view.ts';
import { type ServerReply, send } from './connection.ts';
import { CommandLine } from './small.tsx';
import { canAct } from './store.ts';

export type FormKind = 'steer' | 'pause' | 'stop' | 'budget' | 'skip' | 'retry';

/** A task has its acts in its row and where it needs a person. */
type FormOf = Readonly<{ id: string; kind: FormKind; task?: string; at: 'run' | 'task' | 'need' }>;

export const openForm = signal<FormOf | undefined>(undefined);

const isOpen = (form: FormOf): boolean => JSON.stringify(openForm.value) === JSON.stringify(form);

export function toggleForm(form: FormOf): void {
  openForm.value = isOpen(form) ? undefined : form;
}

type Filled = Readonly<{ text: string; isNow: boolean; task?: string }>;

/** `field`: what a person types. `command`: undefined while something is missing. */
type ActForm = Readonly<{
  label: string;
  says: string;
  field?: string;
  command: (filled: Filled) => ControlCommand | undefined;
}>;

const forms: Readonly<Record<FormKind, ActForm>> = {
  steer: {
    label: 'Steer',
    says: 'The agent reads it in its next prompt, or at once.',
    field: 'Note for the agent',
    command: ({ text, isNow, task }) =>
      text === '' ? undefined : { do: 'steer', text, now: isNow, ...defined({ task }) },
  },
  pause: {
    label: 'Pause',
    says: 'The work is kept, nothing new starts, and all clocks stop.',
    command: ({ isNow }) => ({ do: 'pause', now: isNow }),
  },
  stop: {
    label: 'Stop',
    says: 'Sessions and checks are ended; their work is kept. The same command resumes later.',
    command: () => ({ do: 'stop' }),
  },
  budget: {
    label: 'Set budget',
    says: 'For the whole run. It cannot exceed what the settings allow.',
    field: 'US dollars',
    command: ({ text }) => {
      const dollars = Number(text.replace(/^\$/, ''));
      return dollars > 0 ? { do: 'set-budget', maxCostUsd: dollars } : undefined;
    },
  },
  skip: {
    label: 'Skip',
    says: 'This run skips the task; it stays open.',
    command: ({ task }) => ({ do: 'skip', ...defined({ task }) }),
  },
  retry: {
    label: 'Retry',
    says: 'The task gets new attempts.',
    command: ({ task }) => ({ do: 'retry', ...defined({ task }) }),
  },
};

export function actsOf({ isRunning, state, pausing, isNewest }: Card): readonly FormKind[] {
  if (state === 'finished' || !isNewest) return [];
  if (!isRunning && state !== 'paused') return ['steer', 'budget'];
  return state === 'paused' || pausing ? ['steer', 'stop', 'budget'] : ['steer', 'pause', 'stop', 'budget'];
}

const taskActs: Readonly<Partial<Record<TaskView['standing'], readonly FormKind[]>>> = {
  open: ['steer', 'skip'],
  working: ['steer', 'skip'],
  failed: ['steer', 'retry', 'skip'],
  parked: ['steer', 'retry', 'skip'],
  skipped: ['steer', 'retry'],
};

export function actsOfTask(card: Card, { standing, isBeside }: TaskView): readonly FormKind[] {
  return actsOf(card).length === 0 || isBeside ? [] : (taskActs[standing] ?? []);
}

export function ActButtons({ kinds, ...form }: Omit<FormOf, 'kind'> & { kinds: readonly FormKind[] }) {
  if (!canAct.value) return null;
  return kinds.map((kind) => (
    <button
      type="button"
      key={kind}
      aria-pressed={isOpen({ ...form, kind })}
      onClick={() => toggleForm({ ...form, kind })}
    >
      {forms[kind].label}
    </button>
  ));
}

/** `id`: the run's. */
const lastReply = signal<(ServerReply & Readonly<{ id: string; command: string }>) | undefined>(undefined);

export async function put({ id, plan }: Card, command: ControlCommand): Promise<void> {
  const reply = { ...(await send(id, command)), id, command: commandLine(command, plan) };
  lastReply.value = reply;
  if (reply.ok) openForm.value = undefined;
}

/** Without an id of any run. */
export function LastReply({ id }: { id?: string }) {
  const reply = lastReply.value;
  if (!reply || reply.id !== (id ?? reply.id)) return null;
  return (
    <div class={`reply line ${reply.ok ? 'good' : 'bad'}`} role="status">
      <div class="stack grow">
        <p class="words">{reply.text ?? `Not done: ${reply.error}`}</p>
        {reply.hint === undefined ? null : <p class="dim">{reply.hint}</p>}
        <CommandLine label="The same as" text={reply.command} />
      </div>
      <button type="button" class="quiet" onClick={() => (lastReply.value = undefined)} aria-label="Close">
        ✕
      </button>
    </div>
  );
}

export function OpenForm({ card, at, task }: { card: Card; at: FormOf['at']; task?: string | undefined }) {
  const { value } = openForm;
  if (!value || value.id !== card.id || value.task !== task || value.at !== at) return null;
  return <Form key={`${value.kind} ${task}`} card={card} kind={value.kind} task={task} />;
}

function Form({ card, kind, task }: { card: Card; kind: FormKind; task: string | undefined }) {
  const [text, setText] = useState('');
  const [isNow, setNow] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { label, says, field, command: commandOf } = forms[kind];
  const command = commandOf({ text: text.trim(), isNow, ...defined({ task }) });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!command || isBusy) return;
    setBusy(true);
    await put(card, command);
    setBusy(false);
  };
  const title = `${label}${task === undefined ? '' : ` task ${task}`}`;
  const Field = kind === 'steer' ? 'textarea' : 'input';
  return (
    <form class="form box stack" onSubmit={(event) => void submit(event)}>
      <p>
        <strong>{title}</strong> <span class="dim">{says}</span>
      </p>
      {field === undefined ? null : (
        <Field
          autofocus
          aria-label={field}
          placeholder={field}
          value={text}
          onInput={({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
            setText(currentTarget.value)
          }
        />
      )}
      {kind === 'steer' || kind === 'pause' ? (
        <label class="line">
          <input
            type="checkbox"
            checked={isNow}
            onChange={({ currentTarget }) => setNow(currentTarget.checked)}
          />
          Now: interrupt the session
        </label>
      ) : null}
      {command ? <CommandLine label="Stands for" text={commandLine(command, card.plan)} /> : null}
      <div class="line">
        <button type="submit" class="primary" disabled={!command || isBusy}>
          {isBusy ? 'Asking …' : title}
        </button>
        <button type="button" onClick={() => (openForm.value = undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
