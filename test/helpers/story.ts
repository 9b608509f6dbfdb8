// Small stories about one word in one file: a plan, checks that look for it, a branch of the user's beside main, and what
// a test asks of a run's end. It starts nothing itself but git; `makeNight` starts pawl.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { makeNight } from './night.ts';
import { type Ended, factsOf, type Scene, type SceneOptions } from './pawl.ts';

/** One task; its check is a script in the repository that is red until `src/word.txt` says right. */
export const formatPlan = `# Plan: One word

## Overview
The word in src/word.txt is right.

### Task 1: Write the word
- check: \`sh check.sh\`
- [ ] Write right to src/word.txt
`;

/** Says which word it found, so that another wrong word is another failure. */
export const formatCheck = 'cat src/word.txt && grep -qx right src/word.txt\n';

/** The right work. */
export const writeRight: Step = { bash: 'mkdir -p src && echo right > src/word.txt' };

/** Last words with the marker that says done. */
export const sayDone: Step = { say: 'It is done.\n\n{{marker TASK_DONE wrote the word}}' };

/** A turn for each message about a task: its steps, then the claim that it is done. */
export function claimsDone(...steps: readonly Step[]): readonly Turn[] {
  return [{ when: '### Task', steps: [...steps, sayDone] }];
}

/** A repository on `main` with the plan, `check.sh` and a branch `mine` that went another way, and few attempts. */
export async function makeStory(options: SceneOptions): Promise<Scene> {
  return makeNight({
    plan: formatPlan,
    more: otherBranch,
    ...options,
    files: { 'check.sh': formatCheck, ...options.files },
    env: { PAWL_TASK_ATTEMPTS: '1', ...options.env },
  });
}

const otherBranch = `git switch -qc mine
echo mine > README.md
git commit -qam mine
git switch -q main
echo ours > README.md
git commit -qam ours
`;

/** Object ids of the branches that are nobody's business but the user's. */
export async function userBranches({ repo }: Scene): Promise<string> {
  return repo.git('rev-parse', 'main', 'mine');
}

/** The folder of the only run. */
export async function runFolder({ repo }: Scene): Promise<string> {
  const runs = path.join(repo.path, '.git', 'pawl', 'runs');
  const names = await readdir(runs);
  expect(names).toHaveLength(1);
  return path.join(runs, names[0] ?? '');
}

/** A file of the run's folder, `report.md` by default. */
export async function readRun(scene: Scene, file = 'report.md'): Promise<string> {
  return readFile(path.join(await runFolder(scene), file), 'utf8');
}

/** Acts that were found, as `act → response`. */
export function actsOf(ended: Ended): readonly string[] {
  return factsOf(ended, 'act-found').map(({ act, response }) => `${act} → ${response}`);
}

/** Verdicts of all rounds but corrections, with their reasons, and of closes. */
export function roundsOf(ended: Ended): readonly string[] {
  return ended.events.flatMap((event) => {
    if (event.type === 'task-closed') return [`${event.task} ${event.proof}`];
    if (event.type === 'round-ended' && event.verdict !== 'correct')
      return [`${event.task} ${event.verdict}`];
    return [];
  });
}

/** Subjects of the run's own commits, the newest first. */
export async function ownCommits({ repo }: Scene): Promise<readonly string[]> {
  const text = await repo.git('log', '--format=%s', 'main..HEAD');
  return text === '' ? [] : text.split('\n');
}
