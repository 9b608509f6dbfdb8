// The arguments for bubblewrap: one program that sees system folders read-only, its mounts, and no network but the tunnel.
// Flags as of bubblewrap 0.8. Values of variables are never in the arguments.
import { inside, type Mount } from './docker-args.ts';

/** A top-level folder of the system: a link, as `/bin` mostly is, or a folder. */
export type SystemFolder = Readonly<{ path: string; link?: string }>;

/** One program in a sandbox of its own. */
export type BwrapRequest = Readonly<{
  system: readonly SystemFolder[];
  mounts: readonly Mount[];
  /** Links that are made inside, as `[to what, where]`. */
  links: readonly (readonly [string, string])[];
  cwd: string;
  /** Socket of this host that is the tunnel's wire. */
  socket: string;
  ports: readonly number[];
  file: string;
  args: readonly string[];
}>;

/** Where pawl's programs and the agent's lie inside; first in PATH. */
export const programFolder = '/opt/pawl/bin';

/** Where the tunnel's wire is seen inside. */
const wire = '/run/pawl.sock';

/** Namespaces of its own, no capability, and an end with whoever started it. */
const walls: readonly string[] = [
  ...['--die-with-parent', '--new-session', '--unshare-user', '--cap-drop', 'ALL'],
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
];

/** The walls, and what of this host is seen within. */
export function bwrapGround({
  system,
  mounts,
  links,
}: Pick<BwrapRequest, 'system' | 'mounts' | 'links'>): readonly string[] {
  return [
    ...walls,
    ...system.flatMap(({ path, link }) =>
      link === undefined ? ['--ro-bind', path, path] : ['--symlink', link, path],
    ),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--tmpfs', '/run', '--tmpfs', '/var', '--dir', '/var/tmp'],
    // A later one lies over an earlier one.
    ...mounts.flatMap(({ from, to, readonly }) => [readonly ? '--ro-bind' : '--bind', from, to]),
    ...links.flatMap(([target, place]) => ['--symlink', target, place]),
  ];
}

/** `bwrap …`: the tunnel, and beside it the program, with its own stdio. */
export function bwrapArgs(request: BwrapRequest): readonly string[] {
  const { cwd, socket, ports, file, args } = request;
  return [
    ...bwrapGround(request),
    ...['--ro-bind', socket, wire, '--chdir', cwd, '--'],
    ...[`${programFolder}/node`, inside.tunnel, '--socket', wire, ...ports.map(String), '--', file, ...args],
  ];
}

/** Asks whether such a sandbox can be had at all: the walls, around a program that does nothing. */
export const probeArgs: readonly string[] = [...walls, '--ro-bind', '/', '/', '--dev', '/dev', '--', 'true'];
