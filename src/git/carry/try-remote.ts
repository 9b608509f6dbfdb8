// Tests whether a remote can carry runs: creates a ref in the namespace, reads it, checks that its lease holds, and removes
// it.
import { needFailure } from '../../failure.ts';
import { ownIdentity } from '../rescue/rescue-commit.ts';
import type { Repo } from '../run/repo.ts';
import { pushLeased, type Remote, readRemoteRefs } from './remote.ts';

export type RemoteLack = Readonly<{ says: string; helps: string }>;

const elsewhere =
  'Carry to another remote, or have its server allow atomic pushes and refs below refs/pawl; `carry.namespace: branches` puts them among the branches instead.';

/** Tests it with a ref of this name, which is gone afterwards; undefined if it can carry runs. */
export async function tryRemote(repo: Repo, remote: Remote, ref: string): Promise<RemoteLack | undefined> {
  // An unreachable remote is reported as such, not as lacking something.
  await readRemoteRefs(repo, remote, [ref]);
  const input = { input: 'pawl tries whether this remote can carry runs\n', env: ownIdentity };
  const tree = (await repo.write('trial tree', ['mktree'], { input: '' })).trim();
  const first = (await repo.write('trial commit', ['commit-tree', tree], input)).trim();
  const second = (await repo.write('trial commit', ['commit-tree', tree, '-p', first], input)).trim();
  const made = await pushLeased(repo, remote, { ref, old: undefined, now: first });
  if (made !== 'taken')
    return { says: `${remote.name} does not take an atomic push to ${ref}: ${made.why}`, helps: elsewhere };
  try {
    const seen = await readRemoteRefs(repo, remote, [ref]);
    if (seen.get(ref) !== first)
      return { says: `${remote.name} hides ${ref} from those who ask for it`, helps: elsewhere };
    const wrong = await pushLeased(repo, remote, { ref, old: second, now: second });
    const after = await readRemoteRefs(repo, remote, [ref]);
    if (wrong === 'taken' || after.get(ref) !== first)
      return { says: `${remote.name} moved a ref against its lease`, helps: elsewhere };
  } finally {
    await pushLeased(repo, remote, { ref, old: first, now: undefined });
  }
  return undefined;
}

/** Like `tryRemote`, but an unreachable remote is a lack too, in the Failure's words. */
export async function lackOf(repo: Repo, remote: Remote, ref: string): Promise<RemoteLack | undefined> {
  try {
    return await tryRemote(repo, remote, ref);
  } catch (error) {
    const failure = needFailure(error);
    return { says: failure.message, helps: `git ls-remote ${remote.name} shows what is wrong.` };
  }
}
