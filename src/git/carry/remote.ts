// Refs of a git remote, moved under a lease: whoever's push is accepted owns what it moved.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { shorten } from '../../shorten.ts';
import { listRemotes } from '../porcelain.ts';
import { descends } from '../run/ancestry.ts';
import type { GitOptions } from '../run/git-command.ts';
import { usualPrograms } from '../run/own-programs.ts';
import type { Repo } from '../run/repo.ts';
import { essenceOf } from '../run/run-git.ts';

export type Remote = Readonly<{
  name: string;
  clockMs: number;
  /** Opens no window for a passphrase; programs that answer by themselves run. */
  unattended?: true;
  /** Called before each command; throws if none may run. */
  mayAsk?: () => Promise<void>;
}>;

/** One deadline for all commands that follow. */
export function withOneClock({ clockMs, ...remote }: Remote): Remote {
  const until = performance.now() + clockMs;
  return {
    ...remote,
    get clockMs() {
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

async function talkingTo(remote: Remote): Promise<GitOptions> {
  await remote.mayAsk?.();
  return { clockMs: remote.clockMs, ...defined({ env: remote.unattended && noWindow }) };
}

/** A ground refuses pushes by a remote's name, lest a session push: pawl pushes to where its home would. */
async function pushAddress(repo: Repo, name: string): Promise<string> {
  const { home: gitDir, commonDir, hooksDir } = repo;
  if (gitDir === commonDir) return name;
  const home = repo.at(gitDir, { gitDir, commonDir: gitDir, hooksDir });
  return (await home.git(['remote', 'get-url', '--push', name])).trim();
}

/** Throws Failure('preflight') if there is none. */
export async function refuseUnknownRemote(repo: Repo, name: string): Promise<void> {
  const names = await listRemotes(repo);
  if (names.includes(name)) return;
  const has = names.length === 0 ? 'It has none: `git remote add` adds one.' : `It has ${names.join(', ')}.`;
  throw new Failure('preflight', `this repository has no remote named ${JSON.stringify(name)}`, {
    hint: has,
  });
}

/** Throws Failure('git') if the remote cannot be reached. */
export async function readRemoteRefs(
  repo: Repo,
  remote: Remote,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = await repo.git(
    ['ls-remote', '-q', usualPrograms.fetch, remote.name, ...patterns],
    await talkingTo(remote),
  );
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [oid = '', ref] = line.split('\t');
      return ref === undefined ? [] : [[ref, oid]];
    }),
  );
}

/** git checks each object; no ref moves. */
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
    await talkingTo(remote),
  );
}

/** The head of a branch there, fetched, if `oid` lacks it. */
export async function findAhead(
  repo: Repo,
  remote: Remote,
  { name, oid }: Pick<BranchPush, 'name' | 'oid'>,
): Promise<string | undefined> {
  const ref = `refs/heads/${name}`;
  const there = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (there === undefined || there === oid) return undefined;
  await fetchRefs(repo, remote, [ref]);
  return (await descends(repo, there, oid)) ? undefined : there;
}

/**
 * Moves the ref from `old` (undefined: it must not exist) to `now`, and with it a branch: fast-forward, or replaced if
 * exactly at `over`.
 */
export type LeasedPush = Readonly<{
  ref: string;
  old: string | undefined;
  now: string;
  branch?: BranchPush | undefined;
}>;

export type BranchPush = Readonly<{ name: string; oid: string; over?: string | undefined }>;

/** All accepted, or nothing; `why`: git's reason, `of`: what the remote refused. */
export type PushEnd = 'taken' | Readonly<{ why: string; of?: 'branch' | 'ref' }>;

export async function pushLeased(
  repo: Repo,
  remote: Remote,
  { ref, old, now, branch }: LeasedPush,
): Promise<PushEnd> {
  const specs = [`${now}:${ref}`, ...(branch ? [`${branch.oid}:refs/heads/${branch.name}`] : [])];
  const args = [
    ...['push', '--porcelain', '--atomic', '--no-verify', '--no-follow-tags', '--no-signed'],
    ...[
      usualPrograms.push,
      '--recurse-submodules=no',
      `--force-with-lease=${ref}:${old ?? ''}`,
      ...(branch?.over === undefined ? [] : [`--force-with-lease=refs/heads/${branch.name}:${branch.over}`]),
      await pushAddress(repo, remote.name),
      ...specs,
    ],
  ];
  let server = '';
  const onSaid = (stderr: string) => {
    const lines = stderr.split('\n').flatMap((line) => /^remote:\s*(.*?)\s*$/.exec(line)?.[1] || []);
    server = shorten(lines.join(' '), 400);
  };
  try {
    const options = { ...(await talkingTo(remote)), okCodes: [0, 1], onSaid };
    const printed = await repo.write('push carried', args, options);
    const refused = printed.split('\n').filter((line) => line.startsWith('!'));
    if (printed.includes('\nDone') && refused.length === 0) return 'taken';
    // With --atomic, one refused ref refuses the others.
    const telling = refused.filter((line) => !/atomic push fail/.test(line));
    const ofBranch = branch && telling.find((line) => line.includes(`:refs/heads/${branch.name}\t`));
    const isStale = telling.some((line) => line.includes(`:${ref}\t`) && line.includes('stale info'));
    const said = (!isStale && ofBranch) || (telling[0] ?? refused[0]);
    if (!said) return { why: 'git did not say why' };
    const why = withoutLogin(said.split('\t').at(-1) ?? '') + (server && `: ${server}`);
    return { why, of: said === ofBranch ? 'branch' : 'ref' };
  } catch (error) {
    if (error instanceof Failure && error.code === 'git') return { why: withoutLogin(error.message) };
    throw error;
  }
}

/** git's output may name a URL with a password. */
export function withoutLogin(text: string): string {
  return essenceOf(text).replace(/:\/\/[^/\s]+@/g, '://');
}
