// What pawl needs to know about a coding CLI outside its sessions: its API hosts, its environment variables, who pays, and
// whether it can run here. One adapter per CLI, listed in agents.ts.

import { isAtOrBelow } from '../below.ts';
import type { ConsentClass } from '../config/form.ts';
import type { Config } from '../config/schema.ts';
import type { Agent } from './agent.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type Whereabouts = Readonly<{
  /** The environment it will have. */
  env: Env;
  /** Its home; a path that does not exist if it has none. */
  home: string;
  /** Node's name for the platform. */
  platform: string;
  uid: number | undefined;
  /** Inside one of pawl's sandboxes. */
  isInside: boolean;
}>;

export type ApiHost = Readonly<{
  /** `host:port`; `*` stands for a part of the name. */
  host: string;
  /** A person configured it, with a variable. */
  isConfigured: boolean;
}>;

/** The result of a check: `warn` may go wrong later, `fail` makes a run impossible. */
export type Diagnosis = Readonly<{ state: 'ok' | 'warn' | 'fail'; says: string; remedy?: string }>;

export type Answer = Readonly<{ code: number | null; stderr: string }>;

export interface Adapter {
  /** Of the shipped program; absent if the program is the user's own. */
  readonly npmPackage?: string;
  /** Names of variables that hold its logins and settings: in a sandbox its sessions get them, checks do not. */
  readonly variables?: RegExp;
  /** Variables that it sets for programs it starts: removed, so that no agent takes itself for part of another session. */
  readonly outerVariables?: readonly string[];
  /** What it obeys in a repository it is started in; absent if pawl knows of nothing. */
  readonly obeys?: ObeyedFiles;
  /**
   * Makes the agent. `where`: absent if it is only used to parse recorded output. `script`: its program, if not the
   * configured one.
   */
  make(
    config: Pick<Config, 'agent' | 'clocks'>,
    given: Readonly<{ where?: Whereabouts | undefined; script?: string | undefined }>,
  ): Agent;
  /** The hosts it needs in this environment. */
  apiHosts(env: Env): readonly ApiHost[];
  /** Who pays for it, for the run's header. Spends nothing and reads no secret. */
  billingOf(config: Pick<Config, 'agent'>, where: Whereabouts): string;
  /** What it may do without asking, in its own term; absent if it has no such term. */
  permissionsOf?(config: Pick<Config, 'agent'>): string;
  /** Whether it is logged in there; undefined if pawl cannot tell. */
  examineLogin?(config: Pick<Config, 'agent'>, where: Whereabouts): Diagnosis | undefined;
  /** Whether it may work there as this user. */
  examinePermissions?(config: Pick<Config, 'agent'>, where: Whereabouts): Diagnosis;
  /**
   * Whether pawl knows this version; undefined if versions do not matter. `update`: the command that installs a newer one.
   */
  judgeVersion?(version: string): Readonly<{ isOlder: boolean; update: string }> | undefined;
  /** What to try before it reviews; costs no token. */
  readonly reviewTrial?: SelfTest;
}

/** A start of its program: the arguments, and how to judge the answer. */
export type SelfTest = Readonly<{ args: readonly string[]; judge(answer: Answer): Diagnosis }>;

/** The host in a variable's URL, or without one the CLI's default hosts. An invalid URL yields none. */
export function hostsBy(url: string | undefined, shipped: readonly string[]): readonly ApiHost[] {
  if (!url) return shipped.map((host) => ({ host, isConfigured: false }));
  const { hostname, port, protocol } = URL.parse(url) ?? { hostname: '', port: '', protocol: '' };
  if (hostname === '') return [];
  return [{ host: `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`, isConfigured: true }];
}

/** Top-level keys of a JSON settings file: how much each asks for, and in words. */
export type SettingsKeys = Readonly<Record<string, readonly [ConsentClass, string]>>;

/** What a file is: settings, shown key by key, or a text for the whole. */
type Described = Readonly<{ keys: SettingsKeys } | { text: string; means?: ConsentClass }>;

/** One agent's. Paths are relative to the repository's root, with slashes. */
export type ObeyedFiles = Readonly<{
  /** Files and folders at the root. */
  names: readonly string[];
  /** Parts of these folders that are not included. */
  skips?: readonly string[];
  /** Names it also looks for in folders of this name anywhere below the root. */
  nested?: Readonly<{ folder: string; names: readonly string[] }>;
  /** Its instructions, which an untrusted session is given as text instead of reading them. */
  guides?: readonly string[];
  /** What one of the files is; undefined if nothing is known about it. */
  describe(file: string): Described | undefined;
}>;

export function settingsAt(names: readonly string[], skips: readonly string[] = []): ObeyedFiles {
  const isOwn = (file: string) => names.some((name) => isAtOrBelow(file, name));
  const text = 'settings of an agent: it may run programs by them';
  return { names, skips, describe: (file) => (isOwn(file) ? { text, means: 'runs' } : undefined) };
}
