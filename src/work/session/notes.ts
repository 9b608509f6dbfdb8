// Which of a person's notes a session gets. Pure; a fact records each delivery.

import type { RunState } from '../../journal/state.ts';
import type { Note } from '../../journal/state-parts.ts';

export type NotesFor = Readonly<{
  /** Not delivered yet: for this task, or whichever comes next. */
  fresh: readonly Note[];
  /** Delivered to earlier sessions: a new conversation does not know them. */
  earlier: readonly Note[];
}>;

export function notesFor({ notes, sessions }: RunState, task: string): NotesFor {
  return {
    fresh: notes.filter((note) => note.session === undefined && (note.task ?? task) === task),
    earlier: notes.filter(
      ({ session }) => session !== undefined && sessions.get(session)?.started.task === task,
    ),
  };
}

export function formatNotes({ fresh, earlier }: NotesFor): readonly string[] {
  return [
    ...earlier.map(
      ({ text }) => `Said to an earlier session of this task, which may have acted on it:\n${text}`,
    ),
    ...fresh.map(({ text }) => text),
  ];
}
