// The command that submits a plan exactly as a job has it, complete enough for somebody who was not there. Pure.
import type { Job } from '../../fleet/job.ts';
import { branchName } from '../../plan/branch.ts';
import { shellWord } from '../../shell-word.ts';

/** The words that submit the same plan in the same way. */
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
  return ['pawl fleet submit', shellWord(plan), ...words].join(' ');
}
