// The environment of pawl's child processes: the user's, without ties to another session, repository or run.
import type { Mark } from './sweep.ts';

export type EnvironmentOptions = Readonly<{
  /** For the child and its descendants; nothing else can set or remove it. */
  mark?: Mark;
  drop?: readonly string[];
  /** Set last but for the mark; undefined removes the name. */
  set?: Readonly<Record<string, string | undefined>>;
}>;

/** Of a session, check or watchdog. */
const marks = /^PAWL_(SESSION|CHECK|WATCHDOG)$/;

/** Never passed on. `agent/agents.ts` removes what agents set for their programs. */
const dropped: readonly RegExp[] = [
  marks,
  // Secrets of the user that no agent or check uses, and the job of a worker.
  /^PAWL_(NOTIFY|FLEET_URL|FLEET_JOB|FORGE_TOKEN)$/,
  // Set by git for hooks, aliases and `rebase --exec` (`git rev-parse --local-env-vars` of 2.39, and two more): another
  // repository, working tree or index;
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|INTERNAL_SUPER_PREFIX)$/,
  // other objects, refs or history;
  /^GIT_(OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|NAMESPACE)$/,
  /^GIT_(GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|SHALLOW_FILE)$/,
  // an outer git's config and its name in the reflog.
  /^GIT_(CONFIG|CONFIG_PARAMETERS|REFLOG_ACTION)$/,
  // An inner runner would take itself for a part of an outer one, or obey its switches.
  /^(GNU|CARGO_)?MAKEFLAGS$|^MFLAGS$|^MAKE(OVERRIDES|LEVEL|_TERMOUT|_TERMERR)$/,
  /^NODE_TEST_(CONTEXT|WORKER_ID)$|^JEST_WORKER_ID$|^VITEST(_MODE|_POOL_ID|_WORKER_ID)?$/,
  /^PYTEST_(CURRENT_TEST|XDIST_WORKER|XDIST_WORKER_COUNT|XDIST_TESTRUNUID)$/,
  /^BAZEL_TEST$|^TEST_(TOTAL_SHARDS|SHARD_INDEX)$|^TESTBRIDGE_TEST_ONLY$/,
  // It removes asserts, which tests are made of.
  /^PYTHONOPTIMIZE$/,
];

export function isDropped(name: string): boolean {
  return dropped.some((pattern) => pattern.test(name));
}

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
  const kept = Object.entries(base).filter(([name]) => !drop.includes(name) && !isDropped(name));
  const environment = new Map(kept);
  for (const [name, value] of Object.entries(set)) environment.set(name, value);
  for (const name of environment.keys()) if (marks.test(name)) environment.delete(name);
  if (mark !== undefined) {
    const at = mark.indexOf('=');
    environment.set(mark.slice(0, at), mark.slice(at + 1));
  }
  return Object.fromEntries(
    [...environment].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
