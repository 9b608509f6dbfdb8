// Folds a person's commands: pauses and notes.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Draft, endWait, spanMs } from './fold-run.ts';

export function foldControl(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'intervention':
      foldCommand(draft, fact);
      return;
    case 'paused':
      draft.pause = { now: draft.pause?.now ?? false, since: fact.at };
      return;
    case 'run-ended':
      endRest(draft, fact.at);
      return;
    case 'run-resumed':
      draft.stopAsked = false;
      // A person's start means go on; after a crash anything may have started it.
      if (fact.after === 'stop') delete draft.pause;
      return;
    case 'session-started':
      deliver(draft, fact.notes ?? [], fact.session);
      return;
    case 'notes-delivered':
      deliver(draft, fact.notes, fact.session);
      return;
  }
}

function foldCommand(draft: Draft, fact: Stamped<FactOf<'intervention'>>): void {
  const { kind, note = 0, said: text = '', now = false, task } = fact;
  switch (kind) {
    case 'pause':
      draft.pause = { ...draft.pause, now };
      return;
    case 'continue':
      endRest(draft, fact.at);
      delete draft.pause;
      endWait(draft, fact.at);
      return;
    case 'stop':
      draft.stopAsked = true;
      return;
    case 'steer':
      draft.notes = [...draft.notes, { note, text, now, ...defined({ task }) }];
      return;
  }
}

/** Counts the rest until `at`; the pause may go on. */
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
