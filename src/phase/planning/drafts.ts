// A planner's drafts: kept in the run folder with all that is wrong, and the accepted one written, overwriting nothing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { dayOf } from '../../journal/day.ts';
import { acquireLock } from '../../journal/lock.ts';
import type { Place } from '../../place/place.ts';
import type { Silence } from '../../place/run.ts';
import { findLacks } from '../../plan/draft.ts';
import { writeNewPlan } from '../../plan/file.ts';
import { formatNote, lintBy, lintPlan } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { planFileName, plansFolder } from '../../plan/plan-name.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { namePlan } from '../open/find-unfinished.ts';
import { draftsOf } from './dialogue-step.ts';

/** Or finds it written by an earlier process. Waits while another pawl works on the tree. `at`: when it was accepted. */
export function writePlan(
  place: Place,
  { draft, at }: Readonly<{ draft: FactOf<'dialogue-drafted'>; at: string | undefined }>,
): Silence | undefined {
  const { root } = place.repo;
  const { output } = place.run.options.planning?.asked ?? {};
  using tree = output === undefined || isAtOrBelow(output, root) ? holdTree(place) : undefined;
  if (tree?.taken) {
    const silence = `the draft is accepted, but the plan is not written yet: ${tree.taken}`;
    return { silence, hint: '`pawl plan --resume` writes it when that is over.' };
  }
  const text = readDraft(place, draft);
  const isOwn = (file: string) => existsSync(file) && readFileSync(file, 'utf8') === text;
  const file = output ?? freeFile(place, { title: draft.title, at }, isOwn);
  if (!isOwn(file) && !writeNewPlan(file, text)) {
    const silence = `the draft is accepted, but not written: ${file} already exists and is not overwritten`;
    const again = commandAgain(place.run.state(), '-o another.md ');
    return { silence, hint: `\`${again}\` writes it to another file.` };
  }
  place.run.emit({ type: 'dialogue', state: 'written', to: namePlan(root, file) });
  return undefined;
}

function freeFile(
  { repo, run }: Place,
  { title, at }: Readonly<{ title: string; at: string | undefined }>,
  isOwn: (file: string) => boolean,
): string {
  const folder = path.join(repo.root, plansFolder);
  const { day } = dayOf(at === undefined ? run.now() : new Date(at));
  const isTaken = (name: string) => existsSync(path.join(folder, name)) && !isOwn(path.join(folder, name));
  return path.join(folder, planFileName({ title, day }, isTaken));
}

/** Held only to write: a file that appears beside a run would be taken for that run's work. */
function holdTree({ repo, run }: Place): Disposable & { taken?: string } {
  try {
    return acquireLock(repo.gitDir, run.id, run.now(), { tree: repo.root });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'locked') throw error;
    return { taken: error.message, [Symbol.dispose]: () => {} };
  }
}

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
