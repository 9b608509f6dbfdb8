// A real git repository in a temporary folder that removes itself. It reads no configuration of this machine.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A repository with an identity and one commit on `main`. */
export type Repo = AsyncDisposable &
  Readonly<{
    /** Absolute, symlinks resolved. */
    path: string;
    /** The plan's path in the repository; undefined when it was made without one. */
    plan: string | undefined;
    /** stdout of a git command, without its last line end; rejects when git fails. */
    git(...args: string[]): Promise<string>;
    read(file: string): Promise<string>;
    /** Writes a file and the folders it needs. */
    write(file: string, content: string): Promise<void>;
    exists(file: string): Promise<boolean>;
    /** Subjects of the commits reachable from HEAD, newest first. */
    log(): Promise<string[]>;
  }>;

/** One shell for all, since hundreds of tests begin with it. */
const start = `set -e
git init --quiet --initial-branch=main
cat >> .git/config <<'END'
[user]
	name = Test
	email = test@example.invalid
[commit]
	gpgsign = false
END
git add --all
git commit --quiet --message=start
`;

/** What is in the first commit; `plan` is the text of `docs/plans/plan.md`. */
export type RepoContent = Readonly<{ files?: Readonly<Record<string, string>>; plan?: string }>;

/** Makes a repository with one commit, `start`. */
export async function makeRepo(content: RepoContent = {}): Promise<Repo> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'pawl-repo-')));
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: folder, env: gitEnvironment(), maxBuffer: 1 << 26 });
    return stdout.replace(/\n$/, '');
  };
  const write = async (file: string, text: string): Promise<void> => {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  };
  const plan = content.plan === undefined ? undefined : 'docs/plans/plan.md';
  const files = { 'README.md': '# A repository for a test\n', ...content.files };
  for (const [file, text] of Object.entries(files)) await write(file, text);
  if (plan !== undefined && content.plan !== undefined) await write(plan, content.plan);
  await run('sh', ['-c', start], { cwd: folder, env: gitEnvironment() });
  return {
    path: folder,
    plan,
    git,
    write,
    read: (file) => readFile(path.join(folder, file), 'utf8'),
    exists: (file) =>
      access(path.join(folder, file)).then(
        () => true,
        () => false,
      ),
    log: async () => (await git('log', '--format=%s')).split('\n'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const fixed = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  return { ...Object.fromEntries(inherited), ...fixed };
}
