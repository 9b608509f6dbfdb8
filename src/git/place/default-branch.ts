// Guesses the repository's default branch from what a clone knows.

const usualNames = ['main', 'master', 'trunk', 'develop', 'development', 'default'];

export type DefaultBranch = Readonly<{ name: string; why: string }>;

export function findDefaultBranch(
  facts: Readonly<{
    /** Targets of `refs/remotes/<remote>/HEAD`. */
    remoteHeads: readonly string[];
    /** `init.defaultBranch`. */
    configured: string | undefined;
    branches: readonly string[];
    current: string | undefined;
  }>,
): DefaultBranch | undefined {
  const { remoteHeads, configured, branches, current } = facts;
  const remote = remoteHeads.find((ref) => ref.startsWith('refs/remotes/origin/')) ?? remoteHeads[0];
  const [, , from = '', ...rest] = remote?.split('/') ?? [];
  if (remote !== undefined) return { name: rest.join('/'), why: `${from}/HEAD points to it` };
  if (configured !== undefined && branches.includes(configured))
    return { name: configured, why: 'init.defaultBranch names it' };
  // Of several usual names the current one wins: committing to a shared branch is the worse mistake.
  const usual = [current ?? '', ...usualNames].find(
    (name) => usualNames.includes(name) && branches.includes(name),
  );
  if (usual !== undefined) return { name: usual, why: 'of its name' };
  const [only] = branches;
  return only !== undefined && branches.length === 1 ? { name: only, why: 'it is the only one' } : undefined;
}
