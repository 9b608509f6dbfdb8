// Builds the sandbox's image if it is missing, from image-recipe.ts.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { makeFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import type { ProcessExit, Spawned } from '../process/spawn.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { type DockerHost, hasImage } from './docker.ts';
import { type BuildRequest, buildArgs, type ImageRecipe, imageFiles, imageName } from './image-recipe.ts';

export type BuildOptions = BuildRequest &
  Readonly<{
    /** Docker builds from it; removed afterwards. */
    folder: string;
    /** File for a failed build's whole output. */
    log: string;
    /** Gets what is shown, a line at a time. */
    say: (text: string) => void;
    /** Milliseconds between signs of life; default: a minute. */
    quietMs?: number;
    signal: AbortSignal;
  }>;

/** A build downloads a gigabyte. */
const buildMs = 60 * 60_000;

/** The last lines are kept. */
const mostLines = 5_000;

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
  const { env, signal } = options;
  const program = host.spawn({
    file: 'docker',
    args: buildArgs(recipe, options),
    cwd: '/',
    env: { ...env, ...host.env, BUILDKIT_PROGRESS: 'plain' },
    input: 'closed',
  });
  const heard = listen(program, options);
  const ended = await endOf(program, signal);
  const lines = await heard;
  signal.throwIfAborted();
  if (ended?.code !== 0) throw failureOf(ended, lines, options);
}

/** Shows the last line now and then, for a waiting person. */
async function listen(program: Spawned, { say, quietMs = 60_000 }: BuildOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  const take = (raw: string) => {
    const line = stripVTControlCharacters(raw).trimEnd();
    if (line === '') return;
    lines.push(line);
    if (lines.length > mostLines) lines.shift();
  };
  const alive = setInterval(
    () => say(`  … ${lines.at(-1)?.trim().slice(0, 100) ?? 'nothing is said yet'}`),
    quietMs,
  );
  try {
    await Promise.all([readLines(program.stdout, take), readLines(program.stderr, take)]);
  } finally {
    clearInterval(alive);
  }
  return lines;
}

function failureOf(
  ended: ProcessExit | undefined,
  lines: readonly string[],
  { log, say }: BuildOptions,
): Failure {
  makeFolder(path.dirname(log));
  writeFileUnsynced(log, `${lines.join('\n')}\n`);
  for (const line of lines.slice(-15)) say(`  ${line}`);
  const why = ended ? `docker ended with ${ended.code ?? ended.signal}` : 'it took longer than an hour';
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

/** Undefined if it took too long. Ending docker's client ends the build. */
async function endOf(program: Spawned, signal: AbortSignal): Promise<ProcessExit | undefined> {
  const over = new AbortController();
  const stop = () => program.signal('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const late = sleep(buildMs, over.signal).then(() => undefined);
    const ended = await Promise.race([program.ended, late]);
    if (ended === undefined) program.signal('SIGKILL');
    return ended;
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
  }
}

async function readLines(output: AsyncIterable<Uint8Array>, hear: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of output) {
    const parts = `${open}${decoder.decode(chunk, { stream: true })}`.split(/[\r\n]+/);
    open = (parts.pop() ?? '').slice(0, 10_000);
    for (const part of parts) if (part !== '') hear(part);
  }
  if (open !== '') hear(open);
}
