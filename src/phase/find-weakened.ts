// What the run weakened of the definition of done beside right work: put back on HEAD, the checks are red.
import { isOfTests, isTestHelper } from '../check/classes.ts';
import type { FactOf } from '../event.ts';
import { findBlobs } from '../git/run/read-objects.ts';
import type { ChangedFile } from '../git/tree/raw-diff.ts';
import { findInTree, type Variant } from '../git/tree/vary.ts';
import { matchesAny } from '../glob.ts';
import { judgedOf, listClosed, type TaskState } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import type { Check } from '../plan/plan.ts';
import { isLoadError, openLab } from '../proof/lab.ts';
import { findCulprits } from '../proof/try-definitions.ts';
import { findLeave, judgeChange } from '../work/guard/touched-checks.ts';
import { readPlanAt } from '../work/plan/plan-snapshot.ts';
import { inTrials } from '../work/tree/run-checks.ts';
import { allChecks, callsOf, checksOf } from '../work/work.ts';
import { changesOf, filesIn } from './find-lost.ts';

type Weakened = NonNullable<FactOf<'fresh-verified'>['weakened']>[number];
type Suspect = Weakened & Readonly<{ putBack: Variant; isNew: boolean }>;

export type Suspicion = Readonly<{ suspects: readonly Suspect[]; checks: readonly Check[] }>;

type OwnCommit = Readonly<{
  task: TaskState;
  oid: string;
  changes: readonly ChangedFile[];
  files: readonly string[];
}>;

/** Definitions, and tests of earlier tasks that later ones changed, without a person's leave. */
export async function listSuspicions(place: Place, head: string): Promise<readonly Suspicion[]> {
  const commits = await listOwnCommits(place);
  const all: Suspicion[] = [...(await suspectDefinitions(place, commits, head))];
  for (const [at, own] of commits.entries()) {
    const [before, after] = [commits.slice(0, at), commits.slice(at + 1)];
    all.push(await suspectTests(place, head, { own, before, after, isAsLeft: true }));
    all.push(await suspectTests(place, head, { own, before, after: [own, ...after], isAsLeft: false }));
  }
  return all.filter(({ suspects, checks }) => suspects.length > 0 && checks.length > 0);
}

/** Without whose change the checks are red on HEAD. */
export async function findWeakened(
  place: Place,
  suspicions: readonly Suspicion[],
  head: string,
): Promise<readonly Weakened[]> {
  const guilty: Suspect[] = [];
  for (const { suspects, checks } of suspicions) {
    // Red in a kept ground is tried again in a new one, whose answer counts.
    const found = await inTrials(place, { commit: head, checks }, async (trials) => {
      const lab = openLab(trials);
      const needed: Suspect[] = [];
      const culprits = await findCulprits(suspects, lab, ({ putBack }) => putBack);
      // Later work may need a new one, or more of a helper: nothing loads without it.
      for (const one of culprits.filter(({ isNew, file }) => isNew || isTestHelper(file)))
        if (isLoadError(await lab.run(`without ${one.file}`, one.putBack))) needed.push(one);
      return culprits.filter((one) => !needed.includes(one));
    });
    guilty.push(...(found ?? []));
  }
  return guilty.map(({ putBack: _, isNew: __, ...weakened }) => weakened);
}

async function listOwnCommits(place: Place): Promise<readonly OwnCommit[]> {
  const { tasks, fixes } = place.run.state();
  const closed = listClosed([...tasks.values(), ...fixes.values()]);
  const all = await changesOf(place, closed);
  return closed.map(({ task, close: { oid } }) => {
    const changes = all.get(oid) ?? [];
    return { task, oid, changes, files: filesIn(place, changes) ?? [] };
  });
}

type FirstChange = Readonly<{ from: string; by: readonly string[] }>;

/** By file: the commit before its first change without leave, and whose changes those are. */
function findChanged(place: Place, commits: readonly OwnCommit[]): ReadonlyMap<string, FirstChange> {
  const changed = new Map<string, FirstChange>();
  for (const { task, oid, files } of commits)
    for (const file of files) {
      const known = changed.get(file);
      if (findLeave(place, task, file) !== undefined) changed.delete(file);
      else
        changed.set(file, {
          from: task.start?.taken?.[file] ?? known?.from ?? `${oid}^`,
          by: [...(known?.by ?? []), task.id],
        });
    }
  return changed;
}

