// Who answers the planner: a file of answers, `--yes`, a picker on a terminal, or plain lines.

import { fstatSync } from 'node:fs';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import type { Person } from '../../place/person.ts';
import { type Answers, answerOf } from '../../plan/answers.ts';
import type { Question } from '../../plan/question.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { type CliContext, printNote, printNoteLines } from '../context.ts';
import { diffOf, editDraft, showDraft } from './draft-choices.ts';
import { speakInLines } from './lines.ts';
import { pickAtTerminal } from './picker.ts';
import type { PlanOptions } from './plan-options.ts';

type Way = 'picker' | 'lines' | 'yes' | 'nobody';

/**
 * Decides who can be asked; throws a Failure if nobody can and nothing says what to do then. `takesStdin`: the request is
 * read from it.
 */
export function chooseWay(
  context: CliContext,
  options: Pick<PlanOptions, 'yes' | 'answers'>,
  { takesStdin }: Readonly<{ takesStdin: boolean }>,
): Way {
  if (options.yes) return 'yes';
  if (context.canAsk && !takesStdin && context.env['TERM'] !== 'dumb') return 'picker';
  if (!takesStdin && mayHoldLines(context)) return 'lines';
  if (options.answers !== undefined) return 'nobody';
  throw new Failure('usage', 'nobody can answer questions: stdin is not a terminal and contains no answers', {
    hint: [
      'Prepare answers with --answers answers.yaml, and add --yes to accept the draft;',
      'or use --yes alone to accept the recommendations; or run it at a terminal.',
    ].join('\n'),
  });
}

/** A terminal, a pipe or a file may; /dev/null never does. */
function mayHoldLines({ stdin }: CliContext): boolean {
  const { fd, isTTY } = stdin as { fd?: number; isTTY?: boolean };
  if (isTTY) return true;
  if (fd === undefined) return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}

/** The person, reached in that way; `open`: the last message of the dialogue that is continued. */
export function makePerson(
  context: CliContext,
  way: Way,
  given: Readonly<{
    screen: Terminal | undefined;
    options: PlanOptions;
    answers: Answers | undefined;
    open: DialogueFact | undefined;
    /** The repository is trusted, so a planner's commands that run its code need no confirmation. */
    trusted: boolean;
  }>,
): Person {
  const { screen, options, answers, open, trusted } = given;
  const asked = retelling(wayOf(context, way, screen), open, screen);
  const base = onlyTrying(askingOnce(asked), options.tryChecks !== false && (way !== 'yes' || trusted));
  return answers === undefined ? base : withAnswers({ answers, file: options.answers ?? '' }, base);
}

function wayOf(context: CliContext, way: Way, screen: Terminal | undefined): Person {
  switch (way) {
    case 'yes':
      return sayYes();
    case 'nobody':
      return nobody();
    case 'picker':
      return pickAtTerminal({ context, screen });
    case 'lines':
      return speakInLines({
        stdin: context.stdin,
        signal: context.signal,
        say: (text) => printNote(context, text),
        show: (shown) => printNoteLines(context, showDraft(context, shown)),
        diff: (shown) => printNoteLines(context, diffOf(shown)),
        edit: (shown) => editDraft(context, shown),
      });
  }
}

/** A question asked and announced by an earlier process of the run is announced once more. */
function retelling(person: Person, open: DialogueFact | undefined, screen: Terminal | undefined): Person {
  if (open?.type !== 'question-asked') return person;
  return {
    ...person,
    answer: (question) => {
      if (question.question === open.question) screen?.print(formatEvent(open, { verbose: false }));
      return person.answer(question);
    },
  };
}

/** An answer about commands holds as long as no others come. */
function askingOnce(person: Person): Person {
  const known = new Set<string>();
  let last: boolean | undefined;
  return {
    ...person,
    allowsChecks: async (commands) => {
      if (last !== undefined && commands.every((command) => known.has(command))) return last;
      const said = await person.allowsChecks(commands);
      if (typeof said === 'object') return said;
      if (last !== said) known.clear();
      for (const command of commands) known.add(command);
      last = said;
      return said;
    },
  };
}

/** With --no-try-checks, or without consent and a person to ask, none of them is run. */
function onlyTrying(person: Person, tryChecks: boolean): Person {
  return tryChecks ? person : { ...person, allowsChecks: async () => false };
}

/** Answers from a file first, then asks the person `behind`. */
export function withAnswers(
  { answers, file }: Readonly<{ answers: Answers; file: string }>,
  behind: Person,
): Person {
  return {
    ...behind,
    answer: async (asked) => {
      const { header, text: question, options } = asked;
      const known = { ...defined({ header }), question, options };
      const found = answerOf(answers, known as Question, file);
      if (!found) return behind.answer(asked);
      return { answer: found.answer, by: 'file', because: found.because };
    },
  };
}

/** Says yes to everything but a plan that cannot be run. */
export function sayYes(): Person {
  return {
    answer: async (question) => prefer(question),
    judge: async ({ draft, file }) =>
      draft.errors.length === 0
        ? { choice: 'accepted', by: 'default' }
        : {
            silence: `draft ${draft.draft} has mistakes that the planner does not fix`,
            hint: `Look at ${file}; at a terminal, \`pawl plan --resume\` continues.`,
          },
    allowsChecks: async () => true,
  };
}

function prefer({ options }: FactOf<'question-asked'>) {
  const recommended = options.find((option) => option.recommended);
  const option = recommended ?? options[0];
  if (!option)
    return {
      answer: 'Nobody is there to answer. Decide as you would recommend, and say so under the assumptions.',
      by: 'default' as const,
      because: 'it has no options',
    };
  const because = recommended ? 'it is recommended' : 'it comes first, and none is recommended';
  return { answer: option.label, by: 'default' as const, because };
}

export function nobody(): Person {
  const hint = [
    'Give answers with --answers answers.yaml, or take what is recommended with --yes,',
    'or continue at a terminal.',
  ].join('\n');
  return {
    answer: async ({ question, text }) => ({ silence: `question ${question} has no answer: ${text}`, hint }),
    judge: async ({ draft, file }) => ({
      silence: `draft ${draft.draft} waits for your decision: ${file}`,
      hint,
    }),
    allowsChecks: async () => false,
  };
}
