// `pawl status --remote`: the runs on a git remote. Changes nothing but objects that git fetches.
import { takeCommand } from '../event/again.ts';
import { Failure } from '../failure.ts';
import { refuseUnknownRemote } from '../git/carry/remote.ts';
import type { Repo } from '../git/run/repo.ts';
import { readRun } from '../phase/carry/owner.ts';
import { type CarriedStanding, formatCarried, headlineOf } from '../report/status/format-carried.ts';
import { formatCount } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { viewRun } from '../report/view/view-run.ts';
import { type Carried, listCarried } from '../start/carry/find-carried.ts';
import { readState } from '../start/carry/lay-out.ts';
import { remoteOf } from '../start/carry/prepare-carry.ts';
import { type CliContext, print, printLines, printNote } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { openPlace } from '../start/open-place.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What was finished long ago is only counted. */
export function chooseShown<Run extends Pick<Carried, 'ended' | 'at'>>(
  runs: readonly Run[],
  { all, nowMs }: Readonly<{ all: boolean; nowMs: number }>,
): Readonly<{ shown: readonly Run[]; more: number }> {
  const shown = runs.filter(({ ended, at }) => all || !ended || Date.parse(at) > nowMs - dayMs);
  return { shown, more: runs.length - shown.length };
}

/** Unfinished, active in the last day, or of `plan`, the latest first. */
export async function showRemoteStatus(
  context: CliContext,
  plan: string | undefined,
  {
    json = false,
    from,
    all = false,
  }: Readonly<{ json?: boolean | undefined; from?: string | undefined; all?: boolean | undefined }>,
): Promise<number> {
  const { repo, config } = await openPlace(context, needPlace(context));
  const remote = remoteOf(config, from);
  await refuseUnknownRemote(repo, remote.name);
  const { runs, strange } = await listCarried(repo, remote);
  for (const { message } of strange) printNote(context, message);
  const standings: CarriedStanding[] = [];
  const meant = runs.filter(
    ({ run, plan: of }) => plan === undefined || of.includes(plan) || run.startsWith(plan),
  );
  const nowMs = context.now().getTime();
  const { shown, more } = chooseShown(meant, { all: all || json || plan !== undefined, nowMs });
  for (const run of shown) standings.push(...(await judge(context, repo, run)));
  if (json) print(context, JSON.stringify(standings, null, 2));
  else if (standings.length === 0 && more === 0)
    print(context, `${remote.name} holds no run${plan === undefined ? '' : ` of a plan named ${plan}`}.`);
  else
    for (const [at, standing] of standings.entries())
      printLines(context, [
        ...(at === 0 ? [] : [line('plain', '')]),
        ...formatCarried(standing, {
          nowMs,
          take: takeCommand(standing.run, remote.name),
        }),
      ]);
  if (!json && more > 0)
    print(
      context,
      `${formatCount(more, 'run')} finished more than a day ago: \`pawl status --remote --all\` shows ${more === 1 ? 'it' : 'them'}, \`pawl clean --remote\` removes what is old.`,
    );
  return 0;
}

async function judge(
  context: CliContext,
  repo: Repo,
  { oid, ref }: Carried,
): Promise<readonly CarriedStanding[]> {
  try {
    return [standingOf({ ...(await readRun(repo, oid)), ref })];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    printNote(context, error.message);
    return [];
  }
}

function standingOf(carried: Carried): CarriedStanding {
  const { host: machine, at, ended } = carried;
  return { ...headlineOf(viewRun(readState(carried), { isHeld: true }), ended), machine, at };
}
