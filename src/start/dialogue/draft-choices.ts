// What a person may do with a draft and what each choice leads to, for pickers and plain lines alike.

import { defined } from '../../defined.ts';
import { estimateTasks } from '../../journal/estimate.ts';
import type { DraftShown, PersonsJudgement, Silence } from '../../place/person.ts';
import { readPlanFile } from '../../plan/file.ts';
import { diffLines } from '../../plan/line-diff.ts';
import { formatDiff, formatDraft } from '../../report/events/format-draft.ts';
import { formatEstimate } from '../../report/stats/format-estimate.ts';
import type { Line } from '../../report/text/line.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { type CliContext, printNote } from '../context.ts';
import { openEditor } from '../editor.ts';
import { needPlace } from '../find-run.ts';
import { readHistory } from '../read-history.ts';

const choices = ['accept', 'comment', 'edit', 'diff', 'reject'] as const;

/** One thing to do with a draft; `diff` only shows it. */
export type DraftChoice = (typeof choices)[number];

/** What may become of a person's own edit: it is the plan, the planner works it in, or nothing. */
export const editUses = ['take', 'send', 'drop'] as const;
export type EditUse = (typeof editUses)[number];

/** How to ask a person for details. Undefined: nothing came of it, and the draft is judged again. */
export type DraftActions = Readonly<{
  diff(): void;
  comment(): Promise<string | Silence | undefined>;
  /** The text after the edit. */
  edit(): Promise<string | undefined>;
  useOfEdit(): Promise<EditUse | Silence | undefined>;
}>;

/** A plan that cannot be run cannot be accepted, and a first draft has no diff. */
export function choicesFor({ draft, before }: DraftShown): readonly DraftChoice[] {
  return choices.filter((choice) => {
    if (choice === 'accept') return draft.errors.length === 0;
    return choice !== 'diff' || before !== undefined;
  });
}

/** The judgement that a choice leads to; undefined: the draft is judged again. */
export async function judgeBy(
  choice: DraftChoice,
  shown: DraftShown,
  actions: DraftActions,
): Promise<PersonsJudgement | Silence | undefined> {
  switch (choice) {
    case 'accept':
      return { choice: 'accepted', by: 'person' };
    case 'reject':
      return { choice: 'rejected', by: 'person' };
    case 'diff':
      actions.diff();
      return undefined;
    case 'comment': {
      const text = await actions.comment();
      return typeof text === 'string' ? { choice: 'commented', by: 'person', text } : text;
    }
    case 'edit': {
      const text = await actions.edit();
      return text === undefined ? undefined : judgeEdit(text, shown, actions);
    }
  }
}

async function judgeEdit(
  text: string,
  shown: DraftShown,
  actions: DraftActions,
): Promise<PersonsJudgement | Silence | undefined> {
  const use = await actions.useOfEdit();
  if (typeof use === 'object') return use;
  if (use === 'take') return { choice: 'edited', by: 'person', text };
  return use === 'send'
    ? { choice: 'commented', by: 'person', text: formatEdit(shown.text, text) }
    : undefined;
}

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

function formatEdit(before: string, after: string): string {
  const diff = diffLines(before, after).join('\n');
  return `I have changed the draft myself. These are the changed lines, - before and + after; take them over as they are, and make the rest fit:\n\n~~~~diff\n${diff}\n~~~~`;
}

/** The whole draft, how long it may take judging by this repository's earlier runs, and the notes on it. */
export function showDraft(context: CliContext, { draft, text, tried }: DraftShown): readonly Line[] {
  const estimate = estimateTasks(draft.tasks, readHistory(needPlace(context).commonDir));
  const expected = estimate && formatEstimate(estimate);
  return formatDraft({
    draft,
    text,
    ...defined({ tried, expected }),
  });
}

/** The changed lines since the draft before. */
export function diffOf({ before = '', text }: DraftShown): readonly Line[] {
  return formatDiff(diffLines(before, text));
}

export function formatOption({ label, why, recommended }: WordedOption): string {
  return `${label}${recommended ? ' (recommended)' : ''}${why === undefined ? '' : `: ${why}`}`;
}

type WordedOption = Readonly<{ label: string; why?: string | undefined; recommended: boolean }>;
