// The looks of `pawl doctor`, by the names of their rows: what a run judges at its start is judged by the same
// functions.
import { statfsSync } from 'node:fs';
import type { Diagnosis } from '../../agent/adapter.ts';
import { Failure } from '../../failure.ts';
import { readRemoteRefs } from '../../git/carry/remote.ts';
import { trySigning } from '../../git/commit/commit.ts';
import { judgeWorkplace } from '../../git/place/workplace.ts';
import { neededGit } from '../../git/run/judge-place.ts';
import { fewOf } from '../../git/run/names.ts';
import { firstProgram } from '../../plan/missing.ts';
import { isThere } from '../../report/status/format-fleet.ts';
import { formatCount } from '../../report/text/figure.ts';
import { hasImage } from '../../sandbox/docker.ts';
import { judgeSandbox } from '../../start/agent-start.ts';
import { needRemote } from '../../start/carry/prepare-carry.ts';
import { findNotThere, placeOf } from '../../start/check-programs.ts';
import { isTrusted, readTrust } from '../../start/consent.ts';
import { openFleet, readFleet } from '../../start/fleet/view.ts';
import { judgeSessions, purposesOf } from '../../start/judge-sessions.ts';
import { outsideRepository } from '../../start/locate.ts';
import { lookBeforeTrust, openPlainRepo } from '../../start/open-place.ts';
import { libraryOf } from '../../start/run-base.ts';
import { dockerHost, imageOf } from '../../start/sandbox/image.ts';
import { runInside } from '../../start/sandbox/look-inside.ts';
import { agentLooks, type DoctorTools, fail, type Look, ok, warn } from './agent.ts';

/** In the order of the table. */
export const looks: Readonly<Record<string, Look>> = {
  shell: ({ has }) => {
    if (has('bash')) return ok('checks run with bash -eo pipefail');
    if (!has('sh'))
      return fail('there is neither bash nor sh in PATH', 'Put a shell in PATH; checks are shell commands.');
    const says = 'no bash: checks run with sh -e, where a pipe hides the failure of all but its last command';
    return warn(says, 'Install bash.');
  },
  disk: ({ context, place }) => {
    const { bavail, bsize } = statfsSync(place?.commonDir ?? context.cwd);
    return judgeFree(bavail * bsize);
  },
  sandbox: lookAtSandbox,
  git: async ({ run }) => judgeGit((await run('git', ['--version'])).stdout.trim()),
  ...agentLooks,
  repository: lookAtRepository,
  checks: lookAtChecks,
  reviews: lookAtSessions,
  trust: lookAtTrust,
  carry: lookAtRemote,
  fleet: lookAtFleet,
};

const lowBytes = 1024 ** 3;
const noBytes = 200 * 1024 ** 2;

export function judgeFree(bytes: number): Diagnosis {
  const free = `${(bytes / 1024 ** 3).toFixed(1)} GB free`;
  if (bytes < noBytes) return fail(free, 'Make room: a journal that cannot be written ends the run.');
  return bytes < lowBytes ? warn(free, 'Make room: sessions are recorded in full.') : ok(free);
}

async function lookAtSandbox({ context, config, place }: DoctorTools): Promise<Diagnosis | undefined> {
  if (!place || config.sandbox.kind === 'none') return undefined;
  const { root } = place;
  await judgeSandbox(context, config, root);
  const { sandbox } = config;
  if (sandbox.kind !== 'docker') return ok('bwrap can make a sandbox here');
  const image = imageOf(context, config, root);
  if (!(await hasImage(dockerHost(context), image)))
    return warn(`docker answers; the image ${image} is not there yet`, 'The first run builds it.');
  const tried = await runInside(context, { sandbox, root }, ['node', '--version']);
  return tried?.ended.code === 0
    ? ok(`docker, image ${image}`)
    : fail(`node cannot be run in ${image}`, 'See sandbox.image; docker/README.md says what an image needs.');
}

