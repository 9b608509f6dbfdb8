// The looks of `pawl doctor` at the repository.
import { readStages } from '../../config/stages.ts';
import { Failure } from '../../failure.ts';
import { readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { findOperation } from '../../git/protect/snapshot.ts';
import { fewOf } from '../../git/run/names.ts';
import { isThere } from '../../report/status/fleet-view.ts';
import { formatCount } from '../../report/text/figure.ts';
import { remoteOf } from '../../start/carry/prepare-carry.ts';
import { missingOf, placeOf } from '../../start/check-programs.ts';
import { isTrusted, readTrust } from '../../start/consent.ts';
import { openFleet } from '../../start/fleet/settings.ts';
import { readFleet } from '../../start/fleet/view.ts';
import { judgeSessions, purposesOf } from '../../start/judge-sessions.ts';
import { openPlainRepo } from '../../start/open-place.ts';
import { libraryOf } from '../../start/run-base.ts';
import { type Checkup, type DoctorTools, fail, type Look, ok, warn } from './probe.ts';

export const repositoryLooks: Readonly<Record<string, Look>> = {
  repository: lookAtRepository,
  branch: lookAtBranch,
  tree: lookAtTree,
  checks: lookAtChecks,
  reviews: lookAtSessions,
  trust: lookAtTrust,
};

async function lookAtRepository({ place, git }: DoctorTools): Promise<Checkup> {
  const { code, stdout, stderr } = await git('rev-parse', '--is-bare-repository');
  const said = code === 0 ? '' : (stderr.trim().split('\n')[0] ?? '');
  if (stdout.trim() === 'true' || /cannot use bare repository/.test(said))
    return fail(
      'this repository is bare: it has no files to work on',
      'Work in a clone or a working tree of it.',
    );
  if (!place) return fail('this folder is in no git repository', 'git init && git add -A && git commit');
  if (said) return fail(`git refuses this repository: ${said}`, 'git status says what to do.');
  if ((await git('rev-parse', '--verify', '--quiet', 'HEAD')).code === 0)
    return ok('a repository with commits');
  return fail(
    'this repository has no commit yet',
    'git add -A && git commit: pawl needs something to go back to.',
  );
}

async function lookAtBranch({ read, place }: DoctorTools): Promise<Checkup | undefined> {
  if (!place) return undefined;
  const operation = findOperation(place);
  if (operation)
    return fail(
      `a ${operation} is in progress`,
      `Finish it, or: git ${operation} ${operation === 'bisect' ? 'reset' : '--abort'}`,
    );
  const branch = await read('symbolic-ref', '--quiet', '--short', 'HEAD');
  if (branch === '')
    return fail('HEAD is detached: commits would belong to no branch', 'git switch -c some-branch');
  const head = await read('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  if (head !== '') return ok(`on ${branch}; default ${head.replace(/^origin\//, '')}`);
  if ((await read('config', '--get', 'remote.origin.url')) === '') return ok(`on ${branch}`);
  return warn(
    `on ${branch}; origin/HEAD is not set, so the default branch is guessed`,
    'git remote set-head origin --auto',
  );
}

async function lookAtTree({ git, place }: DoctorTools): Promise<Checkup | undefined> {
  if (!place) return undefined;
  const words = ['--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all', '--no-renames'];
  const dirt = (await git('status', ...words)).stdout.split('\0').filter((entry) => entry !== '');
  if (dirt.length === 0) return ok('no uncommitted changes in tracked files');
  return warn(
    `uncommitted changes: ${fewOf(dirt.map((entry) => entry.slice(3)))}`,
    'Commit or stash them before a run; the plan itself may be changed.',
  );
}

/** Those in the settings; `pawl lint` looks at a plan's. */
async function lookAtChecks({ config, unread, context, place }: DoctorTools): Promise<Checkup> {
  const { checks: commands } = unread ?? config;
  if (commands.length === 0)
    return ok('no default checks are configured, each plan defines its own; `pawl init` proposes some');
  const missing = await missingOf(context, config, { root: place?.root ?? context.cwd, commands });
  if (missing.length === 0) return ok(`${formatCount(commands.length, 'check')} in the settings`);
  return warn(
    `checks of the settings cannot run: there is no ${missing.join(', ')} ${placeOf(config)}`,
    'Install them there; a run is refused unless a task in its plan installs them.',
  );
}

/** Throws mistakes in prompts, reviewers and scripts. */
function lookAtSessions({ context, config, place }: DoctorTools): Checkup | undefined {
  if (!place) return undefined;
  const { root } = place;
  if (!isTrusted(context, root))
    return { state: 'unseen', says: 'not looked at before this repository is trusted' };
  const stages = readStages(config.review.stages);
  const given = { library: libraryOf(context, root), config, stages, root, env: context.env };
  judgeSessions(given, [...purposesOf(config, { stages }), 'plan']);
  return ok('prompts, reviewers and scripts can be used');
}

const agree = '`pawl trust` lists what would run or apply, and `pawl trust --yes` allows it.';

function lookAtTrust({ context, place }: DoctorTools): Checkup | undefined {
  if (!place) return undefined;
  const { links, trusted, consent, changed } = readTrust(context, place.root);
  if (links.length > 0)
    return fail(
      `links lead out of the repository: ${fewOf(links.map(({ path: name }) => name))}`,
      'Put the files themselves there: a run is refused until then.',
    );
  if (trusted) return ok('trusted as it is now');
  if (!consent) return warn('not trusted yet; the next run will ask', agree);
  return warn(`changed since you trusted it: ${fewOf(changed)}; the next run will ask`, agree);
}

/** So many slow down every request to a remote. */
const manyRefs = 200;

export const elsewhereLooks: Readonly<Record<string, Look>> = {
  carry: lookAtRemote,
  fleet: lookAtFleet,
};

async function lookAtRemote({ config, context, place }: DoctorTools): Promise<Checkup | undefined> {
  const { remote: name } = config.carry;
  if (name === undefined || !place) return undefined;
  const repo = await openPlainRepo(context, place);
  await refuseUnknownRemote(repo, name);
  const held = await readRemoteRefs(repo, remoteOf(config, name), ['refs/pawl/*/carried']);
  return held.size > manyRefs
    ? warn(`${name} holds ${held.size} carried runs`, 'pawl clean --remote')
    : ok(`${name} answers`);
}

/** Runs here start without it. */
async function lookAtFleet({ config }: DoctorTools): Promise<Checkup | undefined> {
  if (config.fleet.url === undefined) return undefined;
  try {
    await using fleet = await openFleet(config);
    const { database, workers, jobs } = await readFleet(fleet);
    const running = formatCount(workers.filter(isThere).length, 'worker');
    const open = formatCount(jobs.filter(({ result }) => !result).length, 'plan');
    return ok(`${database} answers: ${running} running, ${open} in the queue`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return warn(error.message, error.hint ?? 'pawl fleet');
  }
}
