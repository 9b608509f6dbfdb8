// Folds a person's commands: pauses and notes.
import type { Fact, Stamped } from '../event.ts';
import { type Draft, endWait, spanMs } from './fold-run.ts';

/** Updates what people have asked of the run by one more fact. */
export function foldControl(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'pause-asked':
      draft.pause = { ...draft.pause, now: fact.now };
      return;
    case 'paused':
      draft.pause = { now: draft.pause?.now ?? false, since: fact.at };
      return;
    case 'continued':
      endRest(draft, fact.at);
      delete draft.pause;
      endWait(draft, fact.at);
      return;
    case 'stop-asked':
      draft.stopAsked = true;
      return;
    case 'run-ended':
      endRest(draft, fact.at);
      return;
    case 'run-resumed':
      draft.stopAsked = false;
      // When a person starts the run again, that means go on; after a crash anything may have started it.
      if (fact.after === 'stop') delete draft.pause;
      return;
    case 'note-left': {
      const { type: _, ...note } = fact;
      draft.notes = [...draft.notes, note];
      return;
    }
    case 'session-started':
      deliver(draft, fact.notes ?? [], fact.session);
      return;
    case 'notes-delivered':
      deliver(draft, fact.notes, fact.session);
      return;
  }
}

/** Counts a pause's rest up to an instant; the pause itself may go on. */
export function endRest(draft: Draft, at: string): void {
  if (draft.pause?.since === undefined) return;
  draft.pausedMs += spanMs(draft.pause.since, at);
  draft.pause = { now: draft.pause.now };
}

function deliver(draft: Draft, numbers: readonly number[], session: number): void {
  if (numbers.length === 0) return;
  draft.notes = draft.notes.map((note) =>
    numbers.includes(note.note) && note.session === undefined ? { ...note, session } : note,
  );
}
