// Which forge a remote's URL belongs to, and the repository's path. Pure.

export type ForgeKind = 'github' | 'gitlab';

/** `path`: the repository's. A host without a dot may be an alias of ssh, for the programs to resolve. */
export type ForgeAddress = Readonly<{ host: string; path: string }>;

/** Hosts by which ssh reaches a forge through port 443. */
const sshHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
};

/** Undefined for a path on this machine, or no URL of git's. */
export function readAddress(url: string): ForgeAddress | undefined {
  const [, named, path] =
    /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/.exec(url) ??
    /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/\/)\/*(.+)$/.exec(url) ??
    [];
  if (named === undefined || path === undefined) return undefined;
  const host = named.toLowerCase();
  return { host: sshHosts[host] ?? host, path: path.replace(/\/+$/, '').replace(/\.git$/, '') };
}

/** By its name alone. */
export function kindOfHost(host: string): ForgeKind | undefined {
  if (/(?:^|[.-])github\.|\.ghe\.com$/.test(host)) return 'github';
  return /(?:^|[.-])gitlab\./.test(host) ? 'gitlab' : undefined;
}
