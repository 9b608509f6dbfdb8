// The sandbox of a run: what of the host is seen in it, and the run's own context with agents and checks inside. What a
// sandbox does is sandbox/'s.
import { statSync } from 'node:fs';
import path from 'node:path';
import { type ApiHost, apiHosts } from '../../agent/api-hosts.ts';
import { readStages } from '../../config/stages.ts';
import { removeOwnFolder } from '../../effect.ts';
import type { Context } from '../../phase/phase.ts';
import { createSpawn } from '../../process/spawn.ts';
import { createSweep } from '../../process/sweep.ts';
import { clientEnvironment, crossingEnvironment } from '../../sandbox/crossing.ts';
import { type DockerHost, removeLabelled } from '../../sandbox/docker.ts';
import { inside, type Mount } from '../../sandbox/docker-args.ts';
import { createDockerSandbox } from '../../sandbox/docker-sandbox.ts';
import { type Egress, makeEgress, proxyEnvironment } from '../../sandbox/egress.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { createProxy, type EgressProxy } from '../../sandbox/proxy.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { proxyPort } from '../../sandbox/tunnel.ts';
import type { CliContext } from '../context.ts';
import { imageOf } from './image.ts';
import { handIn, hookChecks, placesOf, surround } from './surround.ts';

/** A run's context whose agents and checks are inside; disposing it ends the sandbox. */
export type Sandboxed = AsyncDisposable & Readonly<{ ctx: Context }>;

/** How docker's client is started for a command. */
export function dockerHost(context: Pick<CliContext, 'env'>): DockerHost {
  return { spawn: createSpawn(), sweep: createSweep(), env: clientEnvironment(context.env) };
}

/** Lays the run's sandbox over its context; without one, the context as it is. Nothing is started yet. */
export function sandboxed(context: CliContext, given: Context): Sandboxed {
  if (given.config.sandbox.kind === 'none')
    return { ctx: given, [Symbol.asyncDispose]: () => Promise.resolve() };
  const image = imageOf(context, given.config, given.repo.root);
  const ctx = { ...given, config: { ...given.config, sandbox: { ...given.config.sandbox, image } } };
  const host = dockerHost(context);
  const mounts = readMounts(ctx.config.sandbox.mounts, { home: context.folders.home, root: ctx.repo.root });
  const apis = apisOf(context, ctx);
  const { egress: mode, allow } = ctx.config.sandbox;
  const egress = makeEgress({ mode, apis, allow });
  const proxy = createProxy({
    egress,
    onRefused: (refusal) => ctx.emit({ type: 'egress-refused', ...refusal }),
  });
  const sandbox = createSandbox(ctx, { host, mounts, egress, proxy });
  const { folder } = placesOf(ctx);
  const open = async () => {
    // Nobody else holds this working tree: what carries its label is a dead pawl's.
    const left = await removeLabelled(host, labelOf(ctx));
    if (left > 0)
      ctx.emit({
        type: 'noticed',
        code: 'sandbox',
        text: 'a sandbox was left by an earlier start; it was ended',
      });
    removeOwnFolder(path.join(folder, 'git'));
    await sandbox.open();
    tellOpened(ctx, mounts, [...apis.map((api) => api.host), ...allow]);
  };
  return {
    ctx: {
      ...ctx,
      spawn: sandbox.spawn,
      sweep: sandbox.sweep,
      sandbox: { open, hookChecks: hookChecks(ctx) },
      env: crossingEnvironment(ctx.env, ctx.config.sandbox.env),
      shell: { name: 'bash', file: 'bash', args: ['-eo', 'pipefail', '-c'] },
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      proxy.close();
    },
  };
}

/** Where the agents that may be started find their models. */
function apisOf({ env }: CliContext, { config }: Context): readonly ApiHost[] {
  const names = [config.agent.name, ...readStages(config.review.stages).flatMap(({ agent }) => agent ?? [])];
  return [...new Set(names)].flatMap((name) => apiHosts(name, env));
}

function createSandbox(
  ctx: Context,
  given: Readonly<{ host: DockerHost; mounts: readonly Mount[]; egress: Egress; proxy: EgressProxy }>,
): Sandbox {
  const { host, mounts, egress, proxy } = given;
  const { sandbox } = ctx.config;
  const { uid, gid } = statSync(ctx.repo.root);
  const places = placesOf(ctx);
  return createDockerSandbox({
    deps: { host, wanted: sandbox.env, onConnection: (connection, port) => proxy.take(connection, port) },
    root: ctx.repo.root,
    request: {
      name: `pawl-${ctx.run.id}`,
      image: sandbox.image ?? '',
      user: `${uid}:${gid}`,
      labels: { 'pawl.run': ctx.run.id, 'pawl.tree': ctx.repo.gitDir },
      bounds: { memory: sandbox.memory, cpus: sandbox.cpus, pids: sandbox.pids },
      env: { ...insideEnvironment, ...proxyEnvironment(proxyPort) },
      ports: [proxyPort, ...egress.loopbackPorts],
    },
    surround: surround(ctx, mounts),
    handIn: (request) => handIn(ctx, places.handed, request),
    random: ctx.random,
    onOpen: () => {},
    onLost: (reason) => {
      const why = reason === '' ? '' : `: ${reason}`;
      const text = `the sandbox ended by itself${why}; what comes next gets a new one`;
      ctx.emit({ type: 'noticed', code: 'sandbox', text });
    },
  });
}

/** Git takes a tree whose owner it does not know for a stranger's; some engines show other owners inside. */
const insideEnvironment = {
  HOME: inside.home,
  IS_SANDBOX: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

function labelOf({ repo }: Context): string {
  return `pawl.tree=${repo.gitDir}`;
}

function tellOpened({ config, emit }: Context, mounts: readonly Mount[], hosts: readonly string[]): void {
  const { image = '', env, egress, memory, pids } = config.sandbox;
  emit({
    type: 'sandbox-opened',
    kind: 'docker',
    image,
    mounts: mounts.map(({ from, readonly }) => `${from}${readonly ? '' : ' (writable)'}`),
    env: env.map((entry) => entry.split('=', 1)[0] ?? ''),
    egress,
    hosts: [...hosts],
    memory,
    pids,
  });
}
