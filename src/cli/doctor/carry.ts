// Checks the git remote that runs are carried to, by trying it: a ref is pushed, read, protected by its lease, and removed.

import { readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { lackOf } from '../../git/carry/try-remote.ts';
import { carryRef, remoteOf } from '../../start/carry/prepare-carry.ts';
import { isTrusted } from '../../start/consent.ts';
import { openPlainRepo } from '../../start/open-place.ts';
import { type Checkup, type DoctorTools, type Entry, fail, ok, warn } from './entry.ts';

/** This many refs slow down every request to a remote. */
const many = 200;

/** Only if `carry.remote` is set. */
export const carryEntry: Entry = { name: 'carry', examine };

async function examine({ config, context, place }: DoctorTools): Promise<Checkup | undefined> {
  const { remote: name, namespace } = config.carry;
  if (name === undefined || !place) return undefined;
  const repo = await openPlainRepo(context, place);
  await refuseUnknownRemote(repo, name);
  // A push runs programs: the remote of a stranger's clone may be a folder beside it.
  if (!isTrusted(context, place.root))
    return warn(`${name} was not tried: this repository is not trusted yet`, 'pawl trust, then pawl doctor');
  const lack = await lackOf(repo, remoteOf(config, name), carryRef(`try-${context.random(6)}`, namespace));
  if (lack) return fail(lack.says, lack.helps);
  const held = await readRemoteRefs(repo, remoteOf(config, name), [
    'refs/pawl/*/carried',
    'refs/heads/pawl-carried/*',
  ]);
  return held.size > many
    ? warn(`${name} holds ${held.size} carried runs`, 'pawl clean --remote')
    : ok(`${name} takes atomic pushes under a lease, and shows what it holds`);
}
