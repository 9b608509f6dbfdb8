// The settings of the sandbox: shape, default, meaning. It starts none.
import { z } from 'zod';
import { count, list, text } from './form.ts';

/** The settings under `sandbox`. */
export const sandboxSchema = z.strictObject({
  kind: z
    .enum(['none', 'docker', 'process'])
    .describe(
      'Where agents and checks run. none: on this machine. docker: in a container without a network. process: in walls of bubblewrap, on Linux, with no bound on memory and processes.',
    )
    .prefault('none'),
  image: text(
    'Image of the container, which must be there; absent: one that pawl builds, once, when it is missing.',
  ).optional(),
  dockerfile: text(
    'Dockerfile of that image, below .pawl/ or absolute; absent: the shipped one (docker/README.md).',
  ).optional(),
  setup: text(
    'Command run as root while that image is built, as its last layer, e.g. apt-get update && apt-get install -y python3.',
  ).optional(),
  buildNetwork: text(
    'Network of that build, as docker build --network takes it, e.g. host where a VPN or firewall keeps docker’s own from the internet; absent: docker’s own. Not in a project’s file.',
  ).optional(),
  mounts: list(
    'Host folders that are seen inside, as HOST[:INSIDE][:rw]; read-only unless said. Not in a project’s file.',
  ).prefault([]),
  protect: list(
    'Of the working tree, what is read-only inside since this machine’s own programs run or obey it: files, folders, or FOLDER/* for the files in one. What a task names under files: is not. Not in a project’s file.',
  ).prefault(['.claude', '.mcp.json', '.pawl', '.vscode', '.idea', '.devcontainer', '.envrc', '.husky/*']),
  env: list('Variables that programs inside get, as NAME or NAME=value. Not in a project’s file.').prefault(
    [],
  ),
  egress: z
    .enum(['restricted', 'open', 'none'])
    .describe(
      'What may be reached from inside. restricted: the agent’s API, package registries, sandbox.allow. open: any public address. none: the agent’s API alone. Not in a project’s file.',
    )
    .prefault('restricted'),
  allow: list(
    'Further hosts, as HOST, HOST:PORT, *.HOST or ADDRESS[/PREFIX]; a local address only by itself. Not in a project’s file.',
  ).prefault([]),
  memory: z
    .string()
    .regex(/^\d+(\.\d+)?[kmg]$/i)
    .describe('Most memory of all that runs inside, e.g. 4g.')
    .prefault('4g'),
  cpus: z.number().positive().describe('Most processor cores; absent: all.').optional(),
  pids: count('Most processes and threads inside.').min(32).prefault(1024),
});
