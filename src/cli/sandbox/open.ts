// The sandbox of a run: what of the host is seen in it, and the run's own context with agents and checks inside. What a
// sandbox does is sandbox/'s.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile, removeOwnFolder, writeFileUnsynced } from '../../effect.ts';
import { listHooks } from '../../git/commit.ts';
import { makePrivateGit } from '../../git/private.ts';
import type { Repo } from '../../git/repo.ts';
import type { Context } from '../../phase/phase.ts';
import type { SpawnRequest } from '../../process/spawn.ts';
import { createSpawn } from '../../process/spawn.ts';
import { createSweep } from '../../process/sweep.ts';
import { clientEnvironment, crossingEnvironment } from '../../sandbox/crossing.ts';
import { type DockerHost, removeLabelled } from '../../sandbox/docker.ts';
import { inside, type Mount } from '../../sandbox/docker-args.ts';
import { createDockerSandbox } from '../../sandbox/docker-sandbox.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import type { Sandbox, Surround, Surroundings } from '../../sandbox/sandbox.ts';
import { findTunnelProgram } from '../../sandbox/tunnel.ts';
import { findWardenProgram } from '../../sandbox/warden.ts';
import type { CliContext } from '../context.ts';
import { imageOf } from './image.ts';

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
  const sandbox = createSandbox(ctx, { host, mounts });
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
    tellOpened(ctx, mounts);
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
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

function createSandbox(
  ctx: Context,
  { host, mounts }: Readonly<{ host: DockerHost; mounts: readonly Mount[] }>,
): Sandbox {
  const { sandbox } = ctx.config;
  const { uid, gid } = statSync(ctx.repo.root);
  const places = placesOf(ctx);
  return createDockerSandbox({
    deps: { host, wanted: sandbox.env, onConnection: (connection) => connection.destroy() },
    root: ctx.repo.root,
    request: {
      name: `pawl-${ctx.run.id}`,
      image: sandbox.image ?? '',
      user: `${uid}:${gid}`,
      labels: { 'pawl.run': ctx.run.id, 'pawl.tree': ctx.repo.gitDir },
      bounds: { memory: sandbox.memory, cpus: sandbox.cpus, pids: sandbox.pids },
      env: insideEnvironment,
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

/** What of the run's folder the sandbox has: a home that outlives its containers, and files that are handed in. */
function placesOf({ run }: Pick<Context, 'run'>) {
  const folder = path.join(run.folder, 'sandbox');
  return { folder, home: path.join(folder, 'home'), handed: path.join(folder, 'handed') };
}

function labelOf({ repo }: Context): string {
  return `pawl.tree=${repo.gitDir}`;
}

/** A working tree or checkout with a git folder of its own, and the plan read-only in it. */
function surround(ctx: Context, mounts: readonly Mount[]): Surround {
  const { home, handed, folder } = placesOf(ctx);
  return async (workdir) => {
    for (const each of [home, handed]) makeFolder(each, 0o700);
    const common: readonly Mount[] = [
      { from: findTunnelProgram(), to: inside.tunnel, readonly: true },
      { from: findWardenProgram(), to: inside.warden, readonly: true },
      { from: home, to: inside.home, readonly: false },
      { from: handed, to: path.join(ctx.run.folder, 'sessions'), readonly: true },
      { from: workdir, to: workdir, readonly: false },
      ...hookMounts(ctx),
      ...mounts,
    ];
    const repo = workdir === ctx.repo.root ? ctx.repo : ctx.repo.at(workdir);
    const git = await surroundGit(repo, path.join(folder, 'git', ctx.random(4)));
    const plan = ctx.plan.file.startsWith(`${workdir}/`) && existsSync(ctx.plan.file);
    const planMount = plan ? [{ from: ctx.plan.file, to: ctx.plan.file, readonly: true }] : [];
    return { ...git, mounts: [...common, ...git.mounts, ...planMount] };
  };
}

async function surroundGit(repo: Repo, folder: string): Promise<Surroundings> {
  const paths = { objects: inside.objects, git: inside.git };
  const { linkFile, borrowed } = await makePrivateGit(repo, folder, paths);
  const dotGit = path.join(repo.root, '.git');
  const own: readonly Mount[] = linkFile
    ? [
        { from: folder, to: inside.git, readonly: false },
        { from: linkFile, to: dotGit, readonly: true },
      ]
    : [{ from: folder, to: dotGit, readonly: false }];
  return {
    mounts: [...own, ...borrowed.map((each) => ({ ...each, readonly: true }))],
    dispose: () => {
      removeOwnFolder(folder);
      if (linkFile) removeFile(linkFile);
    },
  };
}

/** The pre-commit hook, as a command: what a commit would have staged is staged in the private git folder. */
function hookChecks({ repo }: Context): readonly string[] {
  if (!listHooks(repo).includes('pre-commit')) return [];
  const folder = isInTree(repo) ? repo.hooksDir : inside.hooks;
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`;
  return [`git add --all && git -c core.hooksPath=${quoted} hook run --ignore-missing pre-commit`];
}

/** Hooks outside the working tree are the user's own: they are read, and no more. */
function hookMounts({ repo }: Context): readonly Mount[] {
  if (isInTree(repo) || !listHooks(repo).includes('pre-commit')) return [];
  return [{ from: realpathSync(repo.hooksDir), to: inside.hooks, readonly: true }];
}

function isInTree({ root, gitDir, hooksDir }: Repo): boolean {
  return hooksDir.startsWith(`${root}/`) && !hooksDir.startsWith(`${gitDir}/`);
}

/** What the words of a program name of the run's sessions is put where it is seen inside, by the same path. */
function handIn({ run }: Context, handed: string, { args }: SpawnRequest): void {
  const sessions = path.join(run.folder, 'sessions') + path.sep;
  for (const arg of args) {
    if (!arg.startsWith(sessions) || !existsSync(arg)) continue;
    writeFileUnsynced(path.join(handed, path.basename(arg)), readFileSync(arg, 'utf8'), 0o600);
  }
}

function tellOpened({ config, emit }: Context, mounts: readonly Mount[]): void {
  const { image = '', env, memory, pids } = config.sandbox;
  emit({
    type: 'sandbox-opened',
    kind: 'docker',
    image,
    mounts: mounts.map(({ from, readonly }) => `${from}${readonly ? '' : ' (writable)'}`),
    env: env.map((entry) => entry.split('=', 1)[0] ?? ''),
    memory,
    pids,
  });
}
