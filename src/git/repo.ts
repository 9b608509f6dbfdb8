// The one place that runs git on the user's repository: unattended, with what could run a stranger's program switched
// off. It knows where the repository lies and no subject: refs, trees and commits have files of their own.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { effect } from '../effect.ts';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import { type CommandEnd, runCommand } from '../process/command.ts';
import { childEnvironment } from '../process/environment.ts';
import type { Launcher } from '../process/launcher.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Mark, Sweep } from '../process/sweep.ts';
import { judgePlace } from './judge-place.ts';
import {
  essenceOf,
  type GitEnded,
  type GitRequest,
  gitEnvironment,
  isFromTerminal,
  runGit,
} from './run-git.ts';

export type RepoDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  /** Makes a quicker way to start git than `spawn`, which stays for what it cannot do. */
  launcher?: (env: Readonly<Record<string, string>>) => Launcher;
  /** The whole base environment of git, its filters and hooks. */
  env: Readonly<Record<string, string>>;
  /** Clock of one git command, in ms; DESIGN: 2 min. */
  gitMs: number;
  /** Clock of a commit with its hooks, in ms; DESIGN: 15 min. */
  commitMs: number;
}>;

export type GitOptions = Readonly<{
  input?: string | Uint8Array;
  /** An index file instead of the repository's own. */
  index?: string;
  /** Exit codes that are an answer; default 0 alone. */
  okCodes?: readonly number[];
  env?: Readonly<Record<string, string>>;
  /** Output beyond it is cut. */
  maxBytes?: number;
}>;

/** One working tree and how git is run in it. */
export interface Repo {
  /** Real path of the working tree. */
  readonly root: string;
  /** Git folder of this working tree. */
  readonly gitDir: string;
  /** Git folder shared by all worktrees; run folders live in `<commonDir>/pawl/runs/`. */
  readonly commonDir: string;
  /** The folder hooks were run from when the repository was opened; it need not exist. */
  readonly hooksDir: string;
  /** The environment git runs in, without GIT_DIR and GIT_WORK_TREE. */
  readonly env: Readonly<Record<string, string>>;
  /** Clock of one git command, in ms. */
  readonly gitMs: number;
  /** Stdout of a git command that changes nothing. An exit code that is not in `okCodes`, or the clock, is Failure('git'). */
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  /** As `git`, as bytes: for names and contents. */
  bytes(args: readonly string[], options?: GitOptions): Promise<Buffer>;
  /** As `git`, for a command that changes the repository: passes the door of effects, and waits up to 3 s for another git's lock. */
  write(label: string, args: readonly string[], options?: GitOptions): Promise<string>;
  /** The same runner for another working tree, whose git folder is its own. */
  at(root: string): Repo;
  /** Ends what is kept running to start git quickly; git can still be run. */
  close(): Promise<void>;
  /** A command that runs the user's hooks, with the user's config and the commit clock. Any exit is a value. */
  hooked(label: string, args: readonly string[], options: HookedOptions): Promise<CommandEnd>;
}

export type HookedOptions = Readonly<{
  /** Carried by all it starts, which is ended after it. */
  mark?: Mark;
  input: string;
  env: Readonly<Record<string, string>>;
}>;

/** Finds the working tree around `cwd`. Failure('preflight') when there is none, with what to do; Failure('environment') without git. */
export async function openRepo(cwd: string, deps: RepoDeps): Promise<Repo> {
  const env = gitEnvironment(deps.env);
  const launcher = deps.launcher?.(env);
  const asked = await runGit(deps.spawn, {
    launcher,
    args: ['-c', 'core.fsmonitor=false', 'rev-parse', '--path-format=absolute', ...questions],
    cwd,
    env,
    clockMs: deps.gitMs,
  });
  const [bare, inside, gitDir, commonDir, hooksDir, root] = asked.stdout.toString('utf8').split('\n');
  if (asked.code !== 0 || !root || !gitDir || !commonDir || !hooksDir)
    throw judgePlace({ cwd, stderr: asked.stderr, bare: bare === 'true', inside: inside === 'true' });
  return createRepo(
    {
      root: realpathSync(root),
      gitDir: realpathSync(gitDir),
      commonDir: realpathSync(commonDir),
      hooksDir: path.resolve(root, hooksDir),
    },
    env,
    { ...deps, opened: launcher },
  );
}

const questions = [
  '--is-bare-repository',
  '--is-inside-work-tree',
  '--absolute-git-dir',
  '--git-common-dir',
  '--git-path',
  'hooks',
  '--show-toplevel',
];

