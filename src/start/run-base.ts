// What every kind of run is opened with, and the facts about its start.
import path from 'node:path';
import { adapterOf, shippedAgent } from '../agent/agents.ts';
import { shippedNameOf } from '../agent-name.ts';
import { findShell } from '../check/shell.ts';
import type { Config } from '../config/schema.ts';
import { estimateSessions, type Stage } from '../config/stages.ts';
import { defined } from '../defined.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import type { ReviewAsked } from '../event/run.ts';
import type { Base, OpenRequest } from '../phase/open/may-open.ts';
import { sleep } from '../process/clock.ts';
import { changedSince } from '../trust/trust.ts';
import { findTrustFiles } from '../trust/trust-files.ts';
import { agentLocationOf, withAgent } from './agent-start.ts';
import type { Trust } from './consent.ts';
import type { CliContext } from './context.ts';
import { groundsOf } from './ground/make-own.ts';
import { host, hostEnvironment } from './host.ts';
import { openPlainRepo } from './open-place.ts';
import { findReadOnlySpawn } from './sandbox/find-read-only.ts';

export async function makeBase(
  context: CliContext,
  { root, config, trusted, consented }: Readonly<{ root: string; config: Config }> & Trust,
): Promise<Base> {
  const env = hostEnvironment(context);
  const repo = await openPlainRepo(context, { root }, { trusted, hooks: config.sandbox.kind === 'none' });
  const locationOf = (name = config.agent.name) => agentLocationOf(context, withAgent(config, name));
  const [shell, readOnly] = await Promise.all([
    findShell(env),
    config.sandbox.kind === 'none' ? findReadOnlySpawn(context, repo) : undefined,
  ]);
  return {
    ...host,
    env,
    ...defined({ readOnlySpawn: readOnly }),
    repo,
    config,
    agentNamed: (name, script) => shippedAgent(config, locationOf(name), name, script),
    shell,
    grounds: groundsOf(context.folders.state, repo.home),
    library: libraryOf(context, trusted ? repo.root : undefined),
    untrusted: (tree = root) => (consented ? changedSince(findTrustFiles(tree), consented) : []),
    signal: context.signal,
    now: context.now,
    sleep,
    random: context.random,
  };
}

/** `role`: of the named model; `stages`: after the tasks. */
export type StartFacts = Readonly<{
  title: string;
  trusted: boolean;
  role?: 'task' | 'plan';
  jobs?: number;
  stages?: readonly Stage[];
  flags: readonly string[];
  planLink?: string | undefined;
  review?: ReviewAsked;
  planning?: PlanningAsked;
}>;

export function startFactsOf(
  context: CliContext,
  { config }: Base,
  { role = 'task', jobs = 1, stages = [], flags, trusted, ...known }: StartFacts,
): OpenRequest['about'] {
  const { agent } = config;
  const shipped = shippedNameOf(config);
  const model = config.roles[role] ?? (shipped === 'script' ? undefined : agent[shipped].model);
  const adapter = adapterOf(config);
  const permissions = adapter.permissionsOf?.(config);
  return {
    pawl: context.version,
    ...known,
    ground: {
      trusted,
      agent: agent.name,
      jobs: jobs > 1 ? jobs : undefined,
      ...(stages.length > 0 && {
        reviews: stages.map(({ name }) => name),
        reviewSessions: estimateSessions(stages),
      }),
      flags: flags.length === 0 ? undefined : [...flags],
      billing: adapter.billingOf(config, agentLocationOf(context, config)),
      model,
      permissions,
      traceparent: context.env['TRACEPARENT'],
      sandbox: config.sandbox.kind === 'none' ? undefined : config.sandbox.kind,
    },
  };
}

/** The project's, which consent covers, the user's, the shipped ones. */
export function libraryOf(
  { folders, packageRoot }: CliContext,
  project: string | undefined,
): readonly string[] {
  return [
    ...(project === undefined ? [] : [path.join(project, '.pawl', 'templates')]),
    path.join(folders.config, 'templates'),
    path.join(packageRoot, 'templates'),
  ];
}
