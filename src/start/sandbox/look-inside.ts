// Runs one short program where agents and checks would run, in its own sandbox.
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { type ProgramEnd, runProgram } from '../../process/run-program.ts';
import { bwrapGround, findSystemFolders, programFolder } from '../../sandbox/bubblewrap.ts';
import { docker, hasImage, removeContainers } from '../../sandbox/docker.ts';
import { type Mount, runArgs } from '../../sandbox/docker-args.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import type { CliContext } from '../context.ts';
import { host } from '../host.ts';
import { dockerHost, imageOf } from './image.ts';

/** `root`: the working tree, mounted read-only. */
export type Inside = Readonly<{ sandbox: Config['sandbox']; root: string }>;

type Look = Readonly<{ mounts: readonly Mount[]; words: readonly string[] }>;

const lookMs = 30_000;

/** Undefined without an image, or if the result would depend on the folder. */
export async function runInside(
  context: CliContext,
  { sandbox, root }: Inside,
  words: readonly string[],
): Promise<ProgramEnd | undefined> {
  const tree: Mount = { from: root, to: root, readonly: true };
  const mounts = [tree, ...readMounts(sandbox.mounts, { home: context.folders.home, root })];
  if (sandbox.kind === 'docker') return lookInContainer(context, { sandbox, root }, { mounts, words });
  return lookInBwrap(context, { mounts, words });
}

async function lookInContainer(
  context: CliContext,
  { sandbox, root }: Inside,
  { mounts, words }: Look,
): Promise<ProgramEnd | undefined> {
  const host = dockerHost(context);
  const image = imageOf(context, { sandbox }, root);
  if (!(await hasImage(host, image))) return undefined;
  const { uid, gid } = statSync(root);
  const name = `pawl-look-${context.random(4)}`;
  const args = runArgs(
    {
      name,
      image,
      user: `${uid}:${gid}`,
      labels: { 'pawl.run': 'look' },
      mounts,
      env: { HOME: '/tmp' },
      ports: [],
      workdir: root,
      bounds: { memory: sandbox.memory, pids: fixed.pids },
    },
    words,
  );
  const end = await docker(host, args, { timeoutMs: lookMs });
  if (end.timedOut) await removeContainers(host, [name]);
  return end;
}

async function lookInBwrap(
  { env, nodePath }: CliContext,
  { mounts, words }: Look,
): Promise<ProgramEnd | undefined> {
  const searchPath = env['PATH'] ?? '/usr/bin:/bin';
  if (searchPath.split(':').some((folder) => !isAbsolute(folder))) return undefined;
  const node: Mount = { from: realpathSync(nodePath), to: `${programFolder}/node`, readonly: true };
  const args = [
    ...bwrapGround({ system: findSystemFolders(), mounts: [node, ...mounts], links: [] }),
    '--',
    ...words,
  ];
  return runProgram(host, {
    file: 'bwrap',
    args,
    cwd: '/',
    env: { PATH: `${programFolder}:${searchPath}` },
    timeoutMs: lookMs,
  });
}

export type ProgramsInside = Inside & Readonly<{ programs: readonly string[] }>;

/** Undefined without an image or engine, or with a shell that reads unknown files first. */
export async function findMissingInside(
  context: CliContext,
  { sandbox, root, programs }: ProgramsInside,
): Promise<readonly string[] | undefined> {
  if (programs.length === 0) return [];
  if (sandbox.env.some((entry) => /^(BASH_ENV|ENV|BASH_FUNC_.*)(=|$)/.test(entry))) return undefined;
  const end = await runInside(context, { sandbox, root }, ['sh', '-c', look, 'sh', ...programs]);
  const lines = end?.stdout.text.split('\n') ?? [];
  return lines.includes(looked) ? programs.filter((program) => lines.includes(program)) : undefined;
}

const looked = '/looked';

const look = `case ":$PATH:" in *::*|*:[!/]*) exit;; esac
for one; do command -v "$one" > /dev/null 2>&1 || echo "$one"; done; echo ${looked}`;
