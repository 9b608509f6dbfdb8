// Which programs are there inside a sandbox of the settings' kind: asked in one that holds nothing else, for a moment.
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { runCommand } from '../../process/command.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import { bwrapGround, programFolder } from '../../sandbox/bwrap-args.ts';
import { hasImage, removeContainers } from '../../sandbox/docker.ts';
import { type Mount, runArgs } from '../../sandbox/docker-args.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { findSystemFolders } from '../../sandbox/system-folders.ts';
import type { CliContext } from '../context.ts';
import { dockerHost } from './host.ts';
import { imageOf } from './image.ts';

/** Where, and for what is looked. */
export type Wanted = Readonly<{ sandbox: Config['sandbox']; root: string; programs: readonly string[] }>;

/** Those that are not there; undefined when that cannot be told: no image yet, no engine, or a shell that reads who knows what first. */
export async function findMissingInside(
  context: CliContext,
  wanted: Wanted,
): Promise<readonly string[] | undefined> {
  const { sandbox, root, programs } = wanted;
  if (programs.length === 0) return [];
  if (sandbox.env.some((entry) => /^(BASH_ENV|ENV|BASH_FUNC_.*)(=|$)/.test(entry))) return undefined;
  const tree: Mount = { from: root, to: root, readonly: true };
  const mounts = [tree, ...readMounts(sandbox.mounts, { home: context.folders.home, root })];
  const words = ['sh', '-c', look, 'sh', ...programs];
  const told = await (sandbox.kind === 'docker' ? lookInContainer : lookInBwrap)(context, wanted, {
    mounts,
    words,
  });
  const lines = told?.split('\n') ?? [];
  return lines.includes(looked) ? programs.filter((program) => lines.includes(program)) : undefined;
}

const looked = '/looked';

/** A PATH with folders of the current one says nothing. */
const look = `case ":$PATH:" in *::*|*:[!/]*) exit;; esac
for one; do command -v "$one" > /dev/null 2>&1 || echo "$one"; done; echo ${looked}`;

type Look = Readonly<{ mounts: readonly Mount[]; words: readonly string[] }>;

const lookMs = 30_000;

async function lookInContainer(
  context: CliContext,
  { sandbox, root }: Wanted,
  { mounts, words }: Look,
): Promise<string | undefined> {
  const host = dockerHost(context);
  const image = imageOf(context, { sandbox }, root);
  if (!(await hasImage(host, image))) return undefined;
  const { uid, gid } = statSync(root);
  const name = `pawl-look-${context.random(4)}`;
  const args = runArgs(
    {
      ...{ name, image, user: `${uid}:${gid}`, labels: { 'pawl.run': 'look' }, mounts },
      ...{ env: {}, ports: [], workdir: '/' },
      bounds: { memory: sandbox.memory, cpus: sandbox.cpus, pids: sandbox.pids },
    },
    words,
  );
  const end = await runCommand(host.spawn, host.sweep, {
    file: 'docker',
    args,
    cwd: '/',
    env: host.env,
    timeoutMs: lookMs,
  });
  if (end.timedOut) await removeContainers(host, [name]);
  return end.stdout.text;
}

async function lookInBwrap(
  { env, nodePath }: CliContext,
  _: Wanted,
  { mounts, words }: Look,
): Promise<string | undefined> {
  const searchPath = env['PATH'] ?? '/usr/bin:/bin';
  if (searchPath.split(':').some((folder) => !isAbsolute(folder))) return undefined;
  const node: Mount = { from: realpathSync(nodePath), to: `${programFolder}/node`, readonly: true };
  const args = [
    ...bwrapGround({ system: findSystemFolders(), mounts: [node, ...mounts], links: [] }),
    '--',
    ...words,
  ];
  const end = await runCommand(createSpawn(), createSweep(), {
    file: 'bwrap',
    args,
    cwd: '/',
    env: { PATH: `${programFolder}:${searchPath}` },
    timeoutMs: lookMs,
  });
  return end.stdout.text;
}
