// A person behind lines, at a terminal or in a pipe.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FactOf } from '../../event.ts';
import type { DialogueFact } from '../../journal/state.ts';
import type { DraftShown, Person, PersonsJudgement, Silence } from '../../place/run.ts';
import { readPlanFile } from '../../plan/file.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import { formatDraft } from '../../report/events/format-session.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { afterNotices } from '../confirm.ts';
import { type CliContext, printNote, printNoteLines } from '../context.ts';

const ended: Silence = {
  silence: 'the input ended before the answer',
  hint: '`pawl plan --resume` continues, at a terminal or with --yes.',
};

/** `open`: what an earlier process left unanswered. */
type Seat = Readonly<{ screen: Terminal | undefined; open: DialogueFact | undefined }>;

export function personAt(context: CliContext, { screen, open }: Seat): Person {
  const ask = askerIn(context);
  // The status line stays off the screen as long as lines are written and read without it.
  const still =
    <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await afterNotices();
      screen?.still(true);
      try {
        return await act(...args);
      } finally {
        screen?.still(false);
      }
    };
  return {
    answer: still(async (question) => {
      if (open?.state === 'asked' && open.question === question.question)
        screen?.print(formatEvent(open, { verbose: false }));
      return answerBy(ask, context, question);
    }),
    judge: still(async (shown) => {
      printNoteLines(context, formatDraft(shown));
      for (;;) {
        const judgement = await judgeBy(ask, context, shown);
        if (judgement) return judgement;
      }
    }),
    allowsChecks: askingOnce(
      still(async (commands) => {
        for (const command of commands) printNote(context, `  ${command}`);
        const prompt = 'Run the draft’s checks once, in a throw-away copy? (y/n)';
        return ask(prompt, (line) => (/^y/i.test(line) ? true : /^n/i.test(line) ? false : undefined));
      }),
    ),
  };
}

/** Asks until an answer is valid, or the input ends. */
type Ask = <T>(prompt: string, read: (line: string) => T | undefined) => Promise<T | Silence>;

function askerIn(context: CliContext): Ask {
  const { stdin: input, signal } = context;
  let lines: AsyncIterator<string> | undefined;
  return async (prompt, read) => {
    for (;;) {
      printNote(context, prompt);
      lines ??= createInterface({ input, signal, terminal: false })[Symbol.asyncIterator]();
      const { value, done } = await lines.next();
      if (done) return ended;
      const answer = read(value.trim());
      if (answer !== undefined) return answer;
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
  context: CliContext,
  question: FactOf<'dialogue-asked'>,
): ReturnType<Person['answer']> {
  for (const [at, { label, why, recommended }] of question.options.entries()) {
    const more = why === undefined ? '' : `: ${why}`;
    printNote(context, `  ${at + 1}. ${label}${recommended ? ' (recommended)' : ''}${more}`);
  }
  const most = question.options.length;
  const prompt = most === 0 ? 'Your answer:' : `Your answer (1 to ${most}, or in your own words):`;
  const answer = await ask(prompt, (line) => readAnswer(line, question));
  return typeof answer === 'string' ? { answer, by: 'person' } : answer;
}

/** Undefined: an edit changed nothing. */
async function judgeBy(
  ask: Ask,
  context: CliContext,
  shown: DraftShown,
): Promise<PersonsJudgement | Silence | undefined> {
  // A plan that cannot be run cannot be accepted.
  const accept = shown.draft.errors.length === 0 ? (['accept'] as const) : [];
  const choices = [...accept, 'comment', 'edit', 'reject'] as const;
  const list = choices.map((choice, at) => `${at + 1} ${choice}`).join(', ');
  const choice = await ask(`Draft ${shown.draft.draft}: ${list}?`, (line) => findNamed(line, choices));
  if (typeof choice === 'object') return choice;
  if (choice === 'accept') return { choice: 'accepted', by: 'person' };
  if (choice === 'reject') return { choice: 'rejected', by: 'person' };
  if (choice === 'edit') {
    // The editor reads the terminal.
    context.stdin.pause();
    const text = await editDraft(context, shown).finally(() => context.stdin.resume());
    return text === undefined ? undefined : { choice: 'edited', by: 'person', text };
  }
  const text = await ask('Your comment:', (line) => line || undefined);
  return typeof text === 'object' ? text : { choice: 'commented', by: 'person', text };
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

/** Undefined if nothing changed or the editor failed, which is reported. */
async function editDraft(context: CliContext, { text, file }: DraftShown): Promise<string | undefined> {
  const copy = file.replace(/\.md$/, '.copy.md');
  writeFileAtomic(copy, text, 0o600);
  const problem = await openEditor(context, copy);
  if (problem !== undefined) {
    printNote(context, `${problem}; the draft is unchanged`);
    return undefined;
  }
  const edited = readPlanFile(copy);
  if (edited !== text) return edited;
  printNote(context, 'Nothing changed.');
  return undefined;
}

/** Waits until the person is done, in $VISUAL, $EDITOR or vi; returns why it did not work. */
async function openEditor({ env, cwd, canAsk }: CliContext, file: string): Promise<string | undefined> {
  const named = env['VISUAL'] || env['EDITOR'];
  if (!named && !canAsk) return 'there is no terminal to edit in and $EDITOR is not set';
  const editor = named || 'vi';
  // The shell splits words (`code --wait`). The editor must stay in our process group to have the terminal.
  const words = ['-c', `${editor} "$1"`, 'editor', file];
  const child = spawn('/bin/sh', words, { cwd, env: { ...env }, stdio: 'inherit' });
  const ended = await once(child, 'exit').catch((error: Error) => error);
  if (ended instanceof Error) return ended.message;
  const [code] = ended;
  if (code === 0) return undefined;
  return `the editor “${editor}” ended with ${code === null ? 'a signal' : `exit ${code}`}`;
}
