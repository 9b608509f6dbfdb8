// Builds the sandbox's image where it is missing. What it is made of is image-recipe.ts's.
import path from 'node:path';
import { makeFolder, removeOwnFolder, writeFileUnsynced } from '../effect.ts';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import type { Ended, Spawned } from '../process/spawn.ts';
import { type DockerHost, hasImage } from './docker.ts';
import {
  type BuildRequest,
  basesOf,
  buildArgs,
  type ImageRecipe,
  imageFiles,
  imageName,
  readStep,
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
  say(`The sandbox’s image ${name} is not here yet: docker builds it now, once; this takes some minutes.`);
  for (const base of basesOf(recipe.dockerfile))
    if (!(await hasImage(host, base))) say(`  Its base ${base} is not here either: docker pulls it.`);
  try {
    for (const [file, text] of Object.entries(imageFiles(recipe))) {
      makeFolder(path.dirname(path.join(folder, file)));
      writeFileUnsynced(path.join(folder, file), text);
    }
    await build(host, recipe, options);
  } finally {
    removeOwnFolder(folder);
  }
  return name;
}

async function build(host: DockerHost, recipe: ImageRecipe, options: BuildOptions): Promise<void> {
  const { env, log, say, signal } = options;
  const program = host.spawn({
    file: 'docker',
    args: buildArgs(recipe, options),
    cwd: '/',
    env: { ...env, ...host.env, BUILDKIT_PROGRESS: 'plain' },
    input: 'closed',
  });
  const lines: string[] = [];
  const hear = (line: string) => {
    lines.push(line);
    if (lines.length > mostLines) lines.shift();
    const step = readStep(line);
    if (step !== undefined) say(`  ${step}`);
  };
  const reading = Promise.all([readLines(program.stdout, hear), readLines(program.stderr, hear)]);
  const ended = await endOf(program, signal);
  await reading;
  signal.throwIfAborted();
  if (ended?.code === 0) return;
  makeFolder(path.dirname(log));
  writeFileUnsynced(log, `${lines.join('\n')}\n`);
  for (const line of lines.slice(-15)) say(`  ${line}`);
  const why = ended
    ? (findComplaint(lines) ?? `docker ended with ${ended.code}`)
    : 'it took longer than an hour';
  throw new Failure('environment', `the sandbox’s image could not be built: ${why}`, {
    hint: `All that docker said is in ${log}. sandbox.image names an image of your own; docker/README.md says what it needs.`,
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

/** The line that says most about why: of the last ones, the one that speaks of an error. */
function findComplaint(lines: readonly string[]): string | undefined {
  const last = lines.filter((line) => line.trim() !== '').slice(-30);
  const told = last.findLast((line) => /error|cannot|denied|failed|not found/i.test(line)) ?? last.at(-1);
  return told?.trim().slice(0, 300);
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
