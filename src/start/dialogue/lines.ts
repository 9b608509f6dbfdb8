// A person behind lines, at a terminal or in a pipe.
import { createInterface } from 'node:readline';
import type { FactOf } from '../../event.ts';
import type { DraftShown, Person, PersonsJudgement, Silence } from '../../place/run.ts';
import { afterNotices } from '../confirm.ts';

export type LinesWorld = Readonly<{
  stdin: NodeJS.ReadableStream;
  signal: AbortSignal;
  say(text: string): void;
  /** Keeps the status line off the screen while the person types. */
  still(isStill: boolean): void;
  retell(question: FactOf<'dialogue-asked'>): void;
  show(shown: DraftShown): void;
  /** Undefined if nothing changed. */
  edit(shown: DraftShown): Promise<string | undefined>;
}>;

const ended: Silence = {
  silence: 'the input ended before the answer',
  hint: '`pawl plan --resume` continues, at a terminal or with --yes.',
};

export function speakInLines(world: LinesWorld): Person {
  const ask = askerIn(world);
  return {
    answer: (question) => answerBy(ask, world, question),
    judge: async (shown) => {
      await afterNotices();
      world.show(shown);
      for (;;) {
        const judgement = await judgeBy(ask, world, shown);
        if (judgement) return judgement;
      }
    },
    allowsChecks: askingOnce(async (commands) => {
      await afterNotices();
      for (const command of commands) world.say(`  ${command}`);
      const prompt = 'Run the draft’s checks once, in a throw-away copy? (y/n)';
      return ask(prompt, (line) => (/^y/i.test(line) ? true : /^n/i.test(line) ? false : undefined));
    }),
  };
}

/** Asks until an answer is valid, or the input ends. */
type Ask = <T>(prompt: string, read: (line: string) => T | undefined) => Promise<T | Silence>;

function askerIn({ stdin: input, signal, say, still }: LinesWorld): Ask {
  let lines: AsyncIterator<string> | undefined;
  return async (prompt, read) => {
    still(true);
    try {
      for (;;) {
        say(prompt);
        lines ??= createInterface({ input, signal, terminal: false })[Symbol.asyncIterator]();
        const { value, done } = await lines.next();
        if (done) return ended;
        const answer = read(value.trim());
        if (answer !== undefined) return answer;
      }
    } finally {
      still(false);
    }
  };
}

/** An answer holds until other commands come. */
function askingOnce(ask: Person['allowsChecks']): Person['allowsChecks'] {
  const known = new Set<string>();
  let last: boolean | undefined;
  return async (commands) => {
    if (last !== undefined && commands.every((command) => known.has(command))) return last;
    const said = await ask(commands);
    if (typeof said === 'object') return said;
    for (const command of commands) known.add(command);
    last = said;
    return said;
  };
}

async function answerBy(
  ask: Ask,
  world: LinesWorld,
  question: FactOf<'dialogue-asked'>,
): ReturnType<Person['answer']> {
  await afterNotices();
  world.retell(question);
  for (const [at, option] of question.options.entries()) world.say(`  ${at + 1}. ${formatOption(option)}`);
  const most = question.options.length;
  const prompt = most === 0 ? 'Your answer:' : `Your answer (1 to ${most}, or in your own words):`;
  const answer = await ask(prompt, (line) => readAnswer(line, question));
  return typeof answer === 'string' ? { answer, by: 'person' } : answer;
}

/** Undefined: an edit changed nothing. */
async function judgeBy(
  ask: Ask,
  { stdin, edit }: LinesWorld,
  shown: DraftShown,
): Promise<PersonsJudgement | Silence | undefined> {
  const choices = choicesFor(shown);
  const list = choices.map((choice, at) => `${at + 1} ${choice}`).join(', ');
  const choice = await ask(`Draft ${shown.draft.draft}: ${list}?`, (line) => findNamed(line, choices));
  if (typeof choice === 'object') return choice;
  if (choice === 'accept') return { choice: 'accepted', by: 'person' };
  if (choice === 'reject') return { choice: 'rejected', by: 'person' };
  if (choice === 'edit') {
    // The editor reads the terminal.
    stdin.pause();
    const text = await edit(shown).finally(() => stdin.resume());
    return text === undefined ? undefined : { choice: 'edited', by: 'person', text };
  }
  const text = await ask('Your comment:', (line) => line || undefined);
  return typeof text === 'object' ? text : { choice: 'commented', by: 'person', text };
}

/** A plan that cannot be run cannot be accepted. */
function choicesFor({ draft }: DraftShown): readonly ('accept' | 'comment' | 'edit' | 'reject')[] {
  return draft.errors.length > 0 ? ['comment', 'edit', 'reject'] : ['accept', 'comment', 'edit', 'reject'];
}

function formatOption({ label, why, recommended }: FactOf<'dialogue-asked'>['options'][number]): string {
  return `${label}${recommended ? ' (recommended)' : ''}${why === undefined ? '' : `: ${why}`}`;
}

function readAnswer(line: string, { options }: FactOf<'dialogue-asked'>): string | undefined {
  if (line === '') return undefined;
  const named = options.find(({ label }) => label.toLowerCase() === line.toLowerCase());
  const option = named ?? (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined);
  if (option) return option.label;
  // With options, a number without one is a slip.
  return /^\d+$/.test(line) && options.length > 0 ? undefined : line;
}

function findNamed<N extends string>(line: string, names: readonly N[]): N | undefined {
  if (line === '') return undefined;
  return names[Number(line) - 1] ?? names.find((name) => name.startsWith(line.toLowerCase()));
}
