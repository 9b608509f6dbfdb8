// The environment of pawl's child processes: the user's, without ties to another session, repository or run.
import type { Mark } from './sweep.ts';

export type EnvironmentOptions = Readonly<{
  /** For the child and its descendants; nothing else can set or remove it. */
  mark?: Mark;
  drop?: readonly string[];
  /** Set last but for the mark; undefined removes the name. */
  set?: Readonly<Record<string, string | undefined>>;
}>;

/** Never passed on, and why. `agent/agents.ts` removes what agents set for their programs. */
export const droppedVariables: Readonly<Record<string, string>> = {
  PAWL_SESSION: 'the mark of another session',
  PAWL_CHECK: 'the mark of another check',
  PAWL_WATCHDOG: 'the mark of a watchdog',
  // No agent or check uses them.
  PAWL_NOTIFY: 'secrets of the user',
  PAWL_NOTIFY_URLS: 'secrets of the user',
  PAWL_FLEET_URL: 'secrets of the user',
  PAWL_FLEET_JOB: 'the job of a worker',
  PAWL_FORGE_TOKEN: 'the login of a forge, for pawl alone',
  // Set by git for hooks, aliases and `rebase --exec`: `git rev-parse --local-env-vars` (2.39) and two more.
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
  // An inner runner would take itself for a part of an outer one.
  MAKEFLAGS: 'the switches of an outer make, such as -i and -n',
  MFLAGS: 'the switches of an outer make',
  GNUMAKEFLAGS: 'the switches of an outer make',
  MAKEOVERRIDES: 'the variables of an outer make',
  MAKELEVEL: 'the depth of an outer make',
  MAKE_TERMOUT: 'the terminal of an outer make',
  MAKE_TERMERR: 'the terminal of an outer make',
  CARGO_MAKEFLAGS: 'the jobs of an outer cargo',
  NODE_TEST_CONTEXT: 'an outer node --test: an inner one reports to it and exits with 0',
  NODE_TEST_WORKER_ID: 'an outer node --test',
  JEST_WORKER_ID: 'an outer jest',
  VITEST: 'an outer vitest',
  VITEST_MODE: 'an outer vitest',
  VITEST_POOL_ID: 'an outer vitest',
  VITEST_WORKER_ID: 'an outer vitest',
  PYTEST_CURRENT_TEST: 'an outer pytest',
  PYTEST_XDIST_WORKER: 'an outer pytest',
  PYTEST_XDIST_WORKER_COUNT: 'an outer pytest',
  PYTEST_XDIST_TESTRUNUID: 'an outer pytest',
  BAZEL_TEST: 'an outer bazel test',
  TEST_TOTAL_SHARDS: 'the share of an outer bazel test',
  TEST_SHARD_INDEX: 'the share of an outer bazel test',
  TESTBRIDGE_TEST_ONLY: 'the filter of an outer bazel test',
  PYTHONOPTIMIZE: 'asserts, which tests are made of',
};

/** Passed on, though they can turn a check green or red. */
const verdictVariables = [
  'BASH_ENV',
  'GOFLAGS',
  'GRADLE_OPTS',
  'MAKEFILES',
  'MAVEN_ARGS',
  'MAVEN_OPTS',
  'NODE_OPTIONS',
  'PERL5OPT',
  'PYTEST_ADDOPTS',
  'PYTEST_PLUGINS',
  'RUBYOPT',
  'RUSTFLAGS',
  'SHELLOPTS',
  'TESTOPTS',
];

export function verdictSwitches(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return verdictVariables.filter((name) => (env[name] ?? '') !== '');
}

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
