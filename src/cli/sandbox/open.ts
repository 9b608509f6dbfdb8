// The sandbox of a run: what of the host is seen in it, and the run's own context with agents and checks inside. What a
// sandbox does is sandbox/'s.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { removeOwnFolder } from '../../disk.ts';
import type { Context } from '../../place/context.ts';
import type { SpawnRequest } from '../../process/spawn.ts';
import { crossingEnvironment } from '../../sandbox/crossing.ts';
import { type DockerHost, removeLabelled } from '../../sandbox/docker.ts';
import { inside, type Mount } from '../../sandbox/docker-args.ts';
import { createDockerSandbox } from '../../sandbox/docker-sandbox.ts';
import { proxyEnvironment } from '../../sandbox/egress.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { createProxy, type EgressProxy } from '../../sandbox/proxy.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { proxyPort } from '../../sandbox/tunnel.ts';
import { readUpstreams } from '../../sandbox/upstream.ts';
import type { CliContext } from '../context.ts';
import { hooksInside } from './hooks.ts';
import { dockerHost } from './host.ts';
import { imageOf } from './image.ts';
import { openProcessSandbox } from './open-process.ts';
import { admitting, type Reach, reachOf } from './reach.ts';
import { handIn, placesOf, protectedIn, surround } from './surround.ts';

/** A run's context whose agents and checks are inside; disposing it ends the sandbox. */
export type Sandboxed = AsyncDisposable & Readonly<{ ctx: Context }>;

/** Lays the run's sandbox over its context. Nothing is started yet. */
export function sandboxed(context: CliContext, given: Context): Sandboxed {
  const ctx = withImage(context, given);
  const host = dockerHost(context);
  const mounts = readMounts(ctx.config.sandbox.mounts, { home: context.folders.home, root: ctx.repo.root });
  const reach = reachOf(ctx);
  const proxy = createProxy({
    get egress() {
      return reach.egress;
    },
    onRefused: (refusal) => ctx.emit({ type: 'egress-refused', ...refusal }),
    upstreams: readUpstreams(context.env),
  });
  const sandbox =
    ctx.config.sandbox.kind === 'docker'
      ? createContainers(ctx, { host, mounts, reach, proxy })
      : openProcessSandbox(context, ctx.repo.gitDir, commonOf(ctx, { mounts, reach, proxy }));
  const { folder } = placesOf(ctx);
  const open = async () => {
    if (ctx.config.sandbox.kind === 'docker') await endLeft(ctx, host);
    removeOwnFolder(path.join(folder, 'git'));
    await sandbox.open();
    tellOpened(ctx, mounts, reach.hosts);
  };
  return {
    ctx: {
      ...ctx,
      agentNamed: admitting(ctx, reach),
      spawn: sandbox.spawn,
      sweep: sandbox.sweep,
      sandbox: { open, ...hooksInside(ctx.repo) },
      env: crossingEnvironment(ctx.env, ctx.config.sandbox.env),
      shell: { name: 'bash', file: 'bash', args: ['-eo', 'pipefail', '-c'] },
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      proxy.close();
    },
  };
}

/** Nobody else holds this working tree: what carries its label is a dead pawl's. */
async function endLeft(ctx: Context, host: DockerHost): Promise<void> {
  const left = await removeLabelled(host, labelOf(ctx));
  if (left === 0) return;
  const text = 'a sandbox was left by an earlier start; it was ended';
  ctx.emit({ type: 'noticed', code: 'sandbox', text });
}

/** Only containers have one. */
function withImage(context: CliContext, ctx: Context): Context {
  const { sandbox } = ctx.config;
  if (sandbox.kind !== 'docker') return ctx;
  const image = imageOf(context, ctx.config, ctx.repo.root);
  return { ...ctx, config: { ...ctx.config, sandbox: { ...sandbox, image } } };
}

type Given = Readonly<{ mounts: readonly Mount[]; reach: Reach; proxy: EgressProxy }>;

/** What a sandbox of either kind is made with. */
function commonOf(ctx: Context, { mounts, reach, proxy }: Given) {
  const { handed } = placesOf(ctx);
  return {
    root: ctx.repo.root,
    wanted: ctx.config.sandbox.env,
    onConnection: (connection: Duplex, port: number) => proxy.take(connection, port),
    env: { ...insideEnvironment, ...proxyEnvironment(proxyPort) },
    ports: [proxyPort, ...reach.ports],
    surround: surround(ctx, mounts),
    handIn: (request: SpawnRequest) => handIn(ctx, handed, request),
  };
}

function createContainers(ctx: Context, given: Given & Readonly<{ host: DockerHost }>): Sandbox {
  const { sandbox } = ctx.config;
  const { uid, gid } = statSync(ctx.repo.root);
  const { wanted, onConnection, env, ports, ...common } = commonOf(ctx, given);
  return createDockerSandbox({
    ...common,
    deps: { host: given.host, wanted, onConnection },
    request: {
      name: `pawl-${ctx.run.id}`,
      image: sandbox.image ?? '',
      user: `${uid}:${gid}`,
      labels: { 'pawl.run': ctx.run.id, 'pawl.tree': ctx.repo.gitDir },
      bounds: { memory: sandbox.memory, cpus: sandbox.cpus, pids: sandbox.pids },
      env,
      ports,
    },
    random: ctx.random,
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

function tellOpened(ctx: Context, mounts: readonly Mount[], hosts: readonly string[]): void {
  const { kind, image, env, egress, memory, pids } = ctx.config.sandbox;
  const shut = protectedIn(ctx).map((file) => path.relative(ctx.repo.root, file));
  if (kind === 'none') return;
  ctx.emit({
    type: 'sandbox-opened',
    kind,
    ...(kind === 'docker' ? { image: image ?? '', memory, pids } : {}),
    mounts: mounts.map(({ from, readonly }) => `${from}${readonly ? '' : ' (writable)'}`),
    ...(shut.length === 0 ? {} : { protected: shut }),
    env: env.map((entry) => entry.split('=', 1)[0] ?? ''),
    egress,
    hosts: [...hosts],
  });
}
