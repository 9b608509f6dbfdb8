// A real git repository in a temporary folder that removes itself. It reads no configuration of this machine. One that is
// made a second time is copied: what git's commands cost is paid once for many tests.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
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
    /** Writes a file and the folders it needs; a script can be executed. */
    write(file: string, content: string): Promise<void>;
    exists(file: string): Promise<boolean>;
    /** Commits all that is there. */
    commit(message: string): Promise<unknown>;
    /** Subjects of the commits reachable from HEAD, newest first. */
    log(): Promise<string[]>;
  }>;

/** One shell for all. */
const start = `set -e
git init --quiet --initial-branch=main --template=
mkdir .git/info .git/hooks
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

/** What is in the first commit; `plan` is the text of `docs/plans/plan.md`, `more` a script of what follows in every such repository. */
export type RepoContent = Readonly<{
  files?: Readonly<Record<string, string>>;
  plan?: string;
  more?: string;
}>;

/** Makes a repository with one commit, `start`. */
export async function makeRepo(content: RepoContent = {}): Promise<Repo> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'pawl-repo-')));
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: folder, env: gitEnvironment(), maxBuffer: 1 << 26 });
    return stdout.replace(/\n$/, '');
  };
  const write = (file: string, text: string) => writeInto(folder, file, text);
  const plan = content.plan === undefined ? undefined : 'docs/plans/plan.md';
  const files = {
    'README.md': '# A repository for a test\n',
    ...content.files,
    ...(content.plan === undefined ? {} : { 'docs/plans/plan.md': content.plan }),
  };
  await fill(folder, files, start + (content.more ?? ''));
  return {
    path: folder,
    plan,
    git,
    write,
    read: (file) => readFile(path.join(folder, file), 'utf8'),
    exists: async (file) => existsSync(path.join(folder, file)),
    commit: (message) => git('add', '-A').then(() => git('commit', '-qm', message)),
    log: async () => (await git('log', '--format=%s')).split('\n'),
    [Symbol.asyncDispose]: async () =>
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

/** Contents that were made once, and from the second time on the folder that is copied. */
const templates = new Map<string, Promise<string> | undefined>();
let templateFolder: string | undefined;

/** Makes the repository in an empty folder. */
async function fill(folder: string, files: Readonly<Record<string, string>>, script: string): Promise<void> {
  const key = JSON.stringify([files, script]);
  if (!templates.has(key)) {
    templates.set(key, undefined);
    return make(folder, files, script);
  }
  const template = templates.get(key) ?? makeTemplate(files, script);
  templates.set(key, template);
  // At once: file by file, each with promises, costs eight times as much.
  cpSync(await template, folder, { recursive: true, verbatimSymlinks: true });
  // The index knows the files by what the system says of them.
  await run('git', ['update-index', '-q', '--refresh'], { cwd: folder, env: gitEnvironment() });
}

async function makeTemplate(files: Readonly<Record<string, string>>, script: string): Promise<string> {
  if (templateFolder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'pawl-templates-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    templateFolder = made;
  }
  const folder = await mkdtemp(path.join(templateFolder, 'repo-'));
  await make(folder, files, script);
  return folder;
}

async function make(folder: string, files: Readonly<Record<string, string>>, script: string): Promise<void> {
  for (const [file, text] of Object.entries(files)) await writeInto(folder, file, text);
  await run('sh', ['-c', script], { cwd: folder, env: gitEnvironment() });
}

async function writeInto(folder: string, file: string, text: string): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text, { mode: text.startsWith('#!') ? 0o777 : 0o666 });
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const fixed = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  // A commit would start a program that looks whether there is anything to tidy.
  const noUpkeep = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  };
  return { ...Object.fromEntries(inherited), ...fixed, ...noUpkeep };
}
