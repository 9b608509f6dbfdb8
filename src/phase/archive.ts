// Moves the finished plan to `completed/` in its own commit, overwriting no file and following no link; then, if asked
// for, makes one commit of the run.
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../defined.ts';
import { makeFolder, moveFile } from '../disk.ts';
import { closeKeysOf, squash } from '../git/commit/history.ts';
import type { LoggedCommit } from '../git/run/ancestry.ts';
import type { Place } from '../place/place.ts';
import { archiveFolder } from '../plan/plan-name.ts';
import { provenTrailer, squashMessage } from '../work/close/commit-message.ts';
import { refuseElsewhere } from '../work/on-branch.ts';
import { readPlanAt } from '../work/plan/plan-snapshot.ts';
import { commitPlanFile, planMessage } from './open/commit-plan.ts';

/** Only pawl's own format, and not from the archive. */
export function isArchivable(place: Pick<Place, 'plan' | 'run'>): boolean {
  const isThere = path.basename(path.dirname(place.plan.file)) === archiveFolder;
  return place.run.config.archive && !isThere && readPlanAt(place).format === 'tasks';
}

/** Finishes a move that a crash cut off. */
export async function archivePlan(place: Place): Promise<void> {
  const { archive } = place.run.state();
  if (archive?.state === 'done') return;
  refuseElsewhere(place);
  const folder = path.join(path.dirname(place.plan.file), archiveFolder);
  const why = archive ? undefined : whyItStays(place, folder);
  if (why !== undefined) {
    place.run.emit({ type: 'noticed', code: 'not-archived', text: `The plan stays where it is: ${why}` });
    return;
  }
  place.run.emit({ type: 'phase', phase: 'archive', state: 'started' });
  const { name: from } = place.plan;
  const free = () => freeName(path.join(folder, path.basename(place.plan.file)));
  const to = archive ? path.resolve(place.repo.root, archive.to) : free();
  const name = nameOf(place, to);
  if (!archive) place.run.emit({ type: 'plan-archived', state: 'announced', from, to: name });
  if (existsSync(place.plan.file)) {
    makeFolder(path.dirname(to));
    moveFile(place.plan.file, to);
  }
  const trailers = provenTrailer(place.run.state());
  const message = planMessage(place.run, `archive ${path.basename(from)}`, { trailers });
  const oid = place.plan.tracked ? await commitPlanFile(place, { file: name, from, message }) : undefined;
  place.run.emit({ type: 'plan-archived', state: 'done', from, to: name, ...defined({ oid }) });
  place.run.emit({ type: 'phase', phase: 'archive', state: 'ended', reason: `the plan is in ${name}` });
}

/** A crash or a rejected commit may have followed the move. */
export function hasLeftItsPlace(place: Place): boolean {
  const { archive } = place.run.state();
  return archive?.state === 'done' || (archive !== undefined && !existsSync(place.plan.file));
}

/** A move would leave the link dangling. */
function whyItStays({ run }: Place, folder: string): string | undefined {
  const { planLink } = run.state().started;
  if (planLink !== undefined) return `${planLink} is a link to it`;
  // Or it is not there yet. An agent may have made a link.
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true;
  return isFolder ? undefined : `${folder} is a link, or no folder`;
}

function freeName(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let number = 1; ; number += 1) {
    const candidate = path.join(dir, number === 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
    if (!lstatSync(candidate, { throwIfNoEntry: false })) return candidate;
  }
}

function nameOf(place: Place, file: string): string {
  return place.plan.tracked ? path.relative(place.repo.root, file) : file;
}

export async function squashRun(place: Place, isClean: boolean): Promise<void> {
  const { config, id, emit, state } = place.run;
  const { started, squashed } = state();
  if (!config.finalize.squash || squashed) return;
  refuseElsewhere(place);
  const partOf = ({ message }: LoggedCommit) => ({
    subject: message.split('\n', 1)[0] ?? '',
    keys: closeKeysOf(message),
  });
  const messageOf = (commits: readonly LoggedCommit[]) =>
    squashMessage(place, started.title, commits.map(partOf));
  const made = isClean
    ? await squash(place.repo, { run: id, base: started.base, messageOf })
    : 'the run has something for a person to look at';
  if (typeof made !== 'string') emit({ type: 'run-squashed', ...made });
  else emit({ type: 'noticed', code: 'not-squashed', text: `The commits were not squashed: ${made}` });
}
