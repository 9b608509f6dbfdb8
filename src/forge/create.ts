// The forge of a repository: by the remote's host, unless the settings say; and its login where its program has none.
import { Failure } from '../failure.ts';
import type { Forge, ForgeAddress } from './forge.ts';
import { createGitHub } from './github.ts';
import { createGitLab } from './gitlab.ts';
import type { ForgeTools } from './program.ts';

/** `urls`: as configured and as git resolves them. `kind`: from the settings. */
export type ForgeChoice = Readonly<{ remote: string; urls: readonly string[]; kind: ForgeKind | 'auto' }>;

const creators = { github: createGitHub, gitlab: createGitLab } as const;

export function createForge({ remote, urls, kind }: ForgeChoice, tools: ForgeTools): Forge {
  const addresses = urls.flatMap((url) => readAddress(url) ?? []);
  const known = addresses.find(({ host }) => kindOfHost(host) !== undefined);
  const address = known ?? addresses.find(({ host }) => host.includes('.')) ?? addresses[0];
  const chosen = kind === 'auto' ? address && kindOfHost(address.host) : kind;
  if (chosen !== undefined) return creators[chosen]({ ...tools, address });
  const where = address === undefined ? 'is no address of a forge' : `is on ${address.host}`;
  throw new Failure('preflight', `the remote ${remote} ${where}, and pawl cannot tell which forge that is`, {
    hint: 'Set forge.kind to github or gitlab (`--set forge.kind=gitlab`).',
  });
}

type ForgeKind = 'github' | 'gitlab';

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

/** `process/environment.ts` keeps it from all others. */
export const tokenVariable = 'PAWL_FORGE_TOKEN';

/** For gh, glab and git with their host; none without a token. */
export function loginBy(token: string | undefined): Readonly<Record<string, string>> {
  if (!token) return {};
  return {
    GH_TOKEN: token,
    GH_ENTERPRISE_TOKEN: token,
    GITLAB_TOKEN: token,
    // Drops the configured helpers.
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'credential.helper',
    GIT_CONFIG_VALUE_0: '',
    GIT_CONFIG_KEY_1: 'credential.helper',
    GIT_CONFIG_VALUE_1: '!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f',
  };
}
