// What pawl needs to know about a coding CLI outside its sessions: its API hosts, its environment variables, who pays, and
// whether it can run here. One adapter per CLI, listed in agents.ts.
import type { Config } from '../config/schema.ts';
import type { Agent } from './agent.ts';
import type { ObeyedFiles } from './obeyed-files.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where an agent is to work. */
export type Whereabouts = Readonly<{
  /** The environment it will see. */
  env: Env;
  /** Its home; one that does not exist where it sees none. */
  home: string;
  /** As Node names it. */
  platform: string;
  uid: number | undefined;
  /** In a sandbox of pawl's. */
  isInside: boolean;
}>;

/** A host with its port, or a pattern of hosts. */
export type ApiHost = Readonly<{
  /** `host:port`; `*` for a part of the name. */
  host: string;
  /** A person named it, by a variable. */
  isConfigured: boolean;
}>;

/** What a look found: `warn` can go wrong later, `fail` makes a run impossible. */
export type Finding = Readonly<{ state: 'ok' | 'warn' | 'fail'; says: string; remedy?: string }>;

/** How a program answered. */
export type Answer = Readonly<{ code: number | null; stderr: string }>;

/** One CLI. */
export interface Adapter {
  /** Of the shipped program; absent: it is the user's own. */
  readonly npmPackage?: string;
  /** Names of variables that hold its logins and settings: in a sandbox its sessions get them, checks do not. */
  readonly variables?: RegExp;
  /** Variables that it sets for the programs it starts, each with its reason: no agent is to take itself for a part of another session. */
  readonly outerVariables?: Readonly<Record<string, string>>;
  /** What it obeys of a repository it is started in; absent: nothing that pawl knows of. */
  readonly obeys?: ObeyedFiles;
  /** Makes the agent. `where`: absent where it only reads what was said. `script`: its program, where it is not the configured one. */
  make(
    config: Pick<Config, 'agent' | 'clocks'>,
    given: Readonly<{ where?: Whereabouts | undefined; script?: string | undefined }>,
  ): Agent;
  /** The hosts it needs under this environment. */
  apiHosts(env: Env): readonly ApiHost[];
  /** Who pays for it, for the run's header. It spends nothing and reads no secret. */
  billingOf(config: Pick<Config, 'agent'>, where: Whereabouts): string;
  /** What it may do without asking, in its own word; absent: it has no such word. */
  permissionsOf?(config: Pick<Config, 'agent'>): string;
  /** Whether it is logged in there; undefined: that cannot be seen. */
  examineLogin?(config: Pick<Config, 'agent'>, where: Whereabouts): Finding | undefined;
  /** Whether it may work there as this user. */
  examinePermissions?(config: Pick<Config, 'agent'>, where: Whereabouts): Finding;
  /** Whether pawl knows this version; undefined: nothing is known of versions. `update` brings a newer one. */
  judgeVersion?(version: string): Readonly<{ isOlder: boolean; update: string }> | undefined;
  /** What is tried of it beforehand under these settings; none of it costs a token. */
  trialsOf?(config: Pick<Config, 'agent'>, use: Readonly<{ reviews: boolean }>): readonly Trial[];
}

/** A start of its program: the arguments, and what the answer says. */
export type Trial = Readonly<{ args: readonly string[]; judge(answer: Answer): Finding }>;

/** The host of a variable's URL; without one what the CLI ships with. One that is no URL names none. */
export function hostsBy(url: string | undefined, shipped: readonly string[]): readonly ApiHost[] {
  if (!url) return shipped.map((host) => ({ host, isConfigured: false }));
  const { hostname, port, protocol } = URL.parse(url) ?? { hostname: '', port: '', protocol: '' };
  if (hostname === '') return [];
  return [{ host: `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`, isConfigured: true }];
}
