// The forge of a repository: by the remote's host, unless the settings say.
import { Failure } from '../failure.ts';
import { type ForgeKind, kindOfHost, readAddress } from './address.ts';
import type { Forge } from './forge.ts';
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
