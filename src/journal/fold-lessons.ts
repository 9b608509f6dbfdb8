// Folds unverified lessons for later sessions: a red check turned green, and what an agent leaves by the marker
// `LESSON`.
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';
import { findWorkState, type Lesson } from './state.ts';

export function foldLessons(draft: Draft, fact: Stamped<Fact>): void {
  const found = lessonsIn(draft, fact).filter(
    ({ says }) => says !== '' && draft.lessons.every((known) => known.says !== says),
  );
  if (found.length > 0) draft.lessons = [...draft.lessons, ...found];
}

function lessonsIn(draft: Draft, fact: Stamped<Fact>): readonly Lesson[] {
  if (fact.type === 'turn-ended') {
    const task = draft.sessions.get(fact.session)?.started.task ?? '';
    return (fact.lessons ?? []).map((said) => ({ task, says: toPlainLine(said), files: [] }));
  }
  if (fact.type !== 'task-closed') return [];
  const { reds = [] } = findWorkState(draft, fact.task) ?? {};
  const files = fact.mended ?? [];
  return reds.map(({ command, says }) => {
    const where = files.length === 0 ? '' : `; green after changes of ${files.join(', ')}`;
    return {
      ...{ task: fact.task, check: command, files },
      says: toPlainLine(`${command} was red${says === undefined ? '' : `: ${says}`}${where}`),
    };
  });
}

/** On one line, without control or invisible characters, and nothing that reads as a marker. */
function toPlainLine(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').replace(/<{2,}|>{2,}/g, ' ');
  return plain.replace(/\s+/g, ' ').trim().slice(0, 300);
}
