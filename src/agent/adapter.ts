// What pawl knows about a coding CLI outside its sessions.
import { isAtOrBelow } from '../below.ts';
import type { ConsentClass } from '../config/form.ts';
import type { Config } from '../config/schema.ts';
import type { Agent } from './agent.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type Whereabouts = Readonly<{
  env: Env;
  /** A path that does not exist if it has none. */
  home: string;
  /** Node's name. */
  platform: string;
  uid: number | undefined;
  /** In a sandbox of pawl's. */
  isInside: boolean;
}>;

export type ApiHost = Readonly<{
  /** `host:port`; `*` stands for a part of the name. */
  host: string;
  /** A person set it, by a variable. */
  isConfigured: boolean;
}>;

/** `warn` may go wrong later, `fail` makes a run impossible. */
export type Diagnosis = Readonly<{ state: 'ok' | 'warn' | 'fail'; says: string; remedy?: string }>;

export interface Adapter {
  /** Absent: the user's own program. */
  readonly npmPackage?: string;
  /** Variables of its logins and settings: in a sandbox sessions get those they have a use for, checks none. */
  readonly variables?: RegExp;
  /** Which of all agents' variables it has a use for. Default: its own. */
  uses?(name: string, env: Env): boolean;
  /**
   * Variables it sets for programs it starts: removed, so that no agent takes itself for part of another
   * session.
   */
  readonly outerVariables?: readonly string[];
  readonly obeys?: ObeyedFiles;
  /** It obeys them whatever pawl says. */
  readonly alwaysObeys?: true;
  /** `where`: absent if it only parses recorded output. `script`: its program, if not the configured one. */
  make(
    config: Pick<Config, 'agent' | 'clocks'>,
    given: Readonly<{ where?: Whereabouts | undefined; script?: string | undefined }>,
  ): Agent;
  apiHosts(env: Env): readonly ApiHost[];
  /** Spends nothing and reads no secret. */
  billingOf(config: Pick<Config, 'agent'>, where: Whereabouts): string;
  /** What it may do unasked, in its own term; absent if it has none. */
  permissionsOf?(config: Pick<Config, 'agent'>): string;
  /** Undefined if pawl cannot tell. */
  examineLogin?(config: Pick<Config, 'agent'>, where: Whereabouts): Diagnosis | undefined;
  examinePermissions?(config: Pick<Config, 'agent'>, where: Whereabouts): Diagnosis;
  /** Major and minor; `update`: the command that installs a newer one. */
  readonly oldestKnown?: Readonly<{ version: readonly [number, number]; update: string }>;
}

/** Without a URL the shipped hosts; an invalid one yields none. */
export function hostsBy(url: string | undefined, shipped: readonly string[]): readonly ApiHost[] {
  if (!url) return shipped.map((host) => ({ host, isConfigured: false }));
  const { hostname, port, protocol } = URL.parse(url) ?? { hostname: '', port: '', protocol: '' };
  if (hostname === '') return [];
  return [{ host: `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`, isConfigured: true }];
}

/** Top-level keys of a JSON file: how much each asks for, and in words. */
export type SettingsKeys = Readonly<Record<string, readonly [ConsentClass, string]>>;

/** Shown key by key, or one text for the whole. */
type Described = Readonly<{ keys: SettingsKeys } | { text: string; means?: ConsentClass }>;

/** Paths are relative to the repository's root, with slashes. */
export type ObeyedFiles = Readonly<{
  names: readonly string[];
  /** Of other agents’ names, those that it obeys as well. */
  shared?: readonly string[];
  skips?: readonly string[];
  /** Names it also looks for in folders of this name anywhere. */
  nested?: Readonly<{ folder: string; names: readonly string[] }>;
  /** Its instructions, which an untrusted session is given as text. */
  guides?: readonly string[];
  /** Undefined: unknown. */
  describe(file: string): Described | undefined;
}>;

export function settingsAt(names: readonly string[], skips: readonly string[] = []): ObeyedFiles {
  const isOwn = (file: string) => names.some((name) => isAtOrBelow(file, name));
  const text = 'settings of an agent: it may run programs by them';
  return { names, skips, describe: (file) => (isOwn(file) ? { text, means: 'runs' } : undefined) };
}
