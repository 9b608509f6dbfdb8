// The recipe of the sandbox's image, and the name derived from it.
import { createHash } from 'node:crypto';

/** Everything an image depends on. Its base image may change under the same tag, which goes unnoticed. */
export type ImageRecipe = Readonly<{
  /** The Dockerfile's text. */
  dockerfile: string;
  /** Shell command that forms its last layer, run as root. */
  setup?: string | undefined;
  /** npm packages of further agents; absent: none. */
  packages?: readonly string[] | undefined;
  /** Owner of what is created inside. */
  uid: number;
  gid: number;
  /** Additional certificates to trust, PEM. */
  certificates?: string | undefined;
}>;

/** Name of all images that pawl builds, before their tag. */
const repository = 'pawl-sandbox';

/** The image's name with its tag, which depends on the whole recipe. */
export function imageName(recipe: ImageRecipe): string {
  const { dockerfile, setup = '', packages = [], uid, gid, certificates = '' } = recipe;
  const content = JSON.stringify([dockerfile, setup, uid, gid, certificates, packages]);
  return `${repository}:${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

/** Runs a setup: it stops at the first command that fails, and prints each before, so that a log names it. */
const setupShell = ['/bin/bash', '-euxo', 'pipefail', '-c'];

/** The files that docker builds from, by path: nothing else of the user's is passed to it. */
export function imageFiles({
  dockerfile,
  setup,
  uid,
  gid,
  certificates,
}: ImageRecipe): Readonly<Record<string, string>> {
  // As a list of words, in which docker substitutes nothing.
  const command = JSON.stringify([...setupShell, setup ?? '']);
  const layer = setup === undefined ? '' : `\nUSER root\nRUN ${command}\nUSER ${uid}:${gid}\n`;
  return {
    Dockerfile: `${dockerfile.trimEnd()}\n${layer}`,
    // An image without any has the folder all the same: a Dockerfile may copy it.
    ...(certificates === undefined ? { 'certificates/none': '' } : { 'certificates/host.crt': certificates }),
  };
}

/** Variables of the host that docker passes to a build by name, if they are set. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

/** What `docker build` gets besides the recipe. */
export type BuildRequest = Readonly<{
  /** Contains `imageFiles`. */
  folder: string;
  /** The user's. */
  env: Readonly<Record<string, string>>;
}>;

/** `docker build …`. */
export function buildArgs(recipe: ImageRecipe, { folder, env }: BuildRequest): readonly string[] {
  const { packages = [] } = recipe;
  const agents = packages.length === 0 ? [] : ['--build-arg', `AGENTS=${packages.join(' ')}`];
  const named = proxies.filter((name) => env[name] !== undefined).flatMap((name) => ['--build-arg', name]);
  return [
    // Otherwise a failed step leaves its container.
    ...['build', '--force-rm', '--tag', imageName(recipe), '--label', 'pawl.image=sandbox'],
    ...['--build-arg', `UID=${recipe.uid}`, '--build-arg', `GID=${recipe.gid}`, ...agents, ...named],
    folder,
  ];
}
