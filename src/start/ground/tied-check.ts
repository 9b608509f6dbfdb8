// A check that names the person's tree by its path would judge that tree, not the ground. Pure.
import { Failure } from '../../failure.ts';
import type { Plan } from '../../plan/plan.ts';
import { placeSharedChecks } from '../../work/work.ts';

export function refuseTiedCheck(
  plan: Plan,
  { root, home, checks }: Readonly<{ root: string; home: string | undefined; checks: readonly string[] }>,
): void {
  const names = namesOf(root, home);
  // A longer name would be another folder's.
  const isTied = (text: string): boolean =>
    names.some((name) => text.split(name).some((rest, at) => at > 0 && !/^[\w.-]/.test(rest)));
  const all = [...placeSharedChecks(plan, checks), ...plan.tasks.flatMap((task) => task.checks)];
  const tied = all.find(({ command }) => isTied(command));
  if (!tied) return;
  throw new Failure('preflight', `the check \`${tied.command}\` names ${root}, and would look there always`, {
    hint: 'Write the path from the repository’s root, or run without --worktree and --jobs.',
  });
}

function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}
