// Writes an accepted draft into the repository, overwriting nothing; announced first, so that a restart finishes it.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { dayOf } from '../../journal/day.ts';
import { draftsOf } from '../../journal/fold-dialogue.ts';
import { acquireLock } from '../../journal/lock.ts';
import type { Silence } from '../../place/person.ts';
import type { Place } from '../../place/place.ts';
import { planFileName, plansFolder } from '../../plan/plan-name.ts';
import { createFile, writeFileAtomic } from '../../write-file.ts';
import { namePlan } from '../open/find-unfinished.ts';
import { readDraft } from './record-draft.ts';

export function announcePlan(place: Place, number: number): void {
  const draft = draftsOf(place.run.state().dialogue)[number - 1];
  if (!draft) throw new Error(`there is no draft ${number}`);
  const { output } = place.run.options.planning?.asked ?? {};
  const to = output ?? findFree(place, draft.title);
  const { file } = draft;
  place.run.emit({
    type: 'dialogue',
    state: 'writing',
    draft: number,
    file,
    to: namePlan(place.repo.root, to),
  });
}

/** Or finds it written by an earlier process. Waits while another pawl works on the tree. */
export function writePlan(place: Place, writing: FactOf<'dialogue-writing'>): Silence | undefined {
  const { to } = writing;
  const file = path.resolve(place.repo.root, to);
  using tree = path.isAbsolute(to) ? undefined : holdTree(place);
  if (tree?.taken) return notYet(tree.taken);
  const text = readDraft(place, writing);
  makeFolder(path.dirname(file));
  try {
    createFile(file, text, 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!text.startsWith(readFileSync(file, 'utf8'))) {
      leaveToOther(place, writing);
      return undefined;
    }
    // An earlier process was cut off while writing.
    writeFileAtomic(file, text);
  }
  place.run.emit({ type: 'dialogue', state: 'written', to });
  return undefined;
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

function notYet(why: string): Silence {
  const silence = `the draft is accepted, but the plan is not written yet: ${why}`;
  return { silence, hint: '`pawl plan --resume` writes it when that is over.' };
}

/** Another file of that name has appeared. */
function leaveToOther(place: Place, { draft, to }: FactOf<'dialogue-writing'>): void {
  const { output } = place.run.options.planning?.asked ?? {};
  if (output === undefined || namePlan(place.repo.root, output) !== to) {
    announcePlan(place, draft);
    return;
  }
  throw new Failure('plan', `${to} already exists and is not overwritten`, {
    hint: 'Name another file with -o, and continue with --resume.',
  });
}

function findFree(place: Place, title: string): string {
  const folder = path.join(place.repo.root, plansFolder);
  const day = dayOf(place.run.now()).day;
  return path.join(
    folder,
    planFileName({ title, day }, (name) => existsSync(path.join(folder, name))),
  );
}
