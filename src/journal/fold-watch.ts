// Folds the guard around reviewers and planners: whether it is active, whose answers do not count, which files a person
// changed.
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';

/** Changes the run after one more fact of that guard. */
export function foldWatch(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'watch-started':
      draft.watch = fact;
      return;
    case 'watch-ended':
      delete draft.watch;
      return;
    case 'answer-refused':
      draft.refusedAnswers = [...draft.refusedAnswers, fact];
      return;
    case 'edits-left':
      draft.leftOut = [...draft.leftOut, ...fact.files];
      draft.personsEdits = [...new Set([...draft.personsEdits, ...fact.changed])];
      draft.editsLeft = [...draft.editsLeft, fact];
      return;
    case 'edits-taken':
      draft.personsEdits = [];
      return;
  }
}
