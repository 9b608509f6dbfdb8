// Opens a draft in the person's editor. The copy is beside the draft in the run folder, so that no edit is lost.

import type { DraftShown } from '../../place/person.ts';
import { readPlanFile } from '../../plan/file.ts';
import { diffLines } from '../../plan/line-diff.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { type CliContext, printNote } from '../context.ts';
import { openEditor } from '../editor.ts';

/** The text after the edit; undefined if nothing changed or the editor failed, which is reported. */
export async function editDraft(
  context: CliContext,
  { text, file }: DraftShown,
): Promise<string | undefined> {
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

export function formatEdit(before: string, after: string): string {
  const diff = diffLines(before, after).join('\n');
  return `I have changed the draft myself. These are the changed lines, - before and + after; take them over as they are, and make the rest fit:\n\n~~~~diff\n${diff}\n~~~~`;
}
