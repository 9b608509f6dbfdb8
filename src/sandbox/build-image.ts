// Builds the sandbox's image if it is missing, from image-recipe.ts.
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import type { Ended, Spawned } from '../process/spawn.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { cleanLine, judgeFailedBuild, readBuild } from './build-output.ts';
import { type DockerHost, hasImage } from './docker.ts';
import {
  type BuildRequest,
  basesOf,
  buildArgs,
  type ImageRecipe,
  imageFiles,
  imageName,
} from './image-recipe.ts';

/** Where and how an image is built. */
export type BuildOptions = BuildRequest &
  Readonly<{
    /** A folder of its own for what docker builds from; removed afterwards. */
    folder: string;
    /** Whole output of a build that fails. */
    log: string;
    /** Told what is done, a line at a time. */
    say: (text: string) => void;
    /** After so long without news a sign of life is told; default: a minute. */
    quietMs?: number;
    signal: AbortSignal;
  }>;

/** How long a build may take: it loads a gigabyte. */
const buildMs = 60 * 60_000;

/** Lines of a build's output that are kept, the last ones. */
const mostLines = 5_000;

/** Makes sure that the image is there; returns its name. Failure('environment') with docker's own words when it cannot be built. */
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
  for (const base of basesOf(recipe.dockerfile))
    if (!(await hasImage(host, base))) say(`  Its base ${base} is not here either: docker pulls it.`);
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
  const { lines, step } = await heard;
  signal.throwIfAborted();
  if (ended?.code !== 0) throw failureOf(ended, { lines, step, options });
}

/** What is said of a build while it goes on, and all that it said, to its end. */
async function listen(
  program: Spawned,
  { say, quietMs = 60_000 }: BuildOptions,
): Promise<Readonly<{ lines: readonly string[]; step: string | undefined }>> {
  const lines: string[] = [];
  const { hear, latest } = readBuild();
  const take = (raw: string) => {
    const line = cleanLine(raw);
    if (line === '') return;
    lines.push(line);
    if (lines.length > mostLines) lines.shift();
    const step = hear(line);
    if (step === undefined) return;
    say(`  ${step}`);
    quiet.refresh();
  };
  // A person who waits sees that it goes on.
  const quiet = setInterval(
    () => say(`    … ${lines.at(-1)?.trim().slice(0, 100) ?? 'nothing is said yet'}`),
    quietMs,
  );
  try {
    await Promise.all([readLines(program.stdout, take), readLines(program.stderr, take)]);
  } finally {
    clearInterval(quiet);
  }
  return { lines, step: latest() };
}

type Failing = Readonly<{ lines: readonly string[]; step: string | undefined; options: BuildOptions }>;

function failureOf(ended: Ended | undefined, { lines, step, options }: Failing): Failure {
  const { log, network, say } = options;
  makeFolder(path.dirname(log));
  writeFileUnsynced(log, `${lines.join('\n')}\n`);
  for (const line of lines.slice(-15)) say(`  ${line}`);
  const { why = `docker ended with ${ended?.code}`, remedy } = judgeFailedBuild({ lines, step, network });
  const sentence = ended ? why : `it took longer than an hour${step === undefined ? '' : ` (${step})`}`;
  return new Failure('environment', `the sandbox’s image could not be built: ${sentence}`, {
    hint: [
      `All that docker said is in ${log}.`,
      remedy ?? 'sandbox.image names an image of your own; docker/README.md says what it needs.',
    ].join(' '),
  });
}

/** Its end; undefined when it took too long. Cut short, docker's client ends the build. */
async function endOf(program: Spawned, signal: AbortSignal): Promise<Ended | undefined> {
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

/** Lines of an output; an endless one is cut. */
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
