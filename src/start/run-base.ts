// What every kind of run is opened with, and the facts about its start.
import path from 'node:path';
import { adapterOf, shippedAgent } from '../agent/agents.ts';
import { shippedNameOf } from '../agent-name.ts';
import { findShell } from '../check/shell.ts';
import type { Config } from '../config/schema.ts';
import { estimateSessions } from '../config/stages.ts';
import { defined } from '../defined.ts';
import type { GroundFields } from '../event/run.ts';
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

export type StartFacts = Pick<OpenRequest['about'], 'title' | 'planLink' | 'review' | 'planning'> &
  Pick<GroundFields, 'trusted' | 'jobs'>;

/** `flags`: words for the run's next start. */
export function startFactsOf(
  context: CliContext,
  { config }: Base,
  { trusted, jobs, ...known }: StartFacts,
  flags: readonly string[],
): OpenRequest['about'] {
  const { agent, roles } = config;
  const { stages } = config.review;
  const shipped = shippedNameOf(config);
  const role = known.planning ? roles.plan : roles.task;
  const adapter = adapterOf(config);
  return {
    pawl: context.version,
    ...known,
    ground: {
      trusted,
      agent: agent.name,
      jobs,
      ...(stages.length > 0 &&
        !known.review && {
          reviews: stages.map(({ name }) => name),
          reviewSessions: estimateSessions(stages),
        }),
      flags: flags.length === 0 ? undefined : [...flags],
      billing: adapter.billingOf(config, agentLocationOf(context, config)),
      model: role ?? (shipped === 'script' ? undefined : agent[shipped].model),
      permissions: adapter.permissionsOf?.(config),
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
