// `pawl rescue`: lists, shows and restores the states saved of a run.
import path from 'node:path';
import { commandAgain } from '../event/again.ts';
import { Failure } from '../failure.ts';
import { listRescues, type RescuePoint, restoreRescue, showRescue } from '../git/rescue/rescue-list.ts';
import type { NotHeld } from '../git/rescue/rescue-point.ts';
import type { Repo } from '../git/run/repo.ts';
import { matchesAny } from '../glob.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { Journal } from '../journal/journal.ts';
import { findNewer } from '../phase/open/find-unfinished.ts';
import { formatCount, formatMoment } from '../report/text/figure.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { maskKnown } from '../start/messages.ts';
import { enterTreeOf, holdRun, openPlace, openPlainRepo, rescueOptionsOf } from '../start/open-place.ts';
import type { Command } from './command.ts';

/** `run`: by its id, instead of the one last worked on. */
export type RescueCommandOptions = Readonly<{ run?: string }>;

type RescueRequest = Readonly<{
  context: CliContext;
  place: Place;
  tree: Place;
  repo: Repo;
  id: string;
  /** Absent if its folder was removed. */
  run: RunFolder | undefined;
}>;

export const rescueCommand: Command<RescueCommandOptions> = async (
  context,
  [what = 'list', point, ...files],
  { run },
) => {
  const place = needPlace(context);
  const found = await findSaved(context, place, run);
  if (what !== 'list' && point === undefined) {
    throw new Failure('usage', `which saved state? pawl rescue ${what} <number>`, {
      hint: 'pawl rescue lists them.',
    });
  }
  const tree = what === 'restore' && found ? enterTreeOf(context, place, found) : place;
  const { repo } = await openPlace(context, place, { tree });
  const asked = { context, place, tree, repo, id: found?.run ?? run ?? '', run: found };
  if (what === 'restore') await restore(asked, point ?? '', files);
  else if (what === 'show') await show(asked, point ?? '');
  else await list(asked);
  return 0;
};

/** Undefined if only saved states are left. */
async function findSaved(
  context: CliContext,
  place: Place,
  run: string | undefined,
): Promise<RunFolder | undefined> {
  if (run === undefined || findRuns(context, place, run).length > 0) return needRun(context, place, run);
  const repo = await openPlainRepo(context, place);
  const isSaved = (await listRescues(repo)).some((point) => point.run === run);
  return isSaved ? undefined : needRun(context, place, run);
}

async function list({ context, repo, id }: RescueRequest): Promise<void> {
  const all = await listRescues(repo);
  const points = all.filter((point) => point.run === id);
  const more = 'pawl rescue show N lists the files of one; pawl rescue restore N [files…] puts them back.';
  const others = [...new Set(all.map((point) => point.run))].filter((other) => other !== id);
  printLines(context, [
    ...(points.length === 0
      ? [`Run ${id} has no saved states.`]
      : [
          `Saved states of run ${id}, the oldest first:`,
          ...points.map((one) => `  ${formatPoint(one)}`),
          more,
        ]),
    ...(others.length > 0 ? [`Other runs have saved states, too (--run): ${others.join(', ')}`] : []),
  ]);
}

function formatPoint({ point, at, reason, branch, head, notHeld }: RescuePoint): string {
  const where = head === '' ? branch : `${branch} ${head.slice(0, 10)}`;
  const less = notHeld.length > 0 ? `; ${formatCount(notHeld.length, 'file')} not held` : '';
  return `${String(point).padStart(3)}  ${formatMoment(Date.parse(at))}  ${reason} (${where}${less})`;
}

async function show({ context, repo, id }: RescueRequest, which: string): Promise<void> {
  const { point, files } = await showRescue(repo, { run: id, point: which });
  const [oid, head] = [point.oid, point.head].map((one) => one.slice(0, 10));
  const differ =
    files.length > 0
      ? `Files that differ from its commit ${head}:`
      : `No file differs from its commit ${head}.`;
  const rows = files.map(
    ({ status, insertions, deletions, file }) =>
      `  ${status.padEnd(8)}  +${insertions} -${deletions}  ${file}`,
  );
  const held = formatNotHeld(point.notHeld);
  printLines(context, [formatPoint(point), differ, ...rows, ...held, `One of them: git show ${oid}:<file>`]);
}

async function restore(asked: RescueRequest, which: string, given: readonly string[]): Promise<void> {
  const { context, place, tree, repo, id, run } = asked;
  using _lock = holdRun(context, tree, id);
  const files = given.length > 0 ? await chooseFiles(asked, which, given) : [];
  const folder = run?.folder ?? path.join(tree.gitDir, 'pawl');
  const options = rescueOptionsOf({ run: id, folder });
  const { restored, notHeld, rescue } = await restoreRescue(repo, { ...options, point: which, files });
  if (run && restored.length > 0) {
    using journal = new Journal(run.folder, await maskKnown(context));
    const text = `${formatCount(restored.length, 'file')} of saved state ${which} restored`;
    journal.append({ type: 'intervention', kind: 'hand-edit', text }, context.now());
  }
  if (restored.length === 0) print(context, 'Nothing differs: the files are already as in the saved state.');
  printLines(context, [...restored.map((file) => `restored  ${file}`), ...formatNotHeld(notHeld)]);
  if (restored.length === 0) return;
  print(context, `The files as they were are saved: pawl rescue restore ${rescue.slice(0, 10)} --run ${id}`);
  if (!run || findNewer(listRuns(place.commonDir), run) || readRun(run).course.ended?.finished) return;
  print(context, `To continue the run with it: ${commandAgain(readRun(run), '--take-edits ')}`);
}

/** Named from the current folder or, as pawl prints them, from the root. A name that matches no file is an error. */
async function chooseFiles(
  { context, place, repo, id }: RescueRequest,
  which: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const { point } = await showRescue(repo, { run: id, point: which });
  const held = (await repo.git(['ls-tree', '-r', '-z', '--name-only', point.oid]))
    .split('\0')
    .filter((name) => name !== '');
  const wanted = given.map((file) => {
    const nameFrom = (folder: string) => path.relative(place.root, path.resolve(folder, file));
    const [here, there] = [nameFrom(context.cwd), nameFrom(place.root)];
    const name = held.includes(there) && !held.includes(here) ? there : here;
    // An existing name means that file, even with brackets.
    return { name, glob: `/${held.includes(name) ? name.replace(/[\\*?[\]{}]/g, '\\$&') : name || '**'}` };
  });
  const unknown = wanted.filter(({ glob }) => !held.some((name) => matchesAny(name, [glob])));
  if (unknown.length === 0) return wanted.map(({ glob }) => glob);
  const names = unknown.map(({ name }) => name);
  const reasons = point.notHeld.filter(({ file }) => names.includes(file));
  throw new Failure('usage', `saved state ${point.point} does not hold ${names.join(', ')}`, {
    hint:
      reasons.length === 0
        ? `pawl rescue show ${point.point} lists what it holds.`
        : reasons.map(({ file, why }) => `${file}: ${why}`).join(', '),
  });
}

function formatNotHeld(notHeld: readonly NotHeld[]): readonly string[] {
  const rows = notHeld.map(({ file, why }) => `not held  ${file}: ${why}`);
  return [...rows, 'Of ignored files only those named .env* are held.'];
}