/** Definitions as before the first change without leave; a later one with leave begins anew. */
async function suspectDefinitions(
  place: Place,
  commits: readonly OwnCommit[],
  head: string,
): Promise<readonly Suspicion[]> {
  const plan = readPlanAt(place);
  const checks = countedOf(allChecks(place, plan));
  const changed = findChanged(place, commits);
  const { files, recipes } = callsOf(place, checks);
  const before = commits.flatMap(({ task: { start } }) => [
    ...(start?.called ?? []),
    ...(start?.calledByOthers ?? []),
  ]);
  const callers = new Map([...before, ...files, ...recipes].map((file) => [file, 'other'] as const));
  const all = [...changed];
  const blobs = await findBlobs(
    place.repo,
    all.flatMap(([file, { from }]) => [from, head].map((tree) => ({ tree, file }))),
  );
  const suspects: Suspect[] = [];
  for (const [at, [file, { from, by }]] of all.entries()) {
    const [was, is] = blobs.slice(2 * at);
    if (was === is) continue;
    const status = was === undefined ? 'added' : is === undefined ? 'deleted' : 'modified';
    const change = { file, from, status } as const;
    const touched = await judgeChange(place, { change, callers, checks, tree: head });
    if (touched?.putBack)
      suspects.push({ file, by: [...by], putBack: touched.putBack, isNew: was === undefined });
  }
  // Tried with its maker's checks: those of later tasks may rightly need it.
  const made = suspects.filter(({ isNew }) => isNew);
  const checksOfMaker = ({ by: [maker] }: Suspect): readonly Check[] => {
    const task = plan.tasks.find(({ id }) => id === maker);
    return task ? countedOf(checksOf(place, plan, task)) : checks;
  };
  return [
    { suspects: suspects.filter(({ isNew }) => !isNew), checks },
    ...made.map((one) => ({ suspects: [one], checks: checksOfMaker(one) })),
  ];
}

/** `after`: those that may have changed a test since. */
type TestsAsked = Readonly<
  Record<'before' | 'after', readonly OwnCommit[]> & { own: OwnCommit; isAsLeft: boolean }
>;

/** Tests as the task left them; else as before the task, whose checks did not need the change. */
async function suspectTests(
  place: Place,
  head: string,
  { own: { task, oid, files }, before, after, isAsLeft }: TestsAsked,
): Promise<Suspicion> {
  const isOlder = (file: string) => !isAsLeft && before.some((one) => one.files.includes(file));
  const plan = readPlanAt(place);
  const planned = new Map(plan.tasks.map((one) => [one.id, one]));
  const mayChange = (id: string, file: string): boolean =>
    findLeave(place, { id }, file) !== undefined || matchesAny(file, planned.get(id)?.redefines ?? []);
  const suspects: Suspect[] = [];
  for (const file of files.filter((one) => isOfTests(one) && !isOlder(one))) {
    const { by, names } = follow(file, after);
    // Experiments showed the work red with the file as it was, or were not made.
    const mayHaveNeeded = ({ task: of }: OwnCommit) =>
      judgedOf(of)?.experiments?.redefined.some((one) => names.includes(one.file)) ?? true;
    const isMeant = by.some(
      (one) => names.some((name) => mayChange(one.task.id, name)) || (!isAsLeft && mayHaveNeeded(one)),
    );
    const ids = by.flatMap(({ task: { id } }) => (planned.has(id) ? id : []));
    if (isMeant || ids.length === 0) continue;
    const from = isAsLeft ? oid : (task.start?.taken?.[file] ?? `${oid}^`);
    const both = [from, head].map((tree) => ({ tree, file }));
    const [was, is] = await findBlobs(place.repo, both);
    if (was === undefined || was === is) continue;
    const putBack = new Map([[file, await findInTree(place.repo, from, file)]]);
    suspects.push({ file, by: ids, ...(isAsLeft ? { of: task.id } : {}), putBack, isNew: false });
  }
  const own = planned.get(task.id);
  return { suspects, checks: own ? countedOf(checksOf(place, plan, own)) : [] };
}

/** The commits that changed a file, and all its names. */
function follow(
  file: string,
  commits: readonly OwnCommit[],
): Readonly<{ by: readonly OwnCommit[]; names: readonly string[] }> {
  const names = [file];
  const by: OwnCommit[] = [];
  for (const commit of commits) {
    if (!commit.files.some((one) => names.includes(one))) continue;
    by.push(commit);
    for (const { file: now, from = '' } of commit.changes) if (names.includes(from)) names.push(now);
  }
  return { by, names };
}

const countedOf = (checks: readonly Check[]): readonly Check[] => checks.filter(({ knownRed }) => !knownRed);

export function nameWeakened({ file, by, of }: Weakened): string {
  const who = `task ${by.join(', ')}`;
  return of === undefined
    ? `with ${file} as it was before ${who} changed it`
    : `with ${file} as task ${of} left it, before ${who} changed it`;
}
