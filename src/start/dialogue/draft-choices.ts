// What a person may do with a draft and what each choice leads to, for pickers and plain lines alike.
import type { DraftShown, PersonsJudgement, Silence } from '../../place/person.ts';
import { formatEdit } from './edit-draft.ts';

const choices = ['accept', 'comment', 'edit', 'diff', 'reject'] as const;

/** One thing to do with a draft; `diff` only shows it. */
export type Choice = (typeof choices)[number];

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
export function choicesFor({ draft, before }: DraftShown): readonly Choice[] {
  return choices.filter((choice) => {
    if (choice === 'accept') return draft.errors.length === 0;
    return choice !== 'diff' || before !== undefined;
  });
}

/** The judgement that a choice leads to; undefined: the draft is judged again. */
export async function judgeBy(
  choice: Choice,
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
