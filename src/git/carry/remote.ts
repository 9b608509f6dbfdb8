// Asks a git remote for refs, brings objects from it, and moves refs there in one push under a lease: whose push is taken owns
// what it moved.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { GitOptions } from '../run/git-command.ts';
import { usualPrograms } from '../run/own-programs.ts';
import type { Repo } from '../run/repo.ts';
import { essenceOf } from '../run/run-git.ts';

/** A remote by its name in the repository's configuration, and how long it may take to answer, ms. */
export type Remote = Readonly<{
  name: string;
  clockMs: number;
  /** Nobody is asked for a passphrase: no window is opened. A program that answers by itself still does. */
  unattended?: true;
}>;

/** The remote, with one clock for all that is asked of it from now on. `mayAsk` is called before each command, and throws where none may run. */
export function withOneClock({ clockMs, ...remote }: Remote, mayAsk?: () => void): Remote {
  const until = performance.now() + clockMs;
  return {
    ...remote,
    get clockMs() {
      mayAsk?.();
      const left = until - performance.now();
      if (left > 0) return left;
      throw new Failure('git', `${remote.name} did not answer within ${Math.round(clockMs / 1000)} s`);
    },
  };
}

const noWindow = {
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
  GCM_INTERACTIVE: 'never',
};

/** How git is run where it speaks to the remote. */
function talkingTo({ clockMs, unattended }: Remote): GitOptions {
  return { clockMs, ...defined({ env: unattended && noWindow }) };
}

/** The names of the repository's remotes. */
export async function listRemotes(repo: Repo): Promise<readonly string[]> {
  return (await repo.git(['remote'])).split('\n').filter((each) => each !== '');
}

/** Failure('preflight') unless the repository has a remote of that name: what is carried goes nowhere that nobody set up. */
export async function refuseUnknownRemote(repo: Repo, name: string): Promise<void> {
  const names = await listRemotes(repo);
  if (names.includes(name)) return;
  throw new Failure('preflight', `this repository has no remote named ${JSON.stringify(name)}`, {
    hint:
      names.length === 0
        ? `Add one: git remote add ${/^[\w.-]+$/.test(name) ? name : 'origin'} <url>`
        : `It has ${names.join(', ')}; \`git remote -v\` shows where they are.`,
  });
}

/** The refs of a remote that fit the patterns; Failure('git') where it cannot be asked. */
export async function readRemoteRefs(
  repo: Repo,
  remote: Remote,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = await repo.git(
    ['ls-remote', '-q', usualPrograms.fetch, remote.name, ...patterns],
    talkingTo(remote),
  );
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [oid = '', ref] = line.split('\t');
      return ref === undefined ? [] : [[ref, oid]];
    }),
  );
}

/** Brings what these refs of a remote hold into the repository, each object looked at by git; no ref of the repository moves. */
export async function fetchRefs(repo: Repo, remote: Remote, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  const quiet = [
    usualPrograms.fetch,
    '-q',
    '--no-tags',
    '--refmap=',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
  ];
  await repo.write(
    'fetch carried',
    ['-c', 'fetch.fsckObjects=true', 'fetch', ...quiet, remote.name, ...refs],
    talkingTo(remote),
  );
}

/** One push: the ref from `old` (undefined: it must not be there) to `now`, and with it a branch, which only goes forward, or takes the place of just the commit `over`. */
export type LeasedPush = Readonly<{
  ref: string;
  old: string | undefined;
  /** Undefined deletes it. */
  now: string | undefined;
  branch?: BranchPush | undefined;
}>;

/** A branch that is pushed. */
export type BranchPush = Readonly<{ name: string; oid: string; over?: string | undefined }>;

/** All of it was taken, or nothing, and why in git's words; `of`: what of it the remote refused. */
export type PushEnd = 'taken' | Readonly<{ why: string; of?: 'branch' | 'ref' }>;

/** Pushes under the lease. */
export async function pushLeased(
  repo: Repo,
  remote: Remote,
  { ref, old, now, branch }: LeasedPush,
): Promise<PushEnd> {
  const specs = [`${now ?? ''}:${ref}`, ...(branch ? [`${branch.oid}:refs/heads/${branch.name}`] : [])];
  const args = [
    ...['push', '--porcelain', '--atomic', '--no-verify', '--no-follow-tags', '--no-signed'],
    ...[
      usualPrograms.push,
      '--recurse-submodules=no',
      `--force-with-lease=${ref}:${old ?? ''}`,
      ...(branch?.over === undefined ? [] : [`--force-with-lease=refs/heads/${branch.name}:${branch.over}`]),
      remote.name,
      ...specs,
    ],
  ];
  try {
    const printed = await repo.write('push carried', args, { ...talkingTo(remote), okCodes: [0, 1] });
    const refused = printed.split('\n').filter((line) => line.startsWith('!'));
    if (printed.includes('\nDone') && refused.length === 0) return 'taken';
    // With --atomic the others are refused for the sake of one.
    const telling = refused.filter((line) => !/atomic push fail/.test(line));
    const ofBranch = branch && telling.find((line) => line.includes(`:refs/heads/${branch.name}\t`));
    const isStale = telling.some((line) => line.includes(`:${ref}\t`) && line.includes('stale info'));
    const said = (!isStale && ofBranch) || (telling[0] ?? refused[0]);
    if (!said) return { why: 'git did not say why' };
    const why = withoutLogin(said.split('\t').at(-1) ?? '');
    return { why, of: said === ofBranch ? 'branch' : 'ref' };
  } catch (error) {
    if (error instanceof Failure && error.code === 'git') return { why: withoutLogin(error.message) };
    throw error;
  }
}

/** What git says may name a URL with a password in it. */
export function withoutLogin(text: string): string {
  return essenceOf(text).replace(/:\/\/[^/\s]+@/g, '://');
}
