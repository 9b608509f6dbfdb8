// What work changed of the files that decide checks, also outside of the repository.
import { classify } from '../../check/classes.ts';
import { shadowsModule } from '../../check/module-shadows.ts';
import { declaresFile, namesFile } from '../../check/names-file.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { findInTree, type Variant } from '../../git/tree/vary.ts';
import { leftOutIn, type Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { putBackText } from '../../proof/put-back.ts';
import { findChangedOutside } from '../outside.ts';
import { allChecks, callsOf, checksOf, listProofs, type PlacedCheck, type Work } from '../work.ts';

/** `caller`: whose check runs it; absent: known by its name. */
export type Touched = Readonly<{
  file: string;
  how: 'was changed' | 'was removed' | 'is new';
  caller?: 'own' | 'other' | undefined;
  /** What an experiment puts in its place; absent outside of the repository. */
  putBack?: Variant;
  leave?: string | undefined;
}>;

export async function findTouched(
  place: Place,
  work: Work,
  written: WrittenTree,
): Promise<readonly Touched[]> {
  const { tree } = written;
  const { start, planSnapshot } = work;
  const own = checksOf(place, planSnapshot, work.task);
  const checks = allChecks(place, planSnapshot);
  const called = callsOf(place, own);
  const others = callsOf(place, checks);
  const callers = new Map([
    ...[...start.calledByOthers, ...others.files, ...others.recipes].map((file) => [file, 'other'] as const),
    ...[...start.called, ...called.files, ...called.recipes].map((file) => [file, 'own'] as const),
  ]);
  const outside = findChangedOutside(place, start.outside, called).map(
    ({ file, isNew }): Touched => ({ file, how: isNew ? 'is new' : 'was changed' }),
  );
  const changes = tree === start.tree ? [] : await changesSince(place, work, written);
  const found = await Promise.all(
    changes.map((change) => judgeChange(place, { change, callers, checks, tree })),
  );
  const tests = listProofs(place, work.task.id).flatMap(({ tried }) => tried?.files ?? []);
  const made = new Set([...leftOutIn(place), ...tests]);
  return [...found.flatMap((one) => one ?? []), ...outside]
    .filter(({ file }) => !made.has(file))
    .map((one) => ({ ...one, leave: findLeave(place, work.task, one.file) }));
}

type Change = Readonly<{ file: string; from: string; status: 'added' | 'modified' | 'deleted' }>;

/** `from`: the tree that has it as at the start or as a person last changed it. */
async function changesSince(
  { repo }: Place,
  { start }: Work,
  { tree, files }: WrittenTree,
): Promise<readonly Change[]> {
  const taken = start.taken ?? {};
  const trees = new Set([start.tree, ...Object.values(taken)]);
  const all: Change[] = [];
  for (const from of trees) {
    const changes = from === start.tree ? files : await changedFiles(repo, from, tree);
    for (const { file, status, from: old } of changes) {
      if ((taken[file] ?? start.tree) === from)
        all.push({
          file,
          from,
          status:
            status === 'added' || old !== undefined ? 'added' : status === 'deleted' ? 'deleted' : 'modified',
        });
      if (old !== undefined && (taken[old] ?? start.tree) === from)
        all.push({ file: old, from, status: 'deleted' });
    }
  }
  return all;
}

export async function judgeChange(
  { repo }: Place,
  given: Readonly<{
    change: Change;
    callers: ReadonlyMap<string, Touched['caller']>;
    checks: readonly PlacedCheck[];
    tree: string;
  }>,
): Promise<Touched | undefined> {
  const { change, callers, checks, tree } = given;
  const { file, from, status } = change;
  const how = ({ added: 'is new', modified: 'was changed', deleted: 'was removed' } as const)[status];
  const folders = checks.map(({ cwd }) => cwd);
  if (status === 'added' && shadowsModule(file, folders))
    return { file, how, putBack: new Map([[file, undefined]]) };
  const caller = callers.get(file);
  // A check may call what the work is to make.
  if (caller && status === 'added') return undefined;
  const isConfig = classify(file, new Set(callers.keys())) === 'config';
  if (!caller && (!isConfig || unread.test(file))) return undefined;
  const [was, is] = await Promise.all([from, tree].map((at) => findInTree(repo, at, file)));
  if (status !== 'modified' || !was || !is) return { file, how, caller, putBack: new Map([[file, was]]) };
  const [before = '', now = ''] = await Promise.all(
    [from, tree].map(async (at) => (await readBlobs(repo, at, [file])).get(file)),
  );
  const text = putBackText(file, before, now);
  if (text === putBackText(file, now, now)) return undefined;
  return { file, how, caller, putBack: new Map([[file, text === before ? was : { mode: was.mode, text }]]) };
}

const unread =
  /(?:^|\/)(?:\.(?:git|docker|npm|hg)ignore|\.gitattributes|Dockerfile[^/]*|Jenkinsfile|\.(?:travis|gitlab-ci)\.yml|codecov\.yml|appveyor\.yml|(?:docker-)?compose[^/]*\.ya?ml)$|^\.(?:github|circleci|devcontainer)\//;

/** In words; undefined: the plan, as a person wrote it, gives no leave. */
export function findLeave(
  { run }: Readonly<{ run: Pick<Place['run'], 'state'> }>,
  { id }: Pick<Task, 'id'>,
  file: string,
): string | undefined {
  const { files, text } = run.state().leave.get(id) ?? { files: [], text: '' };
  if (files.some((glob) => declaresFile(glob, file, matchesAny))) return 'as its `files:` allows';
  return namesFile(text, file) ? 'as its text asks' : undefined;
}
