// Refuses a new run for a plan that is open here, but finished or missing on its branch.
import { Failure } from '../../failure.ts';
import type { BranchChoice } from '../../git/place/choose-branch.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed } from '../../plan/plan.ts';
import { shellWord } from '../../shell-word.ts';
import { namePlan } from './find-unfinished.ts';

export async function refuseClosedThere(
  repo: Repo,
  { workplace, planFile }: Readonly<{ workplace: WorkplaceFacts; planFile: string }>,
  { branch, create }: BranchChoice,
): Promise<void> {
  const name = namePlan(workplace.root, planFile);
  if (create || branch === workplace.branch || workplace.planIgnored || name === planFile) return;
  const [here, there] = await Promise.all(
    ['HEAD', `refs/heads/${branch}`].map(async (tree) => (await readBlobs(repo, tree, [name])).get(name)),
  );
  const isGone = there === undefined && here !== undefined;
  if (!isGone && !(there !== undefined && parsePlan(there, planFile).tasks.every(isClosed))) return;
  const how = isGone ? 'which no longer has that file' : 'where all its tasks are closed';
  throw new Failure(
    'preflight',
    `${name} is open here, on ${workplace.branch}, but the run would work on the branch ${branch}, ${how}`,
    {
      hint: `To get what was done there: \`git merge ${branch}\`. To do it again: \`pawl run --branch ${branch}-2 ${shellWord(name)}\``,
    },
  );
}
