// Why nobody has begun a queued job, in words for whoever waits for it. Pure.

import { isAllowed, type Job, keyOf, plainUrl, takes } from '../../fleet/job.ts';
import { branchName } from '../../plan/branch.ts';
import { type FleetView, isThere } from '../../report/status/fleet-view.ts';
import { formatList } from '../../report/text/figure.ts';
import { shellWord } from '../../shell-word.ts';

type Worker = FleetView['workers'][number];

/** `lack`: a person must act; `waits`: it begins in its turn. Neither: somebody may begin it at any moment. */
export type WhyQueued = Readonly<{ lack?: string; waits?: string }>;

type Active = Readonly<{ id: string; job: Job }>;

export function whyQueued(job: Job, workers: readonly Worker[], active: readonly Active[]): WhyQueued {
  const there = workers.filter(isThere);
  const allowing = there.filter(({ repos }) => isAllowed(job.repo, repos));
  const taking = there.filter((worker) => takes(worker, job));
  if (there.length === 0) return { lack: 'no worker is running: `pawl fleet work` starts one' };
  if (allowing.length === 0) return { lack: `no running worker allows ${plainUrl(job.repo)} (fleet.repos)` };
  if (taking.length === 0)
    return {
      lack: `no worker that allows its repository has the label${job.labels.length === 1 ? '' : 's'} ${formatList(job.labels)}`,
    };
  const ready = taking.filter(({ says }) => says === '');
  if (ready.length === 0)
    return { lack: taking.map(({ name, says }) => `${name} would take it, but ${says}`).join('; ') };
  const before = active.find((each) => isBefore(each.job, job));
  if (before)
    return { waits: `${before.id.slice(0, 8)} is running, and plans on ${job.base} run one after another` };
  if (ready.every(({ busy, slots }) => busy >= slots)) return { waits: 'all workers that take it are busy' };
  return {};
}

function isBefore(one: Job, other: Job): boolean {
  if (one.base !== other.base || labelsOf(one) !== labelsOf(other)) return false;
  return keyOf(one) === keyOf(other);
}

function labelsOf({ labels }: Job): string {
  return [...new Set(labels)].sort().join(' ');
}

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
