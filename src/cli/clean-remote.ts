// `pawl clean --remote`: removes refs of finished runs from a git remote, if nothing is open and their commits are on a
// branch there.
import { fetchRefs, pushLeased, type Remote, refuseUnknownRemote } from '../git/carry/remote.ts';
import type { Repo } from '../git/run/repo.ts';
import { formatCount } from '../report/text/figure.ts';
import { type Carried, listCarried } from '../start/carry/find-carried.ts';
import { remoteOf } from '../start/carry/prepare-carry.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { findRunHolder, needPlace } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { openPlace } from '../start/open-place.ts';

const dayMs = 24 * 60 * 60 * 1000;

export async function cleanRemote(
  context: CliContext,
  { days, dryRun = false }: Readonly<{ days: number; dryRun?: boolean | undefined }>,
): Promise<number> {
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const remote = remoteOf(config, undefined);
  await refuseUnknownRemote(repo, remote.name);
  const { runs, strange, branches } = await listCarried(repo, remote);
  for (const { message } of strange) printNote(context, `kept  ${message}`);
  const now = context.now().getTime();
  const old = runs.filter(({ at, ended }) => ended && Date.parse(at) < now - days * dayMs);
  if (old.length > 0) await fetchRefs(repo, remote, [...branches.keys()]);
  const going: Carried[] = [];
  for (const run of old) {
    const why = await whyStays(
      place,
      repo,
      run,
      [...branches].filter(([ref]) => ref !== run.ref),
    );
    const age = formatCount(Math.floor((now - Date.parse(run.at)) / dayMs), 'day');
    const what = `${run.run}  (${run.ref}, ended ${age} ago by ${run.host})`;
    print(
      context,
      why === undefined ? `${dryRun ? 'would remove' : 'removing'}  ${what}` : `kept  ${what}: ${why}`,
    );
    if (why === undefined) going.push(run);
  }
  const stay = runs.length - old.length;
  if (stay > 0)
    print(
      context,
      `Kept: ${formatCount(stay, 'run')} not finished, or finished in the last ${formatCount(days, 'day')}.`,
    );
  if (going.length === 0) print(context, `Nothing to remove on ${remote.name}.`);
  if (going.length === 0 || dryRun) return 0;
  return removeAll(context, repo, { remote, going });
}

async function whyStays(
  place: Place,
  repo: Repo,
  { run, head, work }: Carried,
  branches: readonly (readonly [string, string])[],
): Promise<string | undefined> {
  if (findRunHolder(place, run)) return 'a pawl works on it here';
  if (work !== undefined) return 'it holds open work that no commit has';
  const input = [head, ...branches.map(([, oid]) => `^${oid}`)].map((line) => `${line}\n`).join('');
  const only = await repo.git(['rev-list', '--max-count=1', '--stdin'], { input });
  return only === '' ? undefined : 'its commits are on no branch there';
}

async function removeAll(
  context: CliContext,
  repo: Repo,
  { remote, going }: Readonly<{ remote: Remote; going: readonly Carried[] }>,
): Promise<number> {
  let exit = 0;
  for (const { run, ref, oid } of going) {
    const end = await pushLeased(repo, remote, { ref, old: oid, now: undefined });
    if (end === 'taken') continue;
    print(context, `kept  ${run}: ${end.why}`);
    exit = 8;
  }
  return exit;
}
