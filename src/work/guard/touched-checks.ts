// What work changed of the files that decide checks, also outside of the repository; run with them as they were, green
// checks tell which changes they need: those count against the work.
import { classify } from '../../check/classes.ts';
import { shadowsModule } from '../../check/module-shadows.ts';
import { declaresFile, namesFile } from '../../check/names-file.ts';
import type { Violation } from '../../git/restore/violation.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { findInTree, type Variant } from '../../git/tree/vary.ts';
import { leftOutIn, type Place } from '../../place/place.ts';
import type { Check, Task } from '../../plan/plan.ts';
import { openLab } from '../../proof/lab.ts';
import { putBackText } from '../../proof/put-back.ts';
import { findCulprits } from '../../proof/try-definitions.ts';
import { findChangedOutside } from '../outside.ts';
import { commitOf, inTrials } from '../tree/run-checks.ts';
import { allChecks, callsOf, checksOf, listProofs, stateOf, type Work } from '../work.ts';
import { emitViolations, type Whose } from './put-back.ts';

/** `caller`: whose check runs it; absent: known by its name. */
type Touched = Readonly<{
  file: string;
  how: 'was changed' | 'was removed' | 'is new';
  caller?: 'own' | 'other' | undefined;
  /** What an experiment puts in its place; absent outside of the repository. */
  putBack?: Variant;
  leave?: string | undefined;
}>;

/** In words. `reds`: against the round; `read`: why green may prove nothing. `cutShort`: interrupted, nobody is blamed. */
type TouchedVerdict = Readonly<{ reds: readonly string[]; read: readonly string[]; cutShort: boolean }>;

export const noneTouched: TouchedVerdict = { reds: [], read: [], cutShort: false };

export async function judgeTouched(
  place: Place,
  work: Work,
  { tree, whose }: Readonly<{ tree: WrittenTree; whose: Whose }>,
): Promise<TouchedVerdict> {
  const touched = await findTouched(place, work, tree);
  if (touched.length === 0) return noneTouched;
  const allowed = touched.filter(({ leave }) => leave !== undefined);
  const suspects = touched.filter(({ leave }) => leave === undefined);
  const guilty = await findGuilty(place, work, { suspects, tree });
  // Experiments that were interrupted blame nothing: the next start makes them.
  if (place.run.signal.aborted) return { ...noneTouched, cutShort: true };
  emitViolations(place, whose, [
    ...allowed.map(({ file, how, leave }) => act(`${file} ${how}, ${leave}`, 'allowed')),
    ...guilty.map((one) => act(`${one.file} ${one.how}`, one.caller === 'own' ? 'refused' : 'reported')),
  ]);
  const innocent = suspects.filter(({ file }) => !guilty.some((one) => one.file === file));
  noteInnocent(place, work, innocent);
  const refused = guilty.filter(({ caller }) => caller === 'own');
  const asked = guilty.filter(({ caller }) => caller !== 'own');
  return {
    reds: refused.map(({ file, how, why }) => `${file} ${how}, and ${why}: put it back as it was`),
    read: asked.map(({ file, how, why }) => `${file} ${how}, ${why}, and the task does not name it`),
    cutShort: false,
  };
}

async function findTouched(place: Place, work: Work, written: WrittenTree): Promise<readonly Touched[]> {
  const { tree } = written;
  const { start, plan } = work;
  const own = checksOf(place, plan, work.task);
  const checks = allChecks(place, plan);
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
      const isMade = status === 'added' || old !== undefined;
      all.push({ file, from, status: isMade ? 'added' : status === 'deleted' ? status : 'modified' });
      if (old !== undefined) all.push({ file: old, from, status: 'deleted' });
    }
  }
  return all.filter(({ file, from }) => (taken[file] ?? start.tree) === from);
}

export async function judgeChange(
  { repo }: Place,
  given: Readonly<{
    change: Change;
    callers: ReadonlyMap<string, Touched['caller']>;
    checks: readonly Check[];
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
  if (files.some((glob) => declaresFile(glob, file))) return 'as its `files:` allows';
  return namesFile(text, file) ? 'as its text asks' : undefined;
}

/** Files without whose change the checks are red; all where that cannot be told. */
async function findGuilty(
  place: Place,
  work: Work,
  { suspects, tree }: Readonly<{ suspects: readonly Touched[]; tree: WrittenTree }>,
): Promise<readonly (Touched & Readonly<{ why: string }>)[]> {
  const unclear = suspects.filter((one) => !isToBeTried(one)).map(withWhy);
  const inside = suspects.filter(isToBeTried);
  if (inside.length === 0) return unclear;
  const checks = checksOf(place, work.plan, work.task).filter(({ knownRed }) => !knownRed);
  const tried = { commit: await commitOf(place, tree), checks, task: work.task.id };
  const guilty = await inTrials(place, tried, async (trials) => {
    const lab = openLab(trials);
    if (await lab.isRed('the work in a clean ground', new Map())) return undefined;
    return findCulprits(inside, lab, ({ putBack = new Map() }) => putBack);
  });
  if (!guilty) return [...unclear, ...inside.map(withWhy)];
  return [...unclear, ...guilty.map((one) => ({ ...one, why: 'the checks are green only with that' }))];
}

/** A check's script says what done means, whatever the work needs: not tried. */
function isToBeTried({ file, putBack, caller }: Touched): boolean {
  return putBack !== undefined && (caller === undefined || (caller === 'own' && recipe.test(file)));
}

const recipe =
  /(?:^|\/)(?:(?:package|composer)\.json|deno\.jsonc?|(?:GNU)?[Mm]akefile|.*\.mk|\.?[Jj]ustfile|[Tt]askfile.*)$/;

function withWhy(one: Touched): Touched & Readonly<{ why: string }> {
  const called = { own: 'it decides about this task', other: 'a check of another task runs it' };
  return { ...one, why: one.caller === undefined ? 'a check may read it' : called[one.caller] };
}

/** A gutted definition may show only in later work: each is named, once. */
function noteInnocent(place: Place, work: Work, innocent: readonly Touched[]): void {
  const { tamper } = stateOf(place, work.task);
  for (const { file, how } of innocent) {
    const quote =
      how === 'is new' ? 'the checks are green without it' : 'the checks are green as it was, too';
    const isKnown = tamper.some((note) => note.file === file && note.quote === quote);
    // Until something calls it, it decides nothing.
    if (isKnown || (how === 'is new' && script.test(file))) continue;
    const detail = `a definition that ${how}`;
    place.run.emit({ type: 'tamper-noted', task: work.task.id, file, detail, quote });
  }
}

const script = /\.(?:sh|bash|zsh)$|^(?:scripts?|tools|ci|\.husky)\//;

function act(detail: string, response: Violation['response']): Violation {
  return { act: 'edited-check', detail, response };
}
