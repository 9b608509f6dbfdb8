// Opens the sandbox of a run: what it sees of the host, and a place inside. sandbox/ implements it.
import { statSync } from 'node:fs';
import path from 'node:path';
import { adapterOf, isAgentVariable, usesVariable } from '../../agent/agents.ts';
import { agentNamesOf } from '../../agent-name.ts';
import { fixed } from '../../config/fixed.ts';
import { removeOwnFolder } from '../../disk.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { findSystemFolders } from '../../sandbox/bubblewrap.ts';
import { readUpstreams } from '../../sandbox/dial.ts';
import { type DockerHost, removeLabelled } from '../../sandbox/docker.ts';
import { inside } from '../../sandbox/docker-args.ts';
import { DockerSandbox } from '../../sandbox/docker-sandbox.ts';
import { type Egress, makeEgress, proxyEnvironment } from '../../sandbox/egress.ts';
import { passthroughEnvironment } from '../../sandbox/env-passthrough.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import { EgressProxy } from '../../sandbox/proxy.ts';
import type { SandboxPlan } from '../../sandbox/sandbox.ts';
import { proxyPort } from '../../sandbox/tunnel.ts';
import type { CliContext } from '../context.ts';
import { host } from '../host.ts';
import { findBwrap } from './find-read-only.ts';
import { dockerHost, imageOf } from './image.ts';
import { createSurroundings, handIn, hooksInside, placesOf, treesOf } from './surroundings.ts';

export type Sandboxed<P extends Place = Place> = AsyncDisposable & Readonly<{ place: P }>;

/** Starts nothing yet. */
export function sandboxed<P extends Place>(context: CliContext, place: P): Sandboxed<P> {
  const { run, repo } = place;
  const isDocker = run.config.sandbox.kind === 'docker';
  const reach = reachOf(place);
  const proxy = new EgressProxy({
    get egress() {
      return reach.egress;
    },
    onRefused: (refusal) => run.emit({ type: 'egress-refused', ...refusal }),
    upstreams: readUpstreams(context.env),
  });
  const common = commonOf(context, place, { reach, proxy });
  const sandbox = isDocker ? createContainers(context, place, common) : createWalls(context, place, common);
  const { folder, home } = placesOf(place);
  const open = async () => {
    if (isDocker) await endLeft(place, dockerHost(context));
    removeOwnFolder(path.join(folder, 'git'));
    await sandbox.open();
  };
  return {
    place: {
      ...place,
      run: { ...run, agentNamed: admitting(run, reach) },
      spawn: sandbox.spawn,
      sweep: sandbox.sweep,
      sandbox: { open, home, ...hooksInside(repo) },
      env: passthroughEnvironment(place.env, run.config.sandbox.env),
      shell: { name: 'bash', file: 'bash', args: ['-eo', 'pipefail', '-c'] },
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      proxy.close();
    },
  };
}

/** We hold this tree: what carries its label is a dead pawl's. */
async function endLeft(place: Place, host: DockerHost): Promise<void> {
  const left = await removeLabelled(host, `pawl.tree=${place.repo.gitDir}`);
  if (left === 0) return;
  const text = 'a sandbox left over from an earlier start was ended';
  place.run.emit({ type: 'noticed', code: 'sandbox', text });
}

function commonOf(
  context: CliContext,
  place: Place,
  { reach, proxy }: Readonly<{ reach: Reach; proxy: EgressProxy }>,
): SandboxPlan {
  const { mounts } = place.run.config.sandbox;
  const ground = { home: context.folders.home, root: place.repo.root };
  return {
    trees: () => treesOf(place),
    onConnection: (connection, port) => proxy.take(connection, port),
    env: { ...insideEnvironment, ...proxyEnvironment(proxyPort) },
    ports: [proxyPort, ...reach.ports],
    surround: createSurroundings(place, readMounts(mounts, ground)),
    handIn: (request) => handIn(place, request),
  };
}

function createContainers(context: CliContext, { run, repo }: Place, common: SandboxPlan): DockerSandbox {
  const { uid, gid } = statSync(repo.root);
  return new DockerSandbox({
    ...common,
    host: dockerHost(context),
    request: {
      name: `pawl-${run.id}`,
      image: imageOf(context, run.config, repo.root),
      user: `${uid}:${gid}`,
      labels: { 'pawl.run': run.id, 'pawl.tree': repo.gitDir },
      bounds: { memory: run.config.sandbox.memory, pids: fixed.pids },
    },
    random: run.random,
    onLost: (reason) => {
      const why = reason === '' ? '' : `: ${reason}`;
      const text = `the sandbox ended unexpectedly${why}; a new one will be started`;
      run.emit({ type: 'noticed', code: 'sandbox', text });
    },
  });
}

function createWalls(context: CliContext, place: Place, common: SandboxPlan): ProcessSandbox {
  return new ProcessSandbox({
    ...common,
    host,
    bwrap: findBwrap(context) ?? 'bwrap',
    system: findSystemFolders(),
    node: context.nodePath,
    searchPath: context.env['PATH'] ?? '/usr/bin:/bin',
    filter: path.join(placesOf(place).folder, 'filter'),
  });
}

/** Git distrusts a tree of an unknown owner, which some engines show. */
const insideEnvironment = {
  HOME: inside.home,
  IS_SANDBOX: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

type Reach = ReturnType<typeof reachOf>;

/** What may be reached: it grows with the agents that are started. */
export function reachOf(place: Pick<Place, 'env'> & Readonly<{ run: Pick<Run, 'config'> }>) {
  const { config } = place.run;
  const { egress: mode, allow, env: wanted } = config.sandbox;
  const env = passthroughEnvironment(place.env, wanted, isAgentVariable);
  const envOf = (agent: string) => ({ ...env, ...config.agent.logins[agent]?.env });
  const apisOf = (names: Iterable<string>) =>
    [...names].flatMap((name) => adapterOf(config, name).apiHosts(envOf(name)));
  const known = new Set([config.agent.name]);
  const hosts = () => [...new Set([...apisOf(known).map(({ host }) => host), ...allow])];
  return {
    get egress(): Egress {
      return makeEgress({ mode, allow, apis: apisOf(known) });
    },
    /** On this machine's loopback, for models of any agent. */
    ports: makeEgress({ mode, allow, apis: apisOf(agentNamesOf(config)) }).loopbackPorts,
    /** For its sessions alone. */
    loginOf: (agent: string) => {
      const isOwn = ([name]: [string, string]) => usesVariable(config, agent, { name, env: envOf(agent) });
      return Object.fromEntries(Object.entries(env).filter(isOwn));
    },
    /** For an agent's start; returns what is new. */
    admit: (agent: string): readonly string[] => {
      const before = new Set(hosts());
      known.add(agent);
      return hosts().filter((host) => !before.has(host));
    },
  };
}

/** Who asks for an agent is about to start it. */
export function admitting(
  { agentNamed, emit }: Pick<Run, 'agentNamed' | 'emit'>,
  reach: Reach,
): Run['agentNamed'] {
  return (name, script) => {
    const agent = agentNamed(name, script);
    const added = reach.admit(agent.name);
    if (added.length > 0) {
      const text = `for the agent ${agent.name} the sandbox reaches ${added.join(', ')} too`;
      emit({ type: 'noticed', code: 'sandbox', text });
    }
    const command: typeof agent.command = (request) => {
      const given = agent.command(request);
      return { ...given, env: { ...reach.loginOf(agent.name), ...given.env } };
    };
    return { ...agent, command };
  };
}
