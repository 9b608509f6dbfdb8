// A person at a terminal: options are picked with the arrow keys, own words are typed, drafts are judged. It asks; what
// follows is the dialogue's business.
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../../event.ts';
import type { DraftShown, Person, PersonsJudgement, Silence } from '../../phase/planning/person.ts';
import { line } from '../../report/line.ts';
import type { Terminal } from '../../report/terminal.ts';
import type { CliContext } from '../context.ts';
import { editDraft, wordEdit } from './edit-draft.ts';
import { diffOf, showDraft, wordOption } from './show-draft.ts';

/** What it shows itself on. */
export type PickerWorld = Readonly<{ context: CliContext; reporter: Terminal }>;

type Clack = typeof import('@clack/prompts');

/** What clack says when a prompt was left. */
type Cancel = Extract<Awaited<ReturnType<Clack['text']>>, symbol>;

/** The person at this terminal. */
export function pickAtTerminal(world: PickerWorld): Person {
  return {
    answer: async (question) => {
      const answer = await pickAnswer(world, question);
      return answer === undefined ? left : { answer, by: 'person' };
    },
    judge: async (shown) => {
      world.reporter.print(showDraft(world.context, shown));
      for (;;) {
        const choice = await pick(world, `Draft ${shown.draft.draft}`, choicesFor(shown));
        if (choice === undefined) return left;
        const judgement = await judge(world, shown, choice);
        if (judgement) return judgement;
      }
    },
    allowsChecks: async (commands) => {
      const { reporter } = world;
      reporter.print([
        line('plain', 'Checks of the draft:'),
        ...commands.map((one) => line('plain', one, 1)),
      ]);
      const chosen = await prompt(world, (clack, ends) =>
        clack.confirm({
          ...ends,
          message: 'Run them once, in a copy that is thrown away, to see that they fail before the work?',
        }),
      );
      return chosen ?? left;
    },
  };
}

const left: Silence = { silence: 'it was left unanswered' };

/** Undefined: it was left. */
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
          label: wordOption({ label, why, recommended }),
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

type Choice = 'accept' | 'comment' | 'edit' | 'diff' | 'reject';

function choicesFor({
  draft,
  before,
}: DraftShown): readonly Readonly<{ value: Choice; label: string; hint?: string }>[] {
  return [
    ...(draft.errors.length > 0
      ? []
      : [{ value: 'accept' as const, label: 'Accept', hint: 'the plan is written' }]),
    { value: 'comment', label: 'Comment', hint: 'the planner drafts anew' },
    { value: 'edit', label: 'Edit', hint: 'in $EDITOR' },
    ...(before === undefined
      ? []
      : [{ value: 'diff' as const, label: 'Difference', hint: 'to the draft before' }]),
    { value: 'reject', label: 'Reject', hint: 'it is kept; pawl plan --resume goes on' },
  ];
}

/** Undefined: it is judged once more. */
async function judge(
  world: PickerWorld,
  shown: DraftShown,
  choice: Choice,
): Promise<PersonsJudgement | undefined> {
  switch (choice) {
    case 'accept':
      return { choice: 'accepted', by: 'person' };
    case 'reject':
      return { choice: 'rejected', by: 'person' };
    case 'diff':
      world.reporter.print(diffOf(shown));
      return undefined;
    case 'comment': {
      const text = await type(world, 'Your comment');
      return text === undefined ? undefined : { choice: 'commented', by: 'person', text };
    }
    case 'edit':
      return edit(world, shown);
  }
}

async function edit(world: PickerWorld, shown: DraftShown): Promise<PersonsJudgement | undefined> {
  world.reporter.still(true);
  const text = await editDraft(world.context, shown).finally(() => world.reporter.still(false));
  if (text === undefined) return undefined;
  const use = await pick(world, 'Your edit', [
    { value: 'take', label: 'Take it as it is' },
    { value: 'tell', label: 'Send it to the planner', hint: 'as a comment, to be worked in' },
    { value: 'drop', label: 'Drop it' },
  ]);
  if (use === 'take') return { choice: 'edited', by: 'person', text };
  return use === 'tell' ? { choice: 'commented', by: 'person', text: wordEdit(shown.text, text) } : undefined;
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
      ...(initial === undefined ? {} : { initialValue: initial.value }),
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

/** Asks with the status line off the screen; undefined when it was left. Ctrl-C then means what it means elsewhere. */
async function prompt<V>(
  { context, reporter }: PickerWorld,
  ask: (clack: Clack, ends: Ends) => Promise<V | Cancel>,
): Promise<V | undefined> {
  const clack = await import('@clack/prompts');
  const { stdin: input, stderr: output, signal } = context;
  reporter.still(true);
  // What is told goes out at the end of the turn, and is read before the question.
  await setImmediate();
  try {
    const answer = await ask(clack, { input, output, signal });
    if (!clack.isCancel(answer)) return answer as V;
    if (!signal.aborted) context.interrupt();
    return undefined;
  } finally {
    reporter.still(false);
  }
}
