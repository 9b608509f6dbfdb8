// The arguments for bubblewrap (flags as of 0.8): a program sees system folders read-only, its mounts, and no network
// but the tunnel. They never hold values of variables. Of settings only what any user may read is shown, or a root
// worker would show keys and passwords.
import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { orElse } from '../or-else.ts';
import { inside, type Mount } from './docker-args.ts';

const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/nix/store'];

/** Those that exist: no home, no data, nothing mounted. Some systems have all programs in `/nix/store`. */
export function findSystemFolders(): readonly SystemFolder[] {
  return folders.flatMap((folder): SystemFolder[] => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found) return [];
    if (found.isSymbolicLink()) return [{ path: folder, link: readlinkSync(folder) }];
    return [folder === '/etc' ? { path: folder, hidden: findPrivate(folder) } : { path: folder }];
  });
}

export function findPrivate(folder: string): NonNullable<SystemFolder['hidden']> {
  return orElse(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    const stat = lstatSync(whole, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    const isFolder = stat.isDirectory();
    const needed = isFolder ? 0o005 : 0o004;
    if ((stat.mode & needed) !== needed) return [{ path: whole, isFolder }];
    return isFolder ? findPrivate(whole) : [];
  });
}

/** The one of `trees` that holds `cwd`; else the nearest working tree above; else `cwd`. */
export function workFolderOf(trees: readonly string[], cwd: string): string {
  const own = trees.find((tree) => isAtOrBelow(cwd, tree));
  if (own !== undefined) return own;
  for (let folder = cwd; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, '.git'))) return folder;
  return cwd;
}

/** `link`: the target of one that is a link, as `/bin` usually is. */
export type SystemFolder = Readonly<{
  path: string;
  link?: string;
  /** Covered inside. */
  hidden?: readonly Readonly<{ path: string; isFolder: boolean }>[];
}>;

type BwrapRequest = Readonly<{
  system: readonly SystemFolder[];
  mounts: readonly Mount[];
  /** Links to create inside, as `[target, path]`. */
  links: readonly (readonly [string, string])[];
  cwd: string;
  ports: readonly number[];
  /** File with its seccomp filter. */
  filter: string;
  bwrap: string;
  file: string;
  args: readonly string[];
}>;

/** Pawl's programs and the agent's; first in PATH inside. */
export const programFolder = '/opt/pawl/bin';

const walls: readonly string[] = [
  ...['--die-with-parent', '--new-session', '--unshare-user', '--cap-drop', 'ALL'],
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
];

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
    ...system.flatMap(({ hidden = [] }) =>
      hidden.flatMap(({ path, isFolder }) =>
        isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
      ),
    ),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--tmpfs', '/run', '--tmpfs', '/var', '--dir', '/var/tmp'],
    // Later ones cover earlier ones.
    ...mounts.flatMap(({ from, to, readonly }) => [readonly ? '--ro-bind' : '--bind', from, to]),
    ...links.flatMap(([target, place]) => ['--symlink', target, place]),
  ];
}

/** `/bin/sh …`, which opens the filter for bubblewrap: the tunnel, beside it the program with its own stdio. */
export function bwrapArgs(request: BwrapRequest): readonly string[] {
  const { cwd, ports, filter, bwrap, file, args } = request;
  return [
    ...['-c', 'exec 9<"$0" && exec "$@"', filter, bwrap, '--seccomp', '9'],
    ...bwrapGround(request),
    ...['--chdir', cwd, '--'],
    ...[`${programFolder}/node`, inside.tunnel, ...ports.map(String), '--', file, ...args],
  ];
}

/** Tests whether the walls are possible at all. */
export const probeArgs: readonly string[] = [...walls, '--ro-bind', '/', '/', '--dev', '/dev', '--', 'true'];
