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

/** Those not finished, with `all` every one, or of `plan`; the last carried first. */
export async function showRemoteStatus(
  context: CliContext,
  plan: string | undefined,
  { json = false, all = false }: Readonly<{ json?: boolean | undefined; all?: boolean | undefined }>,
): Promise<number> {
  const { repo, config } = await openPlace(context, needPlace(context));
  const remote = remoteOf(config, undefined);
  await refuseUnknownRemote(repo, remote.name);
  const { runs, strange } = await listCarried(repo, remote);
  for (const { message } of strange) printNote(context, message);
  const isMeant = ({ run, plan: of, ended }: Carried) =>
    plan === undefined ? all || json || !ended : of.includes(plan) || run.startsWith(plan);
  const shown = runs.filter(isMeant);
  const standings: CarriedStanding[] = [];
  for (const run of shown) standings.push(...(await judge(context, repo, run)));
  if (json) {
    print(context, JSON.stringify(standings, null, 2));
    return 0;
  }
  const nowMs = context.now().getTime();
  const blocks = standings.map((standing) =>
    formatCarried(standing, { nowMs, take: takeCommand(standing.run, remote.name) }),
  );
  for (const [at, lines] of blocks.entries())
    printLines(context, [...(at === 0 ? [] : [line('plain', '')]), ...lines]);
  const left = plan === undefined ? runs.length - shown.length : 0;
  if (left > 0) print(context, `${formatCount(left, 'finished run')}: \`pawl status --remote --all\``);
  else if (blocks.length === 0)
    print(context, `${remote.name} holds no run${plan === undefined ? '' : ` of a plan named ${plan}`}.`);
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
