// Stores every draft in the run folder, and journals it with all that is wrong.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { draftsOf } from '../../journal/fold-dialogue.ts';
import type { Place } from '../../place/place.ts';
import { findLacks } from '../../plan/draft.ts';
import { formatNote, lintBy, lintPlan } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { writeFileAtomic } from '../../write-file.ts';

/** Without `session`, a person wrote it. */
export function recordDraft(
  place: Place,
  { text, session }: Readonly<{ text: string; session?: number }>,
): void {
  const draft = draftsOf(place.run.state().dialogue).length + 1;
  const file = `draft-${String(draft).padStart(3, '0')}.md`;
  writeFileAtomic(path.join(place.run.folder, file), text, 0o600);
  const plan = parsePlan(text, file);
  const found = lintPlan(plan, lintBy(place.run.config));
  const formatAll = (severity: 'error' | 'warning') =>
    found.filter((note) => note.severity === severity).map((note) => formatNote(file, note));
  place.run.emit({
    type: 'dialogue',
    state: 'drafted',
    draft,
    ...defined({ session }),
    file,
    title: plan.title,
    tasks: plan.tasks.length,
    checks: plan.tasks.reduce((sum, { checks }) => sum + checks.length, 0),
    errors: formatAll('error'),
    notes: [...formatAll('warning'), ...findLacks(plan)],
  });
}

export function readDraft(
  { run }: Pick<Place, 'run'>,
  { file }: Pick<FactOf<'dialogue-drafted'>, 'file'>,
): string {
  return readFileSync(path.join(run.folder, file), 'utf8');
}
