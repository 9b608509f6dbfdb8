// Runs a work's checks on tree T, again if they changed it; what they wrote is told from others' changes, which are
// kept and undone.
import type { CheckRun } from '../../check/check-run.ts';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { lookAtTree } from '../../git/tree/look.ts';
import type { TreeChange } from '../../git/tree/raw-diff.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { inKeptGround } from '../../ground/in-ground.ts';
import type { Ground } from '../../ground/make.ts';
import type { Place } from '../../place/place.ts';
import type { Check } from '../../plan/plan.ts';
import type { WorkPlace } from '../landing.ts';
import {
  type ChecksEnd,
  type ChecksOptions,
  runChecks,
  runOneCheck,
  setUpGround,
} from '../tree/run-checks.ts';
import { writeTreeNow, writeWorkTree } from '../tree/work-tree.ts';
import { checksOf, type Work } from '../work.ts';
import { changesBetween, putBack } from './put-back.ts';

/** The trees before and after the checks. */
type Span = Readonly<{ before: string; after: string; head: string }>;

/** `others`: those of them that were put back. */
type CheckWrites = Readonly<{ files: readonly string[]; others: readonly string[] }>;

/** In a ground of pawl's own, everything is the checks'. */
async function sortCheckWrites(
  place: Place,
  checks: readonly Check[],
  { before, after, head }: Span,
): Promise<CheckWrites> {
  if (before === after) return { files: [], others: [] };
  const changes = await changesBetween(place, before, after);
  const files = changes.map(({ file }) => file);
  const isOwn = place.lane !== undefined || place.home !== undefined;
  if (isOwn || files.length === 0 || place.run.signal.aborted) return { files, others: [] };
  const made = await findMade(place, checks, { before, after, head, changes });
  if (place.run.signal.aborted) return { files, others: [] };
  const back = changes.filter(({ was, file }) => was !== undefined && !made.has(file));
  await putBack(place, { who: 'check', tree: before, back });
  return { files, others: back.map(({ file }) => file) };
}

/** So often checks run if somebody changes what they run on. */
const mostRuns = 3;

/** `isOutdated`: since `after`, checks ran in a ground for minutes, in which a person may have acted. */
export async function runSettledChecks(
  place: Place,
  checks: readonly Check[],
  options: ChecksOptions,
): Promise<ChecksEnd & Readonly<{ isOutdated?: true }>> {
  let { look } = options;
  if (checks.length === 0) return { runs: [], after: look, cutShort: false };
  for (let run = 1; ; run += 1) {
    look ??= await lookAtTree(place.repo, place.index);
    const { tree: before } = await writeTreeNow(place, look);
    const end = await runChecks(place, checks, { ...options, look });
    const { after, runs } = end;
    if (!after || runs.length === 0) return end;
    const { tree } = await writeTreeNow(place, after);
    const span = { before, after: tree, head: after.head.commit ?? '' };
    const { others } = await sortCheckWrites(place, checks, span);
    if (others.length === 0) return before === tree ? end : { ...end, isOutdated: true };
    look = undefined;
    if (run === mostRuns) return { ...end, after: undefined, isOutdated: true };
  }
}

/** Changed files that are the same in a ground after the same checks. */
async function findMade(
  place: Place,
  checks: readonly Check[],
  { before, after, head, changes }: Span & Readonly<{ changes: readonly TreeChange[] }>,
): Promise<ReadonlySet<string>> {
  const message = 'the tree that checks began on\n';
  const commit = await commitPoint(place.repo, before, { parents: head === '' ? [] : [head], message });
  const act = async (ground: Ground): Promise<ReadonlySet<string>> => {
    if ((await setUpGround(place, ground)) !== undefined) return new Set();
    for (const check of checks) {
      if (place.run.signal.aborted) return new Set();
      await runOneCheck(place, check, { when: 'fresh', ground });
    }
    const names = await ground.repo.bytes(['diff', '--name-only', '--no-renames', '-z', after, '--']);
    const differ = new Set(splitNul(names).map(nameOf));
    return new Set(changes.map(({ file }) => file).filter((file) => !differ.has(file)));
  };
  return inKeptGround(place, { use: 'prove', commit }, { act, isDoubtful: ({ size }) => size === 0 });
}

/** `restless`: tracked files that the checks write every time. */
type Checked = Readonly<{
  tree: WrittenTree;
  runs: readonly CheckRun[] | undefined;
  restless: readonly string[];
  cutShort: boolean;
}>;

/** Changes of the tree during checks, before that is the work's fault. */
const [mostOwn, mostOthers] = [2, 3];

/** If tracked files changed, runs again: on what the checks wrote, without others' changes. */
export async function checkTree(place: WorkPlace, work: Work, first: WrittenTree): Promise<Checked> {
  const checks = checksOf(place, work.plan, work.task);
  let tree = first;
  for (let [own, others] = [0, 0]; ; ) {
    const given = { when: 'after', task: work.task, look: tree.look } as const;
    const { runs, after: look, cutShort } = await runChecks(place, checks, given);
    const after = runs.length === 0 ? tree : await writeWorkTree(place, work, 'check', { look, last: tree });
    if (after.tree === tree.tree || cutShort) return { tree: after, runs, restless: [], cutShort };
    const span = { before: tree.tree, after: after.tree, head: after.look.head.commit ?? '' };
    const writes = await sortCheckWrites(place, checks, span);
    if (writes.others.length > 0) others += 1;
    else own += 1;
    const restless = writes.files.length > 0 ? writes.files : ['a tracked file'];
    tree = writes.others.length > 0 ? await writeWorkTree(place, work, 'check') : after;
    if (own === mostOwn || others === mostOthers) return { tree, runs, restless, cutShort };
  }
}
