// Agents that meddle while their work is right: the meddling is put back and named, and the work becomes exactly one
// commit of pawl's.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { type Cast, expectExit, tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import {
  actsOf,
  claimsDone,
  formatPlan,
  makeStory,
  ownCommits,
  readRun,
  userBranches,
  writeRight,
} from '../helpers/story.ts';

const file = 'docs/plans/plan.md';
/** A hook that leaves a trace wherever git runs it. */
const hook = (folder: string) =>
  `mkdir -p ${folder}; printf '#!/bin/sh\\ntouch "$HOME/hook-ran"\\n' > ${folder}/pre-commit; chmod +x ${folder}/pre-commit`;

const twins: readonly Readonly<{
  name: string;
  /** Default scripted. */
  cast?: Cast;
  steps: readonly Step[];
  acts: readonly string[];
  says: RegExp;
}>[] = [
  {
    name: 'commits in several commits',
    cast: 'claude',
    steps: [
      { bash: 'mkdir -p src; echo wrong > src/word.txt; git add -A; git commit -qm "a first try"' },
      { bash: 'echo right > src/word.txt; git commit -qam "the word"; git tag done' },
    ],
    acts: ['committed → absorbed', 'moved-ref → reported'],
    says: /2 commits on plan/,
  },
  {
    name: 'commits on another branch and stays on it',
    steps: [
      {
        bash: 'git switch -qc aside; mkdir -p src; echo right > src/word.txt; git add -A; git commit -qm done',
      },
    ],
    acts: ['switched-branch → put-back', 'committed → absorbed'],
    says: /aside was checked out.*put back(.|\n)*1 commit on aside/,
  },
  {
    name: 'deletes the plan',
    steps: [writeRight, { bash: `git rm -qf ${file}` }],
    acts: ['removed-plan → put-back'],
    says: /plan was removed/,
  },
  {
    name: 'ticks the plan and commits the ticks',
    steps: [writeRight, { bash: `sed -i 's/- \\[ \\]/- [x]/' ${file}; git add -A; git commit -qm done` }],
    acts: ['committed → absorbed', 'ticked-plan → put-back'],
    says: /Boxes of the plan were ticked/,
  },
  {
    name: 'sets core.hooksPath to hooks that would run',
    steps: [writeRight, { bash: `${hook('.git/theirs')}; git config core.hooksPath .git/theirs` }],
    acts: ['changed-git-config → put-back'],
    says: /git configuration was changed \(core\.hookspath/i,
  },
  {
    name: 'plants a pre-commit hook',
    steps: [writeRight, { bash: hook('.git/hooks') }],
    acts: ['changed-hooks → put-back'],
    says: /hooks were changed \(\.git\/hooks\/pre-commit/,
  },
  {
    name: 'leaves a process that would remove the work',
    steps: [
      writeRight,
      {
        bash: `setsid perl -e 'select undef, undef, undef, 30; unlink "src/word.txt"' >/dev/null 2>&1 & true`,
      },
    ],
    acts: ['left-process → put-back'],
    // Seen before or after its shell has become it.
    says: /process was left running \(.*perl/,
  },
  {
    name: 'puts merge state and a lock in the way and cleans up after itself',
    steps: [writeRight, { bash: 'git merge -q mine || git merge --abort' }],
    acts: [],
    says: /tasks? proven/,
  },
];

test.for(share(twins, 8).map((twin) => [twin.name, twin] as const))(
  '%s',
  async ([, { cast = 'scripted', steps, acts, says }]) => {
    await using scene = await makeStory({ cast, turns: claimsDone(...steps) });
    const { repo } = scene;
    const before = await userBranches(scene);
    const ended = await expectExit(0, scene.run());
    expect(await ownCommits(scene)).toEqual(['Write the word']);
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe(`${file}\nsrc/word.txt`);
    expect(await repo.git('show', 'HEAD:src/word.txt')).toBe('right');
    expect(await repo.read(file)).toBe(formatPlan.replace('- [ ]', '- [x]'));
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await repo.git('branch', '--show-current')).toBe('plan');
    expect(await userBranches(scene)).toBe(before);
    expect(actsOf(ended), tell(ended)).toEqual(acts);
    expect(await readRun(scene)).toMatch(says);
    expect(existsSync(path.join(scene.home, 'hook-ran'))).toBe(false);
  },
);
