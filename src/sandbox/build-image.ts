// Builds the sandbox's image if it is missing. Its name is derived from the recipe.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { digestText } from '../digest.ts';
import { makeFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import type { ProgramEnd } from '../process/run-program.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { type DockerHost, docker, hasImage } from './docker.ts';

export type BuildOptions = Readonly<{
  /** Docker builds from it: `imageFiles`; removed afterwards. */
  folder: string;
  env: Readonly<Record<string, string>>;
  /** File for the build's whole output. */
  log: string;
  /** Gets what is shown, a line at a time. */
  say: (text: string) => void;
  /** Milliseconds between signs of life; default: a minute. */
  quietMs?: number;
  signal: AbortSignal;
}>;

/** A build downloads a gigabyte. */
const buildMs = 60 * 60_000;

/** Returns the image's name; if it cannot be built, throws Failure('environment') with docker's words. */
export async function ensureImage(
  host: DockerHost,
  recipe: ImageRecipe,
  options: BuildOptions,
): Promise<string> {
  const name = imageName(recipe);
  if (await hasImage(host, name)) return name;
  const { folder, say } = options;
  say(
    `The sandbox’s image ${name} does not exist yet: docker builds it now, once; this takes a few minutes.`,
  );
  try {
    for (const [file, text] of Object.entries(imageFiles(recipe))) {
      makeFolder(path.dirname(path.join(folder, file)));
      writeFileUnsynced(path.join(folder, file), text);
    }
    await build(host, recipe, options);
    say('  The image is built.');
  } finally {
    removeOwnFolder(folder);
  }
  return name;
}

async function build(host: DockerHost, recipe: ImageRecipe, options: BuildOptions): Promise<void> {
  const { env, signal, log, say, quietMs = 60_000 } = options;
  makeFolder(path.dirname(log));
  writeFileUnsynced(log, '', 0o600);
  const alive = setInterval(() => {
    say(`  … ${linesOf(log).at(-1)?.trim().slice(0, 100) ?? 'nothing is said yet'}`);
  }, quietMs);
  try {
    const end = await docker(host, buildArgs(recipe, options), {
      env: { ...env, ...host.env, BUILDKIT_PROGRESS: 'plain' },
      timeoutMs: buildMs,
      signal,
      outputFile: log,
    });
    signal.throwIfAborted();
    if (end.ended.code !== 0 || end.timedOut) throw failureOf(end, options);
  } finally {
    clearInterval(alive);
  }
}

function linesOf(log: string): readonly string[] {
  const text = stripVTControlCharacters(readFileSync(log, 'utf8'));
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
}

function failureOf({ ended, timedOut }: ProgramEnd, { log, say }: BuildOptions): Failure {
  const lines = linesOf(log);
  for (const line of lines.slice(-15)) say(`  ${line}`);
  const why = timedOut ? 'it took longer than an hour' : `docker ended with ${ended.code ?? ended.signal}`;
  const known = remedies.find(([shape]) => lines.slice(-60).some((line) => shape.test(line)))?.[1];
  return new Failure('environment', `the sandbox’s image could not be built: ${why}`, {
    hint: `All that docker said is in ${log}. ${known ?? 'sandbox.image names an image of your own; docker/README.md says what it needs.'}`,
  });
}

const remedies = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)|certificate verify failed|self[- ]signed certificate|unable to get local issuer/i,
    'If a company’s proxy uses its own certificate, name it in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /temporary failure|could(?: not|n.t) resolve|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|network is unreachable|connection timed out|i\/o timeout|no such host/i,
    'If the build has no network, build the image yourself with --network host, and name it in sandbox.image (docker/README.md).',
  ],
] as const;

/** All an image depends on, but for a base image that changes under its tag. */
export type ImageRecipe = Readonly<{
  dockerfile: string;
  /** Shell command for the last layer, run as root. */
  setup?: string | undefined;
  /** From npm, for further agents. */
  packages?: readonly string[] | undefined;
  uid: number;
  gid: number;
  /** To trust as well; PEM. */
  certificates?: string | undefined;
}>;

const repository = 'pawl-sandbox';

export function imageName(recipe: ImageRecipe): string {
  const { dockerfile, setup = '', packages = [], uid, gid, certificates = '' } = recipe;
  const content = JSON.stringify([dockerfile, setup, uid, gid, certificates, packages]);
  return `${repository}:${digestText(content, 16)}`;
}

/** Stops at the first failing command; prints each, so that a log names it. */
const setupShell = ['/bin/bash', '-euxo', 'pipefail', '-c'];

/** By path: all of the user's that docker gets. */
export function imageFiles({
  dockerfile,
  setup,
  uid,
  gid,
  certificates,
}: ImageRecipe): Readonly<Record<string, string>> {
  // In a list docker substitutes nothing.
  const command = JSON.stringify([...setupShell, setup ?? '']);
  const layer = setup === undefined ? '' : `\nUSER root\nRUN ${command}\nUSER ${uid}:${gid}\n`;
  return {
    Dockerfile: `${dockerfile.trimEnd()}\n${layer}`,
    // A Dockerfile may copy the folder even if there are none.
    ...(certificates === undefined ? { 'certificates/none': '' } : { 'certificates/host.crt': certificates }),
  };
}

/** Passed to a build by name, if set. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

export function buildArgs(
  recipe: ImageRecipe,
  { folder, env }: Pick<BuildOptions, 'folder' | 'env'>,
): readonly string[] {
  const { packages = [] } = recipe;
  const agents = packages.length === 0 ? [] : ['--build-arg', `AGENTS=${packages.join(' ')}`];
  const named = proxies.filter((name) => env[name] !== undefined).flatMap((name) => ['--build-arg', name]);
  return [
    // Else a failed step leaves its container.
    ...['build', '--force-rm', '--tag', imageName(recipe), '--label', 'pawl.image=sandbox'],
    ...['--build-arg', `UID=${recipe.uid}`, '--build-arg', `GID=${recipe.gid}`, ...agents, ...named],
    folder,
  ];
}
