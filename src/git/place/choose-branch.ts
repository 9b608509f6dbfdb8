// Chooses the branch a run works on.
import { Failure } from '../../failure.ts';
import type { WorkplaceFacts } from './workplace.ts';

export type BranchChoice = Readonly<{ branch: string; create: boolean }>;

/**
 * On the default branch one named for the plan, elsewhere the current one or the one asked for. `isApart`: always the
 * plan's. `others`: taken by other plans. Throws a Failure if commits would be lost track of.
 */
export function chooseBranch(
  facts: WorkplaceFacts,
  options: Readonly<{
    planBranch: string;
    branch?: string;
    isApart?: boolean;
    others?: ReadonlySet<string>;
  }>,
): BranchChoice {
  const { branch: current, branches, defaultBranch, tags } = facts;
  const wanted = options.branch;
  if (current === undefined)
    throw new Failure('preflight', 'HEAD is detached, so commits would be on no branch', {
      hint: 'Run `git switch -c <name>`, and start again.',
    });
  if (wanted === undefined && !options.isApart && current !== defaultBranch)
    return { branch: current, create: false };
  if (wanted === current) return { branch: current, create: false };
  const isOthers = (name: string) => options.others?.has(name) ?? false;
  const free = (name: string): boolean =>
    !isOthers(name) && (branches.has(name) ? isBeyond(name) : !tags.has(name));
  const isBeyond = (name: string): boolean => ['same', 'ahead'].includes(branches.get(name)?.relation ?? '');
  if (wanted !== undefined) return enter(facts, wanted);
  const { planBranch } = options;
  if (branches.get(planBranch)?.relation === 'diverged' && !isOthers(planBranch))
    throw new Failure('preflight', `the branch ${planBranch} exists, and ${current} has diverged from it`, {
      hint: `Switch to it to continue there, or name another: --branch ${planBranch}-2`,
    });
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? planBranch : `${planBranch}-${number}`;
    if (free(name)) return enter(facts, name);
  }
}

function enter(facts: WorkplaceFacts, name: string): BranchChoice {
  const known = facts.branches.get(name);
  if (known?.worktree !== undefined)
    throw new Failure('preflight', `the branch ${name} is checked out in ${known.worktree}`, {
      hint: `Run pawl there, or name another branch: --branch ${name}-2`,
    });
  if (known) return { branch: name, create: false };
  const clash = [...facts.branches.keys()].find(
    (other) =>
      other.startsWith(`${name}/`) ||
      name.startsWith(`${other}/`) ||
      other.toLowerCase() === name.toLowerCase(),
  );
  if (clash === undefined) return { branch: name, create: true };
  throw new Failure('preflight', `git cannot have both a branch ${name} and ${clash}`, {
    hint: 'Name another one with --branch.',
  });
}
