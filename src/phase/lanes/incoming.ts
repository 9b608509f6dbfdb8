// What came onto the branch since a lane's base. The journal, not messages, says which commits are the run's.
import { Failure } from '../../failure.ts';
import { sharedRef } from '../../git/lane/ground-home.ts';
import { restoreProtectedFiles } from '../../git/restore/restore-protected-files.ts';
import { descends, describeCommits } from '../../git/run/ancestry.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { setIndex } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { emitViolations } from '../../work/guard/put-back.ts';
import { bringTreeTo } from '../../work/rescue/rescue-point.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { headOf, type Lanes } from './lanes.ts';

/** `isRewritten`: before this start, a person took the base out of the branch. */
type Incoming = Readonly<{ landed: readonly string[]; isRewritten: boolean }>;

/** The branch's head, with a person's commits. Throws Failure('history') if what landed is gone. */
export async function soundHeadOf({ trunk, found }: Pick<Lanes, 'trunk' | 'found'>): Promise<string> {
  const known = found.head ?? (await headOf(trunk));
  found.head = known;
  guardTrunk(trunk);
  await putBranchBack(trunk, known);
  await trunk.home?.take();
  const head = await headOf(trunk);
  if (known === head) return head;
  const { branch } = trunk.run.state().started;
  if (!(await descends(trunk.repo, known, head)))
    throw new Failure('history', `the commits of ${branch} were rewritten while tasks were worked on`, {
      hint: `pawl left them as they are. \`git reflog ${branch}\` shows what was there; the same command continues from what is there now.`,
    });
  found.head = head;
  const words = await describeCommits(trunk.repo, { start: known, head, branch });
  const text = `${words} by hand meanwhile, up to ${head.slice(0, 12)}`;
  trunk.run.emit({ type: 'intervention', kind: 'hand-edit', text });
  return head;
}

export async function readIncoming(trunk: Place, from: string, head: string): Promise<Incoming> {
  const listed = await trunk.repo.git(['rev-list', '--reverse', '--left-right', `${from}...${head}`, '--']);
  const lines = listed.split('\n').filter((line) => line !== '');
  const closed = closedOf(trunk);
  return {
    landed: lines.flatMap((line) => (line.startsWith('>') ? (closed.get(line.slice(1)) ?? []) : [])),
    isRewritten: lines.some((line) => line.startsWith('<')),
  };
}

function closedOf({ run }: Place): ReadonlyMap<string, string> {
  return new Map(
    [...run.state().tasks.values()].flatMap((task): [string, string][] =>
      task.closed?.oid === undefined ? [] : [[task.closed.oid, task.id]],
    ),
  );
}

/** Puts back settings and hooks, which pawl's own git would obey. */
function guardTrunk(trunk: Place): void {
  const before = readKeptSnapshot(trunk);
  const changes = before ? restoreProtectedFiles(trunk.repo, before.guarded) : [];
  const violations = changes.map(({ taken: _, ...change }) => change);
  emitViolations(trunk, { past: trunk.run.state().violations, whose: {}, violations });
}

async function putBranchBack(trunk: Place, known: string): Promise<void> {
  const { repo, run } = trunk;
  const head = await headOf(trunk);
  if (head === known) return;
  const { branch } = run.state().started;
  const ref = `refs/heads/${branch}`;
  const kept = pawlRef(run.id, `kept/heads/${head}`);
  const old = await readRef(repo, kept);
  await changeRefs(repo, 'put branch back', [
    { ref: kept, now: head, old },
    { ref, now: known, old: head },
  ]);
  await setIndex(repo, known);
  await trunk.home?.keep();
  run.emit({ type: 'act-found', act: 'committed', detail: ref, response: 'put-back', kept });
}

export async function tidyTrunk(trunk: Place, known?: string): Promise<void> {
  const { branch } = trunk.run.state().started;
  guardTrunk(trunk);
  const head = known ?? (await readRef(trunk.repo, sharedRef(branch)));
  if (head !== undefined) await putBranchBack(trunk, head);
  await bringTreeTo(trunk, 'HEAD', {
    reason: 'what was written into the run’s own ground while tasks were worked on in lanes',
  });
}
