// A git command's arguments and environment: unattended, without a stranger's programs; and which exit codes are
// answers.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { ProgramEnd } from '../../process/run-program.ts';
import { essenceOf, type GitRequest } from './run-git.ts';

export type GitOptions = Readonly<{
  input?: string | Uint8Array;
  /** Instead of the repository's own. */
  index?: string;
  /** Exit codes that are an answer; default: only 0. */
  okCodes?: readonly number[];
  env?: Readonly<Record<string, string>>;
  /** Longer output is cut. */
  maxBytes?: number;
  onSaid?: (stderr: string) => void;
  /** Instead of the repository's, in ms: for commands that talk to another machine. */
  clockMs?: number;
}>;

export type GitPlace = Readonly<{
  root: string;
  gitDir: string;
  env: Readonly<Record<string, string>>;
  gitMs: number;
}>;

export function requestOf(place: GitPlace, args: readonly string[], options: GitOptions): GitRequest {
  const { index, input: stdin, maxBytes: stdoutBytes } = options;
  const [command = '', ...words] = args;
  // By a setting alone a `.gitmodules` could have git look into submodules, where it runs by their settings.
  const blind = /^diff(-files)?$/.test(command) ? ['--ignore-submodules'] : [];
  return {
    args: [...safeguards, command, ...blind, ...words],
    cwd: place.root,
    // So that no planted `core.worktree`, `core.bare` or `.git` file leads git elsewhere.
    env: {
      ...place.env,
      GIT_DIR: place.gitDir,
      GIT_WORK_TREE: place.root,
      GIT_NO_REPLACE_OBJECTS: '1',
      ...(index === undefined ? { GIT_OPTIONAL_LOCKS: '0' } : { GIT_INDEX_FILE: index }),
      ...options.env,
    },
    timeoutMs: options.clockMs ?? place.gitMs,
    ...defined({ stdin, stdoutBytes }),
  };
}

/** For all but pawl's own commit: no program of the repository's, no special features of an index. */
export const safeSettings: readonly string[] = [
  'core.fsmonitor=false',
  // A repository may contain another as plain files, whose config would apply in its folder.
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.ignoreStat=false',
  // A file of the same size and time, as left by `cp -p`, is read all the same.
  'core.trustctime=true',
  'core.checkStat=default',
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

export function isAnswer({ cut, timedOut, ended }: ProgramEnd, options: GitOptions): boolean {
  return cut || (!timedOut && ended.code !== null && (options.okCodes ?? [0]).includes(ended.code));
}

/** By git's own words (2.39). */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /Unable to create '.*\.lock'/,
    'Another git works in this repository; if none does, remove the lock file it names.',
  ],
  [
    /No space left on device|Disk quota exceeded/,
    'Free some space on the disk of the folder it wrote to (repository, or pawl’s state folder for lanes and worktrees), then run the same command again; everything done so far is kept.',
  ],
  [
    /are no valid working-tree-encodings/,
    'A .gitattributes says working-tree-encoding without naming one: name it, or remove it.',
  ],
];

/** git's exit code for a command line that it cannot read. */
const usageError = 129;

export function failureOf(args: readonly string[], end: ProgramEnd, clockMs: number): Failure {
  const name = args.find((word, at) => word !== '-c' && args[at - 1] !== '-c');
  const command = `git ${name ?? ''}`;
  if (end.timedOut)
    return new Failure('git', `${command} took longer than ${Math.round(clockMs / 1000)} s`, {
      hint: 'A named pipe in the place of a file makes git wait for ever: find . -type p',
    });
  const hint =
    end.ended.code === usageError
      ? 'This git does not know an option of it: git 2.38 and newer know them all.'
      : hints.find(([words]) => words.test(end.stderr.text))?.[1];
  return new Failure('git', `${command} failed: ${essenceOf(end.stderr.text)}`, defined({ hint }));
}
