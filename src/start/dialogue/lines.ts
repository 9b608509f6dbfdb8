// A person behind plain lines: prints numbered choices and reads a line of stdin. For pipes and terminals without pickers.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FactOf } from '../../event.ts';
import type { DraftShown, Person, Silence } from '../../place/person.ts';
import { choicesFor, type DraftActions, editUses, formatOption, judgeBy } from './draft-choices.ts';

export type LinesWorld = Readonly<{
  stdin: Readable;
  signal: AbortSignal;
  say(text: string): void;
  /** Shows a whole draft. */
  show(shown: DraftShown): void;
  /** The changed lines since the draft before. */
  diff(shown: DraftShown): void;
  /** Lets the person edit a draft; undefined if nothing changed. */
  edit(shown: DraftShown): Promise<string | undefined>;
}>;

const ended: Silence = {
  silence: 'the input ended before the answer',
  hint: 'Answer at a terminal, or give --answers or --yes.',
};

type Ask = <T>(prompt: string, read: (line: string) => T | undefined) => Promise<T | Silence>;

export function speakInLines(world: LinesWorld): Person {
  const lines = readLines(world);
  /** The first valid answer; asks again until there is one. */
  const ask: Ask = async (prompt, read) => {
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
      for (const [at, option] of question.options.entries())
        world.say(`  ${at + 1}. ${formatOption(option)}`);
      const most = question.options.length;
      const prompt = most === 0 ? 'Your answer:' : `Your answer (1 to ${most}, or in your own words):`;
      const answer = await ask(prompt, (line) => readAnswer(line, question));
      return typeof answer === 'string' ? { answer, by: 'person' } : answer;
    },
    judge: async (shown) => {
      await toldBefore();
      world.show(shown);
      for (;;) {
        const choice = await ask(formatChoices(shown), (line) => findNamed(line, choicesFor(shown)));
        if (typeof choice === 'object') return choice;
        const judgement = await judgeBy(choice, shown, actionsOf(shown, world, ask));
        if (judgement) return judgement;
      }
    },
    allowsChecks: async (commands) => {
      await toldBefore();
      for (const command of commands) world.say(`  ${command}`);
      const prompt = 'Run the draft’s checks once, in a throw-away copy? (y/n)';
      return ask(prompt, (line) => (/^y/i.test(line) ? true : /^n/i.test(line) ? false : undefined));
    },
  };
}

/** Notices are flushed at the end of the event-loop turn, and must come before the question. */
function toldBefore(): Promise<void> {
  return setImmediate();
}

function readAnswer(line: string, { options }: FactOf<'question-asked'>): string | undefined {
  if (line === '') return undefined;
  const named = options.find(({ label }) => label.toLowerCase() === line.toLowerCase());
  const option = named ?? (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined);
  if (option) return option.label;
  // A number without an option is a slip, if there are options.
  return /^\d+$/.test(line) && options.length > 0 ? undefined : line;
}

function formatChoices(shown: DraftShown): string {
  const list = choicesFor(shown).map((choice, at) => `${at + 1} ${choice}`);
  return `Draft ${shown.draft.draft}: ${list.join(', ')}?`;
}

function actionsOf(shown: DraftShown, world: LinesWorld, ask: Ask): DraftActions {
  return {
    diff: () => world.diff(shown),
    comment: () => ask('Your comment:', (line) => (line === '' ? undefined : line)),
    edit: () => world.edit(shown),
    useOfEdit: () =>
      ask('Your edit: 1 take it as it is, 2 send it to the planner, 3 drop it?', (line) =>
        findNamed(line, editUses),
      ),
  };
}

function findNamed<N extends string>(line: string, names: readonly N[]): N | undefined {
  if (line === '') return undefined;
  return names[Number(line) - 1] ?? names.find((name) => name.startsWith(line.toLowerCase()));
}

/** Lines as they come; undefined at the end of input, and when the signal is aborted. */
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
