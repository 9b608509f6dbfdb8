// The one place that runs git on the user's repository: unattended, a stranger's programs disabled. Not simple-git,
// which decodes names as UTF-8, cannot write to stdin, and takes no exit code as an answer.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { effect } from '../../effect.ts';
import { sleep } from '../../process/clock.ts';
import { childEnvironment } from '../../process/environment.ts';
import { type ProgramEnd, runProgram } from '../../process/run-program.ts';
import type { Spawn } from '../../process/spawn.ts';
import type { Mark, Sweep } from '../../process/sweep.ts';
import { failureOf, type GitOptions, isAnswer, requestOf } from './git-command.ts';
import { readHome } from './home.ts';
import { judgePlace, refuseReftable, tooOld } from './judge-place.ts';
import { withoutOwnPrograms } from './own-programs.ts';
import { gitEnvironment, runGit, untilBegun } from './run-git.ts';

export type RepoDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  /** The whole base environment of git, its filters and hooks. */
  env: Readonly<Record<string, string>>;
  /** Per command, in ms; default 2 min. */
  gitMs: number;
  /** For a commit with its hooks, in ms; default 15 min. */
  commitMs: number;
  /** False: no program that its own config names runs. Default true. */
  trusted?: boolean;
  /** False: no hook runs, since whoever works in the tree must not reach this machine. Default true. */
  hooks?: boolean;
}>;

export interface Repo {
  /** Real path. */
  readonly root: string;
  /** Of this working tree. */
  readonly gitDir: string;
  /** Shared by all linked working trees. */
  readonly commonDir: string;
  /** Has pawl's records: `commonDir`, or for a ground the person's. */
  readonly home: string;
  /** As configured when opened; it need not exist. */
  readonly hooksDir: string;
  readonly runsHooks: boolean;
  /** Without GIT_DIR and GIT_WORK_TREE. */
  readonly env: Readonly<Record<string, string>>;
  readonly gitMs: number;
  /** Stdout; changes nothing. An exit code not in `okCodes`, or running out of time, throws Failure('git'). */
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  /** For names and contents. */
  bytes(args: readonly string[], options?: GitOptions): Promise<Buffer>;
  /** Changes the repository: through the door of effects; waits up to 3 s for another git's lock. */
  write(label: string, args: readonly string[], options?: GitOptions): Promise<string>;
  /** With its own git folder, or those in `folders`. */
  at(root: string, folders?: Pick<Repo, 'gitDir' | 'commonDir' | 'hooksDir'>): Repo;
  /** Runs hooks, with the user's config and the commit time limit. Any exit is a value. */
  hooked(label: string, args: readonly string[], options: HookedOptions): Promise<ProgramEnd>;
}

export type HookedOptions = Readonly<{
  /** Marks what it starts, which is ended after it. */
  mark?: Mark;
  input: string;
  env: Readonly<Record<string, string>>;
}>;

/** Throws Failure('preflight') if no working tree is around `cwd`, Failure('environment') without git. */
export async function openRepo(cwd: string, deps: RepoDeps): Promise<Repo> {
  const env = await environmentAt(cwd, deps);
  const asked = await runGit(deps.spawn, {
    args: [...openSafeguards, 'rev-parse', pathFormat, ...questions],
    cwd,
    env,
    timeoutMs: deps.gitMs,
  });
  const [gitDir, commonDir, hooksDir, root] = asked.stdout.text.split('\n');
  // An option that rev-parse does not know comes back as an answer.
  if (gitDir === pathFormat) throw tooOld();
  if (asked.ended.code !== 0 || !root || !gitDir || !commonDir || !hooksDir)
    throw judgePlace(cwd, asked.stderr.text);
  refuseReftable({ root, commonDir });
  return createRepo(
    {
      root: realpathSync(root),
      gitDir: realpathSync(gitDir),
      commonDir: realpathSync(commonDir),
      home: readHome(gitDir) ?? realpathSync(commonDir),
      hooksDir: path.resolve(root, hooksDir),
    },
    env,
    deps,
  );
}

