// The command that submits a plan as a job has it, whole: as it is typed by somebody who was not there. Pure.
import type { Job } from '../../fleet/job.ts';
import { branchName } from '../../plan/branch.ts';
import { shellWord } from '../../shell-word.ts';

/** What submits the same plan in the same way. */
export function submitWords(
  { repo, repoNamed, base, branch, plan, labels, options }: Job,
  priority: number,
): string {
  const { jobs, maxCost, keepGoing, push, pr } = options;
  const words = [
    `--base ${shellWord(base)}`,
    ...labels.map((label) => `--label ${shellWord(label)}`),
    ...(branch === branchName(plan) ? [] : [`--branch ${shellWord(branch)}`]),
    ...(repoNamed ? [`--repo ${shellWord(repo)}`] : []),
    ...(priority === 0 ? [] : [`--priority ${priority}`]),
    ...(jobs === undefined ? [] : [`--jobs ${jobs}`]),
    ...(maxCost === undefined ? [] : [`--max-cost ${maxCost}`]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(push ? ['--push'] : []),
    ...(pr ? ['--pr'] : []),
  ];
  return ['pawl submit', shellWord(plan), ...words].join(' ');
}
