// The recipe of the sandbox's image, and the name derived from it.
import { createHash } from 'node:crypto';

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
  return `${repository}:${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
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

export type BuildRequest = Readonly<{
  /** Contains `imageFiles`. */
  folder: string;
  env: Readonly<Record<string, string>>;
}>;

export function buildArgs(recipe: ImageRecipe, { folder, env }: BuildRequest): readonly string[] {
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