const pathFormat = '--path-format=absolute';

const openSafeguards = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];

async function environmentAt(
  cwd: string,
  { spawn, env: base, gitMs, trusted = true }: RepoDeps,
): Promise<Readonly<Record<string, string>>> {
  const env = gitEnvironment(base);
  if (trusted) return env;
  const ask = async (args: readonly string[]) => {
    const asked = { args: [...openSafeguards, ...args], cwd, env, timeoutMs: gitMs };
    return (await runGit(spawn, asked)).stdout.text;
  };
  return { ...env, ...(await withoutOwnPrograms(ask, env)) };
}

const questions = ['--absolute-git-dir', '--git-common-dir', '--git-path', 'hooks', '--show-toplevel'];

type Place = Pick<Repo, 'root' | 'gitDir' | 'commonDir' | 'home' | 'hooksDir'>;

function placeAt(root: string): Omit<Place, 'home'> {
  const gitDir = path.join(root, '.git');
  return { root, gitDir, commonDir: gitDir, hooksDir: path.join(gitDir, 'hooks') };
}

function createRepo(place: Place, env: Readonly<Record<string, string>>, deps: RepoDeps): Repo {
  const at = { ...place, env, gitMs: deps.gitMs, runsHooks: deps.hooks ?? true };
  const bytes = async (args: readonly string[], options: GitOptions = {}): Promise<Buffer> => {
    const ended = await runGit(deps.spawn, requestOf(at, args, options));
    if (isAnswer(ended, options)) return ended.stdout.bytes;
    throw failureOf(args, ended, options.clockMs ?? deps.gitMs);
  };
  const write: Repo['write'] = async (label, args, options = {}) => {
    const run = () => effect('git', label, () => runGit(deps.spawn, requestOf(at, args, options)));
    const ended = await untilFree(run, (each) => !isAnswer(each, options) && isLocked(each));
    options.onSaid?.(ended.stderr.text);
    if (isAnswer(ended, options)) return ended.stdout.text;
    throw failureOf(args, ended, options.clockMs ?? deps.gitMs);
  };
  return {
    ...at,
    at: (root, folders) => createRepo({ ...placeAt(root), ...folders, root, home: place.home }, env, deps),
    bytes,
    git: async (args, options) => (await bytes(args, options)).toString('utf8'),
    write,
    hooked: (label, args, options) =>
      effect('git', label, () => untilBegun(() => runHooked(at, deps, args, options))),
  };
}

async function untilFree(
  run: () => Promise<ProgramEnd>,
  isInTheWay: (ended: ProgramEnd) => boolean,
): Promise<ProgramEnd> {
  for (let tries = 0; ; tries += 1) {
    const ended = await run();
    if (tries >= 30 || !isInTheWay(ended)) return ended;
    await sleep(100);
  }
}

function isLocked({ stderr }: ProgramEnd): boolean {
  return /Unable to create '.*\.lock'/.test(stderr.text);
}

function runHooked(
  { root, env, runsHooks }: Pick<Repo, 'root' | 'env' | 'runsHooks'>,
  { spawn, sweep, commitMs }: RepoDeps,
  args: readonly string[],
  options: HookedOptions,
): Promise<ProgramEnd> {
  const marked = defined({ mark: options.mark });
  return runProgram(
    { spawn, sweep },
    {
      file: 'git',
      args: [...hookedSafeguards, ...(runsHooks ? [] : hooklessSafeguards), ...args],
      cwd: root,
      env: childEnvironment(env, { set: options.env, ...marked }),
      stdin: options.input,
      timeoutMs: commitMs,
      ...marked,
    },
  );
}

/** Hooks see these settings too, and nothing else of pawl's. */
const hookedSafeguards = ['-c', 'core.fsmonitor=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];

/** Keeps git out of repositories that somebody created in the tree. */
const hooklessSafeguards = [
  'core.hooksPath=/dev/null',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);
