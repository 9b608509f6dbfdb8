// Who answers the planner: a person who types lines, or with `--yes` nobody.
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { DialogueFact } from '../../journal/state-parts.ts';
import type { DraftShown, Person } from '../../place/run.ts';
import { readPlanFile } from '../../plan/file.ts';
import { formatDraft } from '../../report/events/format-dialogue.ts';
import { formatEvent } from '../../report/events/format-event.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { type CliContext, printNote, printNoteLines } from '../context.ts';
import { speakInLines } from './lines.ts';

/** Throws a Failure if nobody can answer. `takesStdin`: the request is read from it. */
export function refuseNobody({ stdin }: CliContext, takesStdin: boolean): void {
  const { fd, isTTY } = stdin as { fd?: number; isTTY?: boolean };
  if (!takesStdin && (isTTY || (fd !== undefined && mayHoldLines(fd)))) return;
  throw new Failure('usage', 'nobody can answer questions: stdin is not a terminal and contains no answers', {
    hint: 'Add --yes to take what is recommended, or run it at a terminal.',
  });
}

/** /dev/null never does. */
function mayHoldLines(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}

/** `trusted`: commands, which run the repository's code, need no confirmation. */
export function sayYes(trusted: boolean): Person {
  return {
    answer: async (question) => prefer(question),
    judge: async ({ draft, file }) =>
      draft.errors.length === 0
        ? { choice: 'accepted', by: 'default' }
        : {
            silence: `draft ${draft.draft} has mistakes that the planner does not fix`,
            hint: `Look at ${file}; at a terminal, \`pawl plan --resume\` continues.`,
          },
    allowsChecks: async () => trusted,
  };
}

function prefer({ options }: FactOf<'dialogue-asked'>) {
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

type Seat = Readonly<{ screen: Terminal | undefined; open: DialogueFact | undefined }>;

export function personAt(context: CliContext, { screen, open }: Seat): Person {
  return speakInLines({
    stdin: context.stdin,
    signal: context.signal,
    still: (isStill) => screen?.still(isStill),
    say: (text) => printNote(context, text),
    // A question that an earlier process announced is announced again.
    retell: (question) => {
      if (open?.state === 'asked' && open.question === question.question)
        screen?.print(formatEvent(open, { verbose: false }));
    },
    show: (shown) => printNoteLines(context, formatDraft(shown)),
    edit: (shown) => editDraft(context, shown),
  });
}

/** Undefined if nothing changed or the editor failed, which is reported. */
async function editDraft(context: CliContext, { text, file }: DraftShown): Promise<string | undefined> {
  const copy = file.replace(/\.md$/, '.copy.md');
  writeFileAtomic(copy, text, 0o600);
  try {
    await openEditor(context, copy);
  } catch (error) {
    printNote(context, `${(error as Error).message}; the draft is unchanged`);
    return undefined;
  }
  const edited = readPlanFile(copy).text;
  if (edited !== text) return edited;
  printNote(context, 'Nothing changed.');
  return undefined;
}

/**
 * Waits until the person is done, in $VISUAL, $EDITOR or vi; throws Failure('environment') if the editor
 * fails.
 */
async function openEditor(context: CliContext, file: string): Promise<void> {
  const named = context.env['VISUAL'] || context.env['EDITOR'];
  if (!named && !context.canAsk) {
    throw new Failure('usage', 'there is no terminal to edit in and $EDITOR is not set', {
      hint: 'Edit the file yourself while no run of it is active, or set EDITOR to a program that does it.',
    });
  }
  const editor = named || 'vi';
  // The shell splits words (`code --wait`). The editor must stay in our process group to have the terminal.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'editor', file], {
    cwd: context.cwd,
    env: { ...context.env },
    stdio: 'inherit',
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code === 0) return;
  throw new Failure(
    'environment',
    `the editor “${editor}” ended with ${code === null ? 'a signal' : `exit ${code}`}`,
    { hint: `Nothing was applied. If the editor saved what you wrote, it is in ${file}` },
  );
}
