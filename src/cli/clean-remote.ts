// `pawl clean --remote`: removes refs of finished runs from a git remote, if nothing is open and their commits are on a
// branch there.
import { fetchRefs, pushLeased, refuseUnknownRemote } from '../git/carry/remote.ts';
import type { Repo } from '../git/run/repo.ts';
import { formatCount } from '../report/text/figure.ts';
import { type Carried, listCarried } from '../start/carry/find-carried.ts';
import { remoteOf } from '../start/carry/prepare-carry.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { findRunHolder, needPlace } from '../start/find-run.ts';
import { openPlace } from '../start/open-place.ts';

const dayMs = 24 * 60 * 60 * 1000;

export async function cleanRemote(
  context: CliContext,
  { days, dryRun }: Readonly<{ days: number; dryRun: boolean }>,
): Promise<number> {
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const remote = remoteOf(config, undefined);
  await refuseUnknownRemote(repo, remote.name);
  const { runs, strange, branches } = await listCarried(repo, remote);
  for (const { message } of strange) printNote(context, `kept  ${message}`);
  const before = context.now().getTime() - days * dayMs;
  const old = runs.filter(({ at, ended }) => ended && Date.parse(at) < before);
  if (old.length > 0) await fetchRefs(repo, remote, [...branches.keys()]);
  let exit = 0;
  for (const run of old) {
    const isHeld = findRunHolder(place, run.run) !== undefined;
    const stays = isHeld ? 'a pawl works on it here' : await whyStays(repo, run, [...branches.values()]);
    const leased = { ref: run.ref, old: run.oid, now: undefined };
    const end = stays === undefined && !dryRun ? await pushLeased(repo, remote, leased) : undefined;
    const refused = typeof end === 'object' ? end.why : undefined;
    if (refused !== undefined) exit = 8;
    const why = stays ?? refused;
    const done = why !== undefined ? 'kept' : dryRun ? 'would remove' : 'removed';
    print(context, `${done}  ${run.run}${why === undefined ? '' : `: ${why}`}`);
  }
  const kept = `${formatCount(runs.length - old.length, 'run')} not finished, or not for ${formatCount(days, 'day')}`;
  print(context, old.length === 0 ? `Nothing to remove on ${remote.name}: ${kept}.` : `Kept: ${kept}.`);
  return exit;
}

async function whyStays(
  repo: Repo,
  { head, work }: Carried,
  branches: readonly string[],
): Promise<string | undefined> {
  if (work !== undefined) return 'it holds open work that no commit has';
  const input = [head, ...branches.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  const only = await repo.git(['rev-list', '--max-count=1', '--stdin'], { input });
  return only === '' ? undefined : 'its commits are on no branch there';
}
