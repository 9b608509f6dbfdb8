// The looks of `pawl doctor` at this machine.
import { existsSync, statfsSync } from 'node:fs';
import { neededGit } from '../../git/run/judge-place.ts';
import { hasImage } from '../../sandbox/docker.ts';
import { formatUpstream, readUpstreams } from '../../sandbox/upstream.ts';
import { judgeSandbox } from '../../start/agent-start.ts';
import { dockerHost, imageOf } from '../../start/sandbox/image.ts';
import { runInside } from '../../start/sandbox/look-inside.ts';
import { type Checkup, type DoctorTools, fail, type Look, ok, warn } from './probe.ts';

const lowBytes = 1024 ** 3;
const noBytes = 200 * 1024 ** 2;

export const machineLooks: Readonly<Record<string, Look>> = {
  shell: ({ has }) => {
    if (has('bash')) return ok('checks run with bash -eo pipefail');
    if (!has('sh'))
      return fail('there is neither bash nor sh in PATH', 'Put a shell in PATH; checks are shell commands.');
    const says = 'no bash: checks run with sh -e, where a pipe hides the failure of all but its last command';
    return warn(says, 'Install bash.');
  },
  disk: ({ context, place }) => judgeDisk(place?.commonDir ?? context.cwd),
  processes: lookAtProcesses,
  sandbox: trySandbox,
  proxy: lookAtProxy,
  git: async ({ read }) => judgeGit(await read('--version')),
  identity: lookAtIdentity,
  signing: lookAtSigning,
};

function judgeDisk(folder: string): Checkup {
  const { bavail, bsize } = statfsSync(folder);
  return judgeFree(bavail * bsize);
}

export function judgeFree(bytes: number): Checkup {
  const free = `${(bytes / 1024 ** 3).toFixed(1)} GB free`;
  if (bytes < noBytes) return fail(free, 'Make room: a journal that cannot be written ends the run.');
  return bytes < lowBytes ? warn(free, 'Make room: sessions are recorded in full.') : ok(free);
}

function lookAtProcesses({ context: { platform }, has }: DoctorTools): Checkup {
  if (platform !== 'linux')
    return has('ps')
      ? ok('ps shows what sessions leave behind')
      : warn('no ps: what sessions leave behind is not found');
  if (!existsSync('/proc/self/environ'))
    return warn('/proc is not readable: processes that sessions leave behind are not found', 'Mount /proc.');
  if (has('setpriv')) return ok('/proc shows what sessions leave behind, and setpriv ties them to pawl');
  return warn(
    'no setpriv: if pawl is killed, its watchdog ends sessions some seconds later',
    'Install util-linux.',
  );
}

/** Throws a Failure for problems with engine or settings. */
async function trySandbox({ context, config, place }: DoctorTools): Promise<Checkup | undefined> {
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

function lookAtProxy({ config, context }: DoctorTools): Checkup | undefined {
  if (config.sandbox.kind === 'none') return undefined;
  const { secure, plain, direct, unread } = readUpstreams(context.env);
  const says = 'does not name an HTTP proxy: such traffic leaves without one';
  if (unread.length > 0)
    return warn(`${unread.join(', ')} ${says}`, 'Name an http:// or https:// proxy, or unset it.');
  const ways = [
    ...(secure ? [`https by ${formatUpstream(secure)} (${secure.variable})`] : []),
    ...(plain ? [`http by ${formatUpstream(plain)} (${plain.variable})`] : []),
  ];
  if (ways.length === 0) return undefined;
  const rest = direct.length === 0 ? '' : `; not for ${direct.join(', ')}`;
  return ok(`traffic that the sandbox lets out goes through ${ways.join(', ')}${rest}`);
}

/** `version`: from `git --version`; empty if git did not start. */
export function judgeGit(version: string): Checkup {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined)
    return fail('git cannot be started', 'Install git, or put it in PATH.');
  const [wantedMajor, wantedMinor] = neededGit;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return ok(version);
  return fail(`${version} is too old`, `Install git ${wantedMajor}.${wantedMinor} or newer.`);
}

async function lookAtIdentity({ read, context: { env } }: DoctorTools): Promise<Checkup> {
  const name = env['GIT_COMMITTER_NAME'] || (await read('config', '--get', 'user.name'));
  const mail = env['GIT_COMMITTER_EMAIL'] || env['EMAIL'] || (await read('config', '--get', 'user.email'));
  if (name !== '' && mail !== '') return ok(`${name} <${mail}>`);
  const missing = [...(name === '' ? ['user.name'] : []), ...(mail === '' ? ['user.email'] : [])];
  return fail(
    `git does not know who commits: ${missing.join(' and ')} not set`,
    missing.map((key) => `git config --global ${key} "…"`).join('; '),
  );
}

async function lookAtSigning({ read, has }: DoctorTools): Promise<Checkup> {
  if ((await read('config', '--type=bool', '--get', 'commit.gpgsign')) !== 'true')
    return ok('commits are not signed');
  const format = (await read('config', '--get', 'gpg.format')) || 'openpgp';
  const program =
    (await read('config', '--get', `gpg.${format}.program`)) ||
    (format === 'openpgp' && (await read('config', '--get', 'gpg.program'))) ||
    ({ ssh: 'ssh-keygen', x509: 'gpgsm' }[format] ?? 'gpg');
  if (!has(program))
    return fail(
      `commits are signed, but ${program} cannot be started`,
      `Install ${program}, or set gpg.program.`,
    );
  return warn(
    `commits are signed with ${program} (${format}); at night nobody types a passphrase`,
    'Have the key unlocked (agent) for as long as the run lasts, or: git config commit.gpgsign false',
  );
}
