// The arguments for docker: a hardened container without a network, and programs in it. Values of variables are in
// the client's environment, never here.
import type { SpawnRequest } from '../process/spawn.ts';

export type Mount = Readonly<{
  /** Real, absolute, existing. */
  from: string;
  /** Absolute, inside. */
  to: string;
  readonly: boolean;
}>;

export type ContainerRequest = Readonly<{
  name: string;
  image: string;
  /** `uid:gid`. */
  user: string;
  /** For the sweep of a later start. */
  labels: Readonly<Record<string, string>>;
  /** `memory`: as for docker, e.g. `4g`, includes swap; `pids`: processes and threads. */
  bounds: Readonly<{ memory: string; pids: number }>;
  mounts: readonly Mount[];
  /** Not secret. */
  env: Readonly<Record<string, string>>;
  workdir: string;
  /** On its loopback; they lead to pawl. */
  ports: readonly number[];
}>;

export const inside = {
  tunnel: '/opt/pawl/tunnel.mjs',
  home: '/home/pawl',
  /** The repository's; private git folders borrow from them. */
  objects: '/pawl/objects',
  /** The user's, if outside the working tree. */
  hooks: '/pawl/hooks',
  /** Private, for a linked working tree. */
  git: '/pawl/git',
} as const;

/** `docker run …`: by default the main process carries all connections over its stdio, and exits with pawl. */
export function runArgs(
  request: ContainerRequest,
  main: readonly string[] = ['node', inside.tunnel, ...request.ports.map(String)],
): readonly string[] {
  const { bounds, labels, mounts, env } = request;
  return [
    ...['run', '--interactive', '--rm', '--init', '--pull', 'never'],
    ...['--name', request.name, '--hostname', 'pawl'],
    ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    // Else all traffic would be logged to disk.
    ...['--log-driver', 'none', '--network', 'none'],
    ...['--user', request.user, '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    // Tests may run programs from there.
    ...['--tmpfs', '/tmp:rw,exec,nosuid,nodev,mode=1777'],
    ...['--pids-limit', String(bounds.pids), '--memory', bounds.memory, '--memory-swap', bounds.memory],
    ...mounts.flatMap((mount) => ['--mount', formatMount(mount)]),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...['--workdir', request.workdir, request.image, ...main],
  ];
}

/** `names`: of variables. */
export function execArgs(
  container: string,
  { file, args, cwd, input }: SpawnRequest,
  names: readonly string[],
): readonly string[] {
  const interactive = input === 'pipe' ? ['--interactive'] : [];
  const variables = names.flatMap((name) => ['--env', name]);
  return ['exec', ...interactive, '--workdir', cwd, ...variables, container, file, ...args];
}

/** `--mount`, unlike `-v`, does not create missing folders; its value is CSV. */
function formatMount({ from, to, readonly }: Mount): string {
  const fields = ['type=bind', `src=${from}`, `dst=${to}`, ...(readonly ? ['readonly'] : [])];
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}
