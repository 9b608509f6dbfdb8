// Reads history as data through simple-git. Status, diffs and branches bypass simple-git: it decodes all output as UTF-8 while
// file names are bytes, and it can neither write to stdin nor accept an exit code as an answer.
import { simpleGit } from 'simple-git';
import { Failure } from '../../failure.ts';
import { type Ended, programStarted, type StartedProgram } from '../../process/spawn.ts';
import { safeSettings } from './git-command.ts';
import type { Repo } from './repo.ts';
import { essenceOf } from './run-git.ts';

export type LoggedCommit = Readonly<{
  oid: string;
  tree: string;
  /** The first parent; undefined of a root. */
  parent: string | undefined;
  /** Committer's date, ISO 8601. */
  at: string;
  /** Whole, as it was committed. */
  message: string;
}>;

/** The commits that `git log` with these arguments shows, in its order. A revision that does not exist is Failure('git'). */
export async function readLog(repo: Repo, args: readonly string[]): Promise<readonly LoggedCommit[]> {
  const git = simpleGit({
    baseDir: repo.root,
    trimmed: false,
    timeout: { block: repo.gitMs },
    config: [...safeSettings],
    // It refuses these settings since a caller could pass on a stranger's; ours are constants that switch things off.
    unsafe: {
      allowUnsafeFsMonitor: true,
      allowUnsafeHooksPath: true,
      allowUnsafeEditor: true,
      // The user's own choice of config files, which every other git command obeys too.
      allowUnsafeConfigPaths: true,
    },
    allowEnvironment: Object.keys(environmentOf(repo)),
  });
  const words = ['log', '-z', '--no-color', '--no-decorate', format, ...args];
  const over = Promise.withResolvers<Ended>();
  const told: StartedProgram = {
    file: 'git',
    args: words,
    cwd: repo.root,
    pid: undefined,
    ended: over.promise,
  };
  programStarted.publish(told);
  try {
    const output = await git.env(environmentOf(repo)).raw(words);
    over.resolve({ code: 0, signal: null });
    return parseLog(output);
  } catch (error) {
    over.resolve({ code: null, signal: null });
    throw new Failure('git', `git log failed: ${essenceOf(String(error))}`, { cause: error });
  }
}

const format = '--format=%H%n%T%n%P%n%cI%n%B';

/** Reads NUL-separated records of `format`. */
export function parseLog(output: string): readonly LoggedCommit[] {
  return output.split('\0').flatMap((record) => {
    const [oid = '', tree = '', parents = '', at = '', ...message] = record.split('\n');
    if (oid === '') return [];
    return [{ oid, tree, parent: parents.split(' ')[0] || undefined, at, message: message.join('\n') }];
  });
}

/** Only what finds the repository and its settings: the rest of a user's environment is nothing to a log. */
function environmentOf(repo: Repo): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'XDG_CONFIG_HOME',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_NOSYSTEM',
  ];
  const kept = names.flatMap((name) => {
    const value = repo.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(kept),
    LC_MESSAGES: 'C',
    GIT_DIR: repo.gitDir,
    GIT_WORK_TREE: repo.root,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}
