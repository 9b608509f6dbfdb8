// Parses the host folders a user wants inside, resolving links, and refuses those that must never be visible.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { Failure } from '../failure.ts';
import type { Mount } from './docker-args.ts';

export type MountGround = Readonly<{ home: string; root: string }>;

/** `HOST[:INSIDE][:ro|:rw]`; a missing or forbidden folder throws Failure('config'). */
export function readMounts(entries: readonly string[], ground: MountGround): readonly Mount[] {
  return entries.map((entry) => readMount(entry, ground));
}

function readMount(entry: string, { home, root }: MountGround): Mount {
  const parts = entry.split(':');
  const mode = parts.length > 1 && /^r[ow]$/.test(parts.at(-1) ?? '') ? parts.pop() : 'ro';
  const [host = '', inside] = parts;
  const wanted = host.startsWith('~/') ? path.join(home, host.slice(2)) : host;
  if (parts.length > 2 || !path.isAbsolute(wanted) || (inside !== undefined && !path.isAbsolute(inside)))
    throw refuse(entry, 'is not HOST[:INSIDE][:ro|:rw] with absolute paths');
  const from = realOf(entry, wanted);
  if (path.basename(from) === 'docker.sock')
    throw refuse(entry, 'is the engine’s socket: who has it has the machine');
  // Whoever works in the repository could have put a link there.
  if (isAtOrBelow(wanted, root) || isAtOrBelow(from, root))
    throw refuse(entry, 'is in the repository, which is visible anyway');
  if (isAtOrBelow(root, from) && mode === 'rw')
    throw refuse(entry, 'contains the repository, and would expose it and everything beside it');
  return { from, to: path.normalize(inside ?? wanted), readonly: mode === 'ro' };
}

function realOf(entry: string, file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    throw new Failure('config', `sandbox.mounts: ${entry}: ${file} is not there`, { cause });
  }
}

function refuse(entry: string, why: string): Failure {
  return new Failure('config', `sandbox.mounts: ${entry} ${why}`);
}
