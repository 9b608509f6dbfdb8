// Which image a run's sandbox uses: the user's, or one built from the settings.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { packageOf } from '../../agent/agents.ts';
import type { Config } from '../../config/schema.ts';
import { Failure } from '../../failure.ts';
import { ensureImage, type ImageRecipe, imageName } from '../../sandbox/build-image.ts';
import { type DockerHost, hasImage } from '../../sandbox/docker.ts';
import { clientEnvironment } from '../../sandbox/env-passthrough.ts';
import { type CliContext, printNote } from '../context.ts';
import { host } from '../host.ts';

type Settings = Pick<Config, 'sandbox'>;

/** `root`: the working tree, whose owner owns everything inside. */
export function imageOf(context: CliContext, { sandbox }: Settings, root: string): string {
  return sandbox.image ?? imageName(recipeOf(context, sandbox, root));
}

/** The user's image is neither built nor pulled. */
export async function readyImage(
  context: CliContext,
  { config: { sandbox }, root }: Readonly<{ config: Settings; root: string }>,
): Promise<string> {
  const { image } = sandbox;
  const host = dockerHost(context);
  if (image === undefined) {
    const cache = path.join(context.folders.cache, 'sandbox');
    return ensureImage(host, recipeOf(context, sandbox, root), {
      folder: path.join(cache, `build-${context.random(4)}`),
      log: path.join(cache, 'build.log'),
      env: context.env,
      say: (text) => printNote(context, text),
      signal: context.signal,
    });
  }
  const unused = sandbox.setup !== undefined ? 'setup' : sandbox.agents.length > 0 ? 'agents' : undefined;
  if (unused !== undefined)
    throw new Failure('config', `sandbox.image names an existing image, so sandbox.${unused} cannot apply`, {
      hint: 'Leave one of them out.',
    });
  if (await hasImage(host, image)) return image;
  throw new Failure('environment', `there is no image ${image} here, and pawl does not pull images itself`, {
    hint: `docker pull ${image}, or build it; sandbox.image names another.`,
  });
}

function recipeOf(context: CliContext, { setup, agents }: Config['sandbox'], root: string): ImageRecipe {
  const { uid, gid } = statSync(root);
  return {
    dockerfile: readFileSync(path.join(context.packageRoot, 'docker', 'Dockerfile'), 'utf8'),
    setup,
    packages: agents.flatMap((name) => packageOf(name) ?? []),
    uid,
    gid,
    certificates: certificatesOf(context),
  };
}

function certificatesOf({ env }: CliContext): string | undefined {
  const file = env['NODE_EXTRA_CA_CERTS'];
  try {
    return file ? readFileSync(file, 'utf8') : undefined;
  } catch (cause) {
    throw new Failure('config', `NODE_EXTRA_CA_CERTS: ${file} cannot be read`, { cause });
  }
}

export function dockerHost(context: Pick<CliContext, 'env'>): DockerHost {
  return { ...host, env: clientEnvironment(context.env) };
}
