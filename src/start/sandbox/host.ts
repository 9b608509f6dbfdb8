// How a command starts docker's client.

import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import type { DockerHost } from '../../sandbox/docker.ts';
import { clientEnvironment } from '../../sandbox/env-passthrough.ts';
import type { CliContext } from '../context.ts';

export function dockerHost(context: Pick<CliContext, 'env'>): DockerHost {
  return { spawn: createSpawn(), sweep: createSweep(), env: clientEnvironment(context.env) };
}
