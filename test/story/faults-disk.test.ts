// Disks that are full or read-only, for real, at the instants that matter: pawl says what and where, exit 8, nothing is
// lost, no process is left; with room again the same command comes to what a run without the fault comes to.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, lettersDone, onTask } from '../helpers/letters.ts';
import { type Mounts, makeMounts, seenIn } from '../helpers/mounts.ts';
import { has } from '../helpers/needs.ts';
import { expectNoProcess, faultAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { expectExit } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const fill = (folder: string) =>
  `dd if=/dev/zero of=${folder}/ballast bs=64k 2>/dev/null; dd if=/dev/zero of=${folder}/ballast2 bs=1k 2>/dev/null; true`;

type Fault = Readonly<{
  name: string;
  /** Folder that is a small disk of its own; default: pawl's. */
  folder?: string;
  at?: string;
  turns?: readonly Turn[];
  says: RegExp;
  /** Where the work of task 1 lies: in the tree, or in the commit of the run's branch. */
  work?: 'tree' | 'commit';
}>;

const faults: readonly Fault[] = [
  {
    name: 'full: the journal, as a session starts',
    at: 'journal session-started#1',
    says: /cannot write .*\.git\/pawl\/runs\/.*no space/,
  },
  {
    name: 'full: journal and raw stream, while a session works',
    turns: [
      onTask(
        'a',
        [
          { bash: `echo a > a.txt; ${fill('.git/pawl')}` },
          { say: 'x'.repeat(100_000) },
          { bash: 'sleep 30' },
          done,
        ],
        true,
      ),
      ...honest('a', 'b'),
    ],
    says: /\.git\/pawl\/runs\/.*no space/,
    work: 'tree',
  },
  {
    name: 'full: the journal, as a close is announced',
    at: 'journal closing#1',
    says: /\.git\/pawl\/.*no space/,
    work: 'tree',
  },
  {
    name: 'full: the journal, after the commit',
    at: 'journal task-closed#1',
    says: /\.git\/pawl\/.*no space/,
    work: 'commit',
  },
  {
    name: 'full: the check logs',
    at: 'journal check-started#2',
    says: /\.git\/pawl\/.*no space/,
    work: 'tree',
  },
  {
    name: 'full: git’s objects, filled by a session',
    folder: '.git/objects',
    turns: [
      onTask('a', [{ bash: `echo a > a.txt; ${fill('.git/objects')}` }, done], true),
      ...honest('a', 'b'),
    ],
    says: /No space left|no space/,
    work: 'tree',
  },
  {
    name: 'full: git’s objects, in the commit',
    folder: '.git/objects',
    at: 'git commit#1',
    says: /No space left|no space/,
    work: 'tree',
  },
  {
    name: 'full: the plan’s folder, at the tick',
    folder: 'docs/plans',
    at: 'file write plan.md#2',
    says: /cannot write .*plan\.md.*no space/,
    work: 'tree',
  },
  {
    name: 'read-only: the plan’s folder, at the tick',
    folder: 'docs/plans',
    at: 'journal closing#1',
    says: /cannot write .*docs\/plans.*read-only/,
    work: 'tree',
  },
  { name: 'read-only: git’s folder from the start', folder: '.git', at: 'start', says: /read-only/ },
  {
    name: 'read-only: the run folders from the start',
    at: 'start',
    says: /cannot write .*\.git\/pawl.*read-only/,
  },
];

async function makeDisk(fault: Fault, mounts: Mounts): Promise<Night> {
  const { folder = '.git/pawl', at, turns = honest('a', 'b'), name } = fault;
  const readOnly = name.startsWith('read-only');
  const harm = readOnly ? `mount -o remount,ro "$PWD/${folder}"` : fill(folder);
  const scene = await makeNight({
    turns,
    enter: mounts.enter,
    files: { '.gitignore': 'ballast*\n' },
    env: at === undefined || at === 'start' ? {} : faultAt(at, harm),
  });
  await mkdir(path.join(scene.repo.path, folder), { recursive: true });
  await mounts.limit(path.join(scene.repo.path, folder), 1_000);
  if (at === 'start') await mounts.sh(harm, scene.repo.path);
  return { ...scene, repo: seenIn(mounts, scene.repo) };
}

describe.runIf(has('mounts of its own (unshare)')).concurrent('a disk that is', () => {
  test.each(share(faults, 6))('$name', async (fault) => {
    await using mounts = await makeMounts();
    await using scene = await makeDisk(fault, mounts);
    const { folder = '.git/pawl' } = fault;
    const ended = await expectExit(8, scene.run());
    expect(ended.stderr + ended.stdout).toMatch(fault.says);
    expect(ended.stderr).not.toContain('bug in pawl');
    await expectNoProcess(scene);
    if (fault.work === 'tree') expect(await scene.repo.read('a.txt')).toBe('a');
    if (fault.work === 'commit') expect(await scene.repo.git('show', 'plan:a.txt')).toBe('a');
    await mounts.sh(`mount -o remount,rw "$PWD/${folder}"; rm -f ${folder}/ballast*`, scene.repo.path);
    await expectExit(0, scene.again());
    expect(await resultOf(scene)).toMatchObject(lettersDone);
  });
});
