// File systems that fail for real, seen by nobody else: a mount namespace that lives as long as its scope. A program is
// started in it by the words of `enter`; what lies on its mounts is read through `path`.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { Repo } from './temp-repo.ts';

const run = promisify(execFile);

/** A mount namespace. */
export type Mounts = AsyncDisposable &
  Readonly<{
    /** The words before a program's that start it in the namespace, in the folder. */
    enter(cwd: string): readonly string[];
    /** A shell command in the namespace; its stdout. */
    sh(command: string, cwd?: string): Promise<string>;
    /** Puts an empty file system of so many KB over a folder, with what was in it. */
    limit(folder: string, kb: number): Promise<void>;
  }>;

/** A repository as it is seen in the namespace. */
export function seenIn(mounts: Mounts, repo: Repo): Repo {
  const git = (...args: string[]) =>
    mounts.sh(['git', ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '), repo.path);
  return {
    ...repo,
    git,
    read: (file) => mounts.sh(`cat '${file}'`, repo.path),
    log: async () => (await git('log', '--format=%s')).split('\n'),
  };
}

/** Makes a namespace. */
export async function makeMounts(): Promise<Mounts> {
  const holder = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', 'echo ready; exec sleep 600'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  const enter = (cwd: string) => [
    'nsenter',
    `--mount=/proc/${holder.pid}/ns/mnt`,
    '/bin/sh',
    '-c',
    'cd "$0" && exec "$@"',
    cwd,
  ];
  const sh = async (command: string, cwd = '/'): Promise<string> => {
    const [file = '', ...args] = [...enter(cwd), 'sh', '-c', command];
    return (await run(file, args)).stdout.trimEnd();
  };
  return {
    enter,
    sh,
    limit: async (folder, kb) => {
      await sh(
        `set -e; cp -a "$PWD" "$PWD.keep"; mount -t tmpfs -o size=${kb}k none "$PWD"; cd "$PWD"; cp -a "$PWD.keep/." .; rm -r "$PWD.keep"`,
        folder,
      );
    },
    [Symbol.asyncDispose]: async () => {
      holder.kill('SIGKILL');
    },
  };
}
