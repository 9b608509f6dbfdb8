// A person behind plain lines: numbered choices are printed, and what is meant is read as a line of stdin. For terminals
// without pickers, and for pipes.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../../event.ts';
import type { DraftShown, Person, PersonsJudgement, Silence } from '../../phase/planning/person.ts';
import { wordEdit } from './edit-draft.ts';
import { wordOption } from './show-draft.ts';

/** What it speaks through. */
export type LinesWorld = Readonly<{
  stdin: Readable;
  signal: AbortSignal;
  say(text: string): void;
  /** Shows a whole draft. */
  show(shown: DraftShown): void;
  /** The changed lines since the draft before. */
  diff(shown: DraftShown): void;
  /** Has a draft edited; undefined: nothing changed. */
  edit(shown: DraftShown): Promise<string | undefined>;
}>;

const ended: Silence = {
  silence: 'the input ended before the answer',
  hint: 'Answer at a terminal, or give --answers or --yes.',
};

/** A person who answers by lines. */
export function speakInLines(world: LinesWorld): Person {
  const lines = readLines(world);
  /** The first answer that is one; asked again until then. */
  const ask = async <T>(prompt: string, read: (line: string) => T | undefined): Promise<T | Silence> => {
    for (;;) {
      world.say(prompt);
      const line = await lines.next();
      if (line === undefined) return ended;
      const answer = read(line.trim());
      if (answer !== undefined) return answer;
    }
  };
  return {
    answer: async (question) => {
      await toldBefore();
      for (const [at, option] of question.options.entries()) world.say(`  ${at + 1}. ${wordOption(option)}`);
      const most = question.options.length;
      const prompt = most === 0 ? 'Your answer:' : `Your answer (1 to ${most}, or own words):`;
      const answer = await ask(prompt, (line) => readAnswer(line, question));
      return typeof answer === 'string' ? { answer, by: 'person' } : answer;
    },
    judge: async (shown) => {
      await toldBefore();
      world.show(shown);
      for (;;) {
        const choice = await ask(wordChoices(shown), (line) => findChoice(line, shown));
        if (typeof choice === 'object') return choice;
        const judgement = await judge(choice, shown, { world, ask });
        if (judgement) return judgement;
      }
    },
    allowsChecks: async (commands) => {
      await toldBefore();
      for (const command of commands) world.say(`  ${command}`);
      const prompt = 'Run these checks of the draft once, in a copy that is thrown away? (y/n)';
      return ask(prompt, (line) => (/^y/i.test(line) ? true : /^n/i.test(line) ? false : undefined));
    },
  };
}

/** What is told goes out at the end of the turn, and is read before what is asked. */
function toldBefore(): Promise<void> {
  return setImmediate();
}

/** An option by its words or number, or own words. */
function readAnswer(line: string, { options }: FactOf<'question-asked'>): string | undefined {
  if (line === '') return undefined;
  const named = options.find(({ label }) => label.toLowerCase() === line.toLowerCase());
  const option = named ?? (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined);
  if (option) return option.label;
  // A number that stands for none is a slip, where there are numbers to choose from.
  return /^\d+$/.test(line) && options.length > 0 ? undefined : line;
}

const choices = ['accept', 'comment', 'edit', 'diff', 'reject'] as const;
type Choice = (typeof choices)[number];

/** A plan that cannot be run is not accepted, and a first draft has no difference. */
function choicesFor({ draft, before }: DraftShown): readonly Choice[] {
  return choices.filter((choice) => {
    if (choice === 'accept') return draft.errors.length === 0;
    return choice !== 'diff' || before !== undefined;
  });
}

function wordChoices(shown: DraftShown): string {
  const list = choicesFor(shown).map((choice, at) => `${at + 1} ${choice}`);
  return `Draft ${shown.draft.draft}: ${list.join(', ')}?`;
}

function findChoice(line: string, shown: DraftShown): Choice | undefined {
  const offered = choicesFor(shown);
  if (line === '') return undefined;
  return offered[Number(line) - 1] ?? offered.find((choice) => choice.startsWith(line.toLowerCase()));
}

type Asking = Readonly<{
  world: LinesWorld;
  ask: <T>(prompt: string, read: (line: string) => T | undefined) => Promise<T | Silence>;
}>;

/** Undefined: it is judged once more. */
async function judge(
  choice: Choice,
  shown: DraftShown,
  { world, ask }: Asking,
): Promise<PersonsJudgement | Silence | undefined> {
  switch (choice) {
    case 'accept':
      return { choice: 'accepted', by: 'person' };
    case 'reject':
      return { choice: 'rejected', by: 'person' };
    case 'diff':
      world.diff(shown);
      return undefined;
    case 'comment': {
      const text = await ask('Your comment:', (line) => (line === '' ? undefined : line));
      return typeof text === 'string' ? { choice: 'commented', by: 'person', text } : text;
    }
    case 'edit': {
      const text = await world.edit(shown);
      return text === undefined ? undefined : useEdit(text, shown, ask);
    }
  }
}

async function useEdit(
  text: string,
  shown: DraftShown,
  ask: Asking['ask'],
): Promise<PersonsJudgement | Silence | undefined> {
  const uses = ['take', 'send', 'drop'] as const;
  const use = await ask('Your edit: 1 take it as it is, 2 send it to the planner, 3 drop it?', (line) =>
    line === ''
      ? undefined
      : (uses[Number(line) - 1] ?? uses.find((one) => one.startsWith(line.toLowerCase()))),
  );
  if (typeof use === 'object') return use;
  if (use === 'take') return { choice: 'edited', by: 'person', text };
  return use === 'send' ? { choice: 'commented', by: 'person', text: wordEdit(shown.text, text) } : undefined;
}

/** Lines as they come; undefined at the end of input, and when the signal comes. */
function readLines({ stdin, signal }: LinesWorld): Readonly<{ next(): Promise<string | undefined> }> {
  let lines: AsyncIterator<string> | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return {
    next: async () => {
      lines ??= createInterface({ input: stdin, terminal: false })[Symbol.asyncIterator]();
      const next = lines.next().then(({ value, done }) => (done ? undefined : (value as string)));
      return Promise.race([next, aborted]);
    },
  };
}
