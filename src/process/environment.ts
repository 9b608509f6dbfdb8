// The environment a child of pawl gets: the user's, without what would tie it to another session, repository or run.
// It reads no environment itself and knows no agent's own settings.
import type { Mark } from './sweep.ts';

/** What is laid over the user's environment. */
export type EnvironmentOptions = Readonly<{
  /** The mark the child and its descendants carry; reserved: nothing else can set or remove it. */
  mark?: Mark;
  /** Further names to leave out. */
  drop?: readonly string[];
  /** Set last but for the mark; an undefined value leaves the name out. */
  set?: Readonly<Record<string, string | undefined>>;
}>;

/** Names never handed on, each with its reason. Logins, providers and folders (CLAUDE_CODE_OAUTH_TOKEN, CLAUDE_CODE_USE_BEDROCK, CLAUDE_CONFIG_DIR, …) are the user's and stay. */
export const droppedVariables: Readonly<Record<string, string>> = {
  // Set by Claude Code 2.1.330 for the commands its tools run, read from its binary.
  CLAUDECODE: 'says that the child runs inside a session: it behaves as a child of it',
  CLAUDE_CODE_CHILD_SESSION: 'the same; a session that has it keeps no transcript to resume',
  CLAUDE_CODE_SESSION_ID: 'names the outer session',
  CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: 'names the outer sessions',
  CLAUDE_CODE_SESSION_ATTENDED: 'says whether a person sits at the outer session',
  CLAUDE_CODE_ENTRYPOINT: 'says how the outer session was started',
  CLAUDE_CODE_SSE_PORT: 'connects to the editor of the outer session',
  CLAUDE_CODE_STARTER_MAY_HOLD_CONNECTOR_FILE: 'speaks of a file of the outer session',
  CLAUDE_CODE_CHILD_NOTES_DIR: 'a folder of the outer session',
  CLAUDE_PID: 'the process of the outer session',
  CLAUDE_EFFORT: 'the effort of the outer session',
  CLAUDE_PROJECT_DIR: 'the project of the outer session, set for its hooks',
  CLAUDE_ENV_FILE: 'a file of the outer session, set for its hooks',
  CLAUDE_PLUGIN_ROOT: 'a folder of a plugin of the outer session',
  CLAUDE_PLUGIN_DATA: 'a folder of a plugin of the outer session',
  AI_AGENT: 'names the outer agent',
  CODEX_THREAD_ID: 'names the outer codex session',
  // Reserved for pawl.
  PAWL_SESSION: 'the mark of another session',
  PAWL_CHECK: 'the mark of another check',
  PAWL_WATCHDOG: 'the mark of a watchdog',
  // Set by git for its hooks, aliases and `rebase --exec`: `git rev-parse --local-env-vars` (2.39) and two more.
  GIT_DIR: 'another repository',
  GIT_WORK_TREE: 'another working tree',
  GIT_IMPLICIT_WORK_TREE: 'another working tree',
  GIT_INDEX_FILE: 'another index',
  GIT_COMMON_DIR: 'another repository',
  GIT_OBJECT_DIRECTORY: 'other objects',
  GIT_ALTERNATE_OBJECT_DIRECTORIES: 'other objects',
  GIT_QUARANTINE_PATH: 'the objects of an unfinished push',
  GIT_NAMESPACE: 'other refs',
  GIT_PREFIX: 'another folder',
  GIT_INTERNAL_SUPER_PREFIX: 'another folder',
  GIT_GRAFT_FILE: 'another history',
  GIT_REPLACE_REF_BASE: 'another history',
  GIT_NO_REPLACE_OBJECTS: 'another history',
  GIT_SHALLOW_FILE: 'another history',
  GIT_CONFIG: 'another config, for `git config` alone',
  GIT_CONFIG_PARAMETERS: 'the `-c` options of an outer git',
  GIT_REFLOG_ACTION: 'names an outer git command in the reflog',
};

/** The whole environment of a child. */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { mark, drop = [], set = {} }: EnvironmentOptions = {},
): Readonly<Record<string, string>> {
  const environment = new Map(Object.entries(base));
  for (const name of drop) environment.delete(name);
  for (const name of Object.keys(droppedVariables)) environment.delete(name);
  for (const [name, value] of Object.entries(set)) environment.set(name, value);
  for (const name of reserved) environment.delete(name);
  if (mark !== undefined) {
    const at = mark.indexOf('=');
    environment.set(mark.slice(0, at), mark.slice(at + 1));
  }
  return Object.fromEntries(
    [...environment].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const reserved = ['PAWL_SESSION', 'PAWL_CHECK', 'PAWL_WATCHDOG'];
