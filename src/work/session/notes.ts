// A person's notes: which ones a session gets, and what its task was told before. Pure; a fact records each delivery.
import type { Note, RunState } from '../../journal/state.ts';

export type NotesFor = Readonly<{
  /** Not delivered yet, and meant for this task or for whichever comes next. */
  fresh: readonly Note[];
  /** Delivered to earlier sessions of the task, whose conversations a new one does not know. */
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