type Place = Pick<Repo, 'root' | 'gitDir' | 'commonDir' | 'hooksDir'>;

function placeAt(root: string): Place {
  const gitDir = path.join(root, '.git');
  return { root, gitDir, commonDir: gitDir, hooksDir: path.join(gitDir, 'hooks') };
}

function createRepo(
  place: Place,
  env: Readonly<Record<string, string>>,
  deps: RepoDeps & Readonly<{ opened: Launcher | undefined }>,
): Repo {
  const request = (args: readonly string[], options: GitOptions): GitRequest => ({
    ...requestOf(place, env, args, options, deps.gitMs),
    launcher: deps.opened,
  });
  const bytes = async (args: readonly string[], options: GitOptions = {}): Promise<Buffer> => {
    const ended = await runGit(deps.spawn, request(args, options));
    if (isAnswer(ended, options)) return ended.stdout;
    throw failureOf(args, ended, deps.gitMs);
  };
  const write = async (label: string, args: readonly string[], options: GitOptions = {}): Promise<string> => {
    for (let tries = 0; ; tries += 1) {
      const ended = await effect('git', label, () => runGit(deps.spawn, request(args, options)));
      if (isAnswer(ended, options)) return ended.stdout.toString('utf8');
      if (tries >= 30 || !/Unable to create '.*\.lock'/.test(ended.stderr))
        throw failureOf(args, ended, deps.gitMs);
      await sleep(100);
    }
  };
  return {
    ...place,
    env,
    gitMs: deps.gitMs,
    close: async () => deps.opened?.close(),
    at: (root) => createRepo(placeAt(root), env, deps),
    bytes,
    git: async (args, options) => (await bytes(args, options)).toString('utf8'),
    write,
    hooked: (label, args, { mark, input, env: more }) => {
      const run = () =>
        runCommand(deps.spawn, deps.sweep, {
          file: 'git',
          args: [...hookedSafeguards, ...args],
          cwd: place.root,
          env: childEnvironment(env, { set: more, ...(mark === undefined ? {} : { mark }) }),
          inputText: input,
          timeoutMs: deps.commitMs,
          ...(mark === undefined ? {} : { mark }),
        });
      return effect('git', label, async () => {
        const end = await run();
        return isFromTerminal(end.ended.signal) ? run() : end;
      });
    },
  };
}

function requestOf(
  place: Place,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  options: GitOptions,
  clockMs: number,
) {
  const { index, input, maxBytes } = options;
  return {
    args: [...safeguards, ...args],
    cwd: place.root,
    // Named outright, so that no planted `core.worktree`, `core.bare` or `.git` file leads git elsewhere.
    env: {
      ...env,
      GIT_DIR: place.gitDir,
      GIT_WORK_TREE: place.root,
      GIT_NO_REPLACE_OBJECTS: '1',
      ...(index === undefined ? { GIT_OPTIONAL_LOCKS: '0' } : { GIT_INDEX_FILE: index }),
      ...options.env,
    },
    clockMs,
    ...(input === undefined ? {} : { input }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Settings of every command but pawl's own commit: nothing of a repository's is run, and no index is made special. */
export const safeSettings: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.ignoreStat=false',
  'core.quotePath=false',
  'core.editor=true',
  'diff.ignoreSubmodules=all',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
  'log.showSignature=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'gc.auto=0',
  'maintenance.auto=false',
];

const safeguards = safeSettings.flatMap((setting) => ['-c', setting]);

/** What a command with hooks is spared; hooks see these too, and nothing else of pawl's. */
const hookedSafeguards = ['-c', 'core.fsmonitor=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];

function isAnswer(ended: GitEnded, options: GitOptions): boolean {
  if (ended.cut) return true;
  return !ended.timedOut && ended.code !== null && (options.okCodes ?? [0]).includes(ended.code);
}

function failureOf(args: readonly string[], ended: GitEnded, clockMs: number): Failure {
  const command = `git ${args[0] ?? ''}`;
  if (ended.timedOut)
    return new Failure('git', `${command} took longer than ${Math.round(clockMs / 1000)} s.`);
  const hint = /index\.lock/.test(ended.stderr)
    ? 'Another git works in this repository; if none does, remove the lock file it names.'
    : undefined;
  return new Failure(
    'git',
    `${command} failed: ${essenceOf(ended.stderr)}`,
    hint === undefined ? {} : { hint },
  );
}
