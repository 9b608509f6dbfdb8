// Checks git: its version, the identity commits get, commit signing.
import { type Checkup, type DoctorEntry, type DoctorTools, fail, makeEntry, ok, warn } from './entry.ts';

const neededGit = [2, 31] as const;

export const gitEntries: readonly DoctorEntry[] = [
  makeEntry('git', async ({ git }) => (await git('--version')).stdout.trim(), judgeGit),
  makeEntry('identity', lookIdentity, judgeIdentity),
  makeEntry('signing', lookSigning, judgeSigning),
];

/** Judges what `git --version` printed; empty if it could not be started. */
export function judgeGit(version: string): Checkup {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined)
    return fail('git cannot be started', 'Install git, or put it in PATH.');
  const [wantedMajor, wantedMinor] = neededGit;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return ok(version);
  return fail(`${version} is too old`, `Install git ${wantedMajor}.${wantedMinor} or newer.`);
}

type Identity = Readonly<{ name: string; mail: string }>;

async function lookIdentity({ git, context: { env } }: DoctorTools): Promise<Identity> {
  const name = env['GIT_COMMITTER_NAME'] || (await git('config', '--get', 'user.name')).stdout.trim();
  const mail =
    env['GIT_COMMITTER_EMAIL'] || env['EMAIL'] || (await git('config', '--get', 'user.email')).stdout.trim();
  return { name, mail };
}

function judgeIdentity({ name, mail }: Identity): Checkup {
  if (name !== '' && mail !== '') return ok(`${name} <${mail}>`);
  const missing = [...(name === '' ? ['user.name'] : []), ...(mail === '' ? ['user.email'] : [])];
  return fail(
    `git does not know who commits: ${missing.join(' and ')} not set`,
    missing.map((key) => `git config --global ${key} "…"`).join('; '),
  );
}

type Signing = Readonly<{ on: boolean; format: string; program: string; present: boolean }>;

async function lookSigning({ git, has }: DoctorTools): Promise<Signing> {
  const read = async (key: string) => (await git('config', '--get', key)).stdout.trim();
  const on = (await git('config', '--type=bool', '--get', 'commit.gpgsign')).stdout.trim() === 'true';
  if (!on) return { on, format: '', program: '', present: true };
  const format = (await read('gpg.format')) || 'openpgp';
  const fallback = { ssh: 'ssh-keygen', x509: 'gpgsm' }[format] ?? 'gpg';
  const program =
    (await read(`gpg.${format}.program`)) ||
    (format === 'openpgp' && (await read('gpg.program'))) ||
    fallback;
  return { on, format, program, present: has(program) };
}

function judgeSigning({ on, format, program, present }: Signing): Checkup {
  if (!on) return ok('commits are not signed');
  if (!present)
    return fail(
      `commits are signed, but ${program} cannot be started`,
      `Install ${program}, or set gpg.program.`,
    );
  return warn(
    `commits are signed with ${program} (${format}); at night nobody types a passphrase`,
    'Have the key unlocked (agent) for as long as the run lasts, or: git config commit.gpgsign false',
  );
}
