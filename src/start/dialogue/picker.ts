// A person at a terminal: picks options with the arrow keys, types free text, judges drafts.
import { setImmediate } from 'node:timers/promises';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { DraftShown, Person, Silence } from '../../place/person.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { line } from '../../report/text/line.ts';
import type { CliContext } from '../context.ts';
import {
  choicesFor,
  type DraftActions,
  type DraftChoice,
  diffOf,
  type EditUse,
  editDraft,
  editUses,
  formatOption,
  judgeBy,
  showDraft,
} from './draft-choices.ts';

export type PickerWorld = Readonly<{ context: CliContext; screen: Terminal | undefined }>;

type Clack = typeof import('@clack/prompts');

type Cancel = Extract<Awaited<ReturnType<Clack['text']>>, symbol>;

export function pickAtTerminal(world: PickerWorld): Person {
  return {
    answer: async (question) => {
      const answer = await pickAnswer(world, question);
      return answer === undefined ? left : { answer, by: 'person' };
    },
    judge: async (shown) => {
      world.screen?.print(showDraft(world.context, shown));
      for (;;) {
        const items = itemsOf(choicesFor(shown), choiceItems);
        const choice = await pick(world, `Draft ${shown.draft.draft}`, items);
        if (choice === undefined) return left;
        const judgement = await judgeBy(choice, shown, actionsOf(world, shown));
        if (judgement) return judgement;
      }
    },
    allowsChecks: async (commands) => {
      const { screen } = world;
      screen?.print([line('plain', 'Checks of the draft:'), ...commands.map((one) => line('plain', one, 1))]);
      const chosen = await prompt(world, (clack, ends) =>
        clack.confirm({
          ...ends,
          message: 'Run them once, in a throw-away copy, to see that they fail before the work?',
        }),
      );
      return chosen ?? left;
    },
  };
}

const left: Silence = { silence: 'it was left unanswered' };

/** Undefined if it was cancelled. */
async function pickAnswer(
  world: PickerWorld,
  { options }: FactOf<'question-asked'>,
): Promise<string | undefined> {
  if (options.length > 0) {
    const chosen = await pick(
      world,
      'Your answer',
      [
        ...options.map(({ label, why, recommended }, at) => ({
          value: at,
          label: formatOption({ label, why, recommended }),
        })),
        { value: ownWords, label: 'In my own words' },
      ],
      options.findIndex(({ recommended }) => recommended),
    );
    if (chosen === undefined || chosen !== ownWords)
      return chosen === undefined ? undefined : options[chosen]?.label;
  }
  return type(world, 'Your own words');
}

const ownWords = -1;

const choiceItems: Readonly<Record<DraftChoice, Omit<Item<DraftChoice>, 'value'>>> = {
  accept: { label: 'Accept', hint: 'the plan is written' },
  comment: { label: 'Comment', hint: 'the planner drafts again' },
  edit: { label: 'Edit', hint: 'in $EDITOR' },
  diff: { label: 'Difference', hint: 'to the draft before' },
  reject: { label: 'Reject', hint: 'it is kept; pawl plan --resume continues' },
};

const useItems: Readonly<Record<EditUse, Omit<Item<EditUse>, 'value'>>> = {
  take: { label: 'Take it as it is' },
  send: { label: 'Send it to the planner', hint: 'as a comment to work in' },
  drop: { label: 'Drop it' },
};

function actionsOf(world: PickerWorld, shown: DraftShown): DraftActions {
  const { context, screen } = world;
  return {
    diff: () => screen?.print(diffOf(shown)),
    comment: () => type(world, 'Your comment'),
    edit: () => {
      screen?.still(true);
      return editDraft(context, shown).finally(() => screen?.still(false));
    },
    useOfEdit: () => pick(world, 'Your edit', itemsOf(editUses, useItems)),
  };
}

function itemsOf<V extends string>(
  values: readonly V[],
  named: Readonly<Record<V, Omit<Item<V>, 'value'>>>,
): readonly Item<V>[] {
  return values.map((value) => ({ value, ...named[value] }));
}

type Item<V> = Readonly<{ value: V; label: string; hint?: string }>;

function pick<V extends string | number>(
  world: PickerWorld,
  message: string,
  items: readonly Item<V>[],
  preferred = -1,
): Promise<V | undefined> {
  const initial = items[preferred];
  return prompt(world, (clack, ends) =>
    clack.select<V>({
      ...ends,
      message,
      options: items.map((item) => ({ ...item })) as never,
      ...defined({ initialValue: initial?.value }),
    }),
  );
}

function type(world: PickerWorld, message: string): Promise<string | undefined> {
  return prompt(world, (clack, ends) =>
    clack.text({
      ...ends,
      message,
      validate: (text) => ((text ?? '').trim() === '' ? 'Say something, or leave with Ctrl-C.' : undefined),
    }),
  );
}

type Ends = Readonly<{ input: CliContext['stdin']; output: CliContext['stderr']; signal: AbortSignal }>;

/** Asks with the status line hidden; undefined if cancelled. Ctrl-C then means what it means elsewhere. */
async function prompt<V>(
  { context, screen }: PickerWorld,
  ask: (clack: Clack, ends: Ends) => Promise<V | Cancel>,
): Promise<V | undefined> {
  const clack = await import('@clack/prompts');
  const { stdin: input, stderr: output, signal } = context;
  screen?.still(true);
  // Notices are flushed at the end of the event-loop turn, and must come before the question.
  await setImmediate();
  try {
    const answer = await ask(clack, { input, output, signal });
    if (!clack.isCancel(answer)) return answer as V;
    if (!signal.aborted) context.interrupt();
    return undefined;
  } finally {
    screen?.still(false);
  }
}