/** `version`: from `git --version`; empty if git did not start. */
export function judgeGit(version: string): Diagnosis {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined)
    return fail('git cannot be started', 'Install git, or put it in PATH.');
  const [wantedMajor, wantedMinor] = neededGit;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return ok(version);
  return fail(`${version} is too old`, `Install git ${wantedMajor}.${wantedMinor} or newer.`);
}

async function lookAtRepository({ context, place }: DoctorTools): Promise<Diagnosis> {
  if (!place) throw outsideRepository(context);
  const { repo, facts } = await lookBeforeTrust(context, place);
  const { branch, identity, dirt, warnings } = facts;
  const refusal = judgeWorkplace({ ...facts, dirt: [] });
  if (refusal) throw refusal;
  if (isTrusted(context, place.root)) await trySigning(repo);
  if (dirt.length > 0)
    return warn(
      `uncommitted changes: ${fewOf(dirt)}`,
      'Commit or stash them before a run; the plan itself may be changed.',
    );
  if (warnings.length > 0) return warn(warnings.join('\n'), 'A run starts all the same.');
  return ok(`on ${branch}; ${identity} commits`);
}

/** Those in the settings; `pawl lint` looks at a plan's. */
async function lookAtChecks({ config, context, place }: DoctorTools): Promise<Diagnosis | undefined> {
  // Its own may be in settings that nobody trusts yet.
  if (place && !isTrusted(context, place.root)) return undefined;
  const { checks: commands } = config;
  if (commands.length === 0)
    return ok('no default checks are configured, each plan defines its own; `pawl init` proposes some');
  const programs = commands.flatMap((command) => firstProgram(command) ?? []);
  const root = place?.root ?? context.cwd;
  const missing = await findNotThere(context, config, { root, programs });
  if (missing.length === 0) return ok(`${formatCount(commands.length, 'check')} in the settings`);
  return warn(
    `checks of the settings cannot run: there is no ${missing.join(', ')} ${placeOf(config)}`,
    'Install them there; a run is refused unless a task in its plan installs them.',
  );
}

/** Throws mistakes in prompts, reviewers and scripts. */
function lookAtSessions({ context, config, place }: DoctorTools): Diagnosis | undefined {
  if (!place || !isTrusted(context, place.root)) return undefined;
  const { root } = place;
  const given = { library: libraryOf(context, root), config, root, env: context.env };
  judgeSessions(given, [...purposesOf(config), 'plan']);
  return ok('prompts, reviewers and scripts can be used');
}

function lookAtTrust({ context, place }: DoctorTools): Diagnosis | undefined {
  if (!place) return undefined;
  const { links, trusted, consent, changed } = readTrust(context, place.root);
  if (links.length > 0)
    return fail(
      `links lead out of the repository: ${fewOf(links.map(({ path: name }) => name))}`,
      'Put the files themselves there: a run is refused until then.',
    );
  if (trusted) return ok('trusted as it is now');
  const says = consent ? `changed since you trusted it: ${fewOf(changed)}` : 'not trusted yet';
  return warn(
    `${says}; the next run will ask. Checks, prompts, reviewers and scripts are not looked at before that`,
    '`pawl trust` lists what would run or apply, and `pawl trust --yes` allows it.',
  );
}

async function lookAtRemote({ config, context, place }: DoctorTools): Promise<Diagnosis | undefined> {
  const { remote } = config.carry;
  if (remote === undefined || !place) return undefined;
  const repo = await openPlainRepo(context, place);
  await readRemoteRefs(repo, await needRemote(repo, remote), ['refs/pawl/*/carried']);
  return ok(`${remote} answers`);
}

/** Runs here start without it. */
async function lookAtFleet({ config }: DoctorTools): Promise<Diagnosis | undefined> {
  if (config.fleet.url === undefined) return undefined;
  try {
    await using queue = await openFleet(config);
    const { database, workers, jobs } = await readFleet(queue);
    const running = formatCount(workers.filter(isThere).length, 'worker');
    const open = formatCount(jobs.filter(({ result }) => !result).length, 'plan');
    return ok(`${database} answers: ${running} running, ${open} in the queue`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return warn(error.message, error.hint ?? 'pawl fleet');
  }
}
