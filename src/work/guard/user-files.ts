// A person's uncommitted files: what a session changed or removed comes back from its rescue point; a changed ignored
// file stays, named with its way back. And changed files that no tool call named: perhaps a person's.
import { readCalls } from '../../agent/session/recorded.ts';
import { namesFile } from '../../check/names-file.ts';
import { type ExactFile, findInexact, readExact, writeExact } from '../../git/rescue/exact-files.ts';
import { isHeldIgnored } from '../../git/rescue/rescue-point.ts';
import type { Violation } from '../../git/restore/violation.ts';
import { fewOf, rawOf } from '../../git/run/names.ts';
import { statAt } from '../../git/tree/entry.ts';
import { matchesAny } from '../../glob.ts';
import { sessionFile } from '../../journal/folder.ts';
import { type Place, untrackedIn } from '../../place/place.ts';
import { type Task, wordsOf } from '../../plan/plan.ts';
import { shellWord } from '../../shell-word.ts';
import { isSettled } from '../judge/judge.ts';
import { saveRescuePoint } from '../rescue/rescue-point.ts';
import { isOfPlan, stateOf, type Work } from '../work.ts';
import { withoutLive } from './live-files.ts';
import { emitViolations, type Whose } from './put-back.ts';

/** Leaves what the task may change, and what belongs in commits. */
export async function restoreUserFiles(
  place: Place,
  work: Work,
  { point, whose }: Readonly<{ point: string; whose: Whose }>,
): Promise<void> {
  const { repo, run } = place;
  const away = await findAway(place, work, point);
  if (away.length === 0) return;
  const edited = editedOf(place, work, away).map((one) => nameEdited(place, one));
  emitViolations(place, whose, edited);
  const own = new Set(untrackedIn(place));
  const changed = away.filter((one) => own.has(one.file) && stands(place, one) === 'file');
  const kept =
    changed.length === 0
      ? point
      : await saveRescuePoint(place, `what a session made of ${fewOf(changed.map(({ file }) => file))}`);
  const gone = away.filter((one) => stands(place, one) === undefined);
  const back = await writeExact(repo, [...changed, ...gone]);
  if (back.length === 0) return;
  const act = { act: 'changed-user-file', detail: fewOf(back), response: 'put-back', kept } as const;
  run.emit({ type: 'act-found', ...whose, ...act });
}

export async function findEdited(place: Place, work: Work): Promise<readonly string[]> {
  return editedOf(place, work, await findAway(place, work, work.start.rescue)).map(({ file }) => file);
}

async function findAway(place: Place, work: Work, point: string): Promise<readonly ExactFile[]> {
  const { repo, run } = place;
  const { commit } = run.config;
  const own = new Set(untrackedIn(place));
  const isTheirs = (file: string): boolean =>
    (own.has(file) || isHeldIgnored(file)) && !matchesAny(file, [...commit.include, ...work.task.files]);
  // What the task's earlier sessions made is its own.
  const before = new Set((await readExact(repo, work.start.rescue)).map(({ file }) => file));
  const held = (await readExact(repo, point)).filter(({ file }) => isTheirs(file) && before.has(file));
  const away = await withoutLive(place, findInexact(repo, held));
  if (away.length === 0) return [];
  const specs = away.map(({ file }) => `:(top,literal)${file}`);
  const tracked = new Set((await repo.git(['ls-files', '-z', '--', ...specs])).split('\0'));
  return away.filter(({ file }) => !tracked.has(file));
}

function editedOf(
  place: Place,
  { task }: Pick<Work, 'task'>,
  away: readonly ExactFile[],
): readonly ExactFile[] {
  const words = wordsOf(task);
  const own = new Set(untrackedIn(place));
  return away.filter((one) => {
    const found = stands(place, one);
    return found !== undefined && !(own.has(one.file) && found === 'file') && !namesFile(words, one.file);
  });
}

function stands({ repo }: Place, { file }: ExactFile): 'file' | 'other' | undefined {
  const found = statAt(repo.root, rawOf(file));
  return found && (found.isFile() ? 'file' : 'other');
}

function nameEdited(place: Place, one: ExactFile): Violation {
  const { file, oid } = one;
  // Through a link it would be written elsewhere.
  const first = stands(place, one) === 'file' ? '' : `rm -r ${shellWord(file)} && `;
  const back = `${first}git cat-file blob ${oid.slice(0, 12)} > ${shellWord(file)}`;
  const detail = `${file}; in no commit; ${back} brings back what it was`;
  return { act: 'changed-user-file', detail, response: 'reported' };
}

/** `isAll`: nothing else changed, and no call may have changed files unnamed. */
type Unnamed = Readonly<{ files: readonly string[]; isAll: boolean }>;

/**
 * None in a lane, where nobody else works, or for agents that report no calls: a script, or a stand-in for
 * Claude Code without a version or a call.
 */
export function findUnnamed(
  place: Place,
  task: Pick<Task, 'id' | 'files'>,
  changed: readonly string[],
): Unnamed {
  const { run, lane } = place;
  const sessions = [...run.state().sessions.values()].filter(({ started }) => started.task === task.id);
  const agents = sessions.map(({ started }) => run.agentNamed(started.agent, 'sh'));
  const unclear = changed.filter((file) => file !== place.plan.name && !matchesAny(file, task.files));
  const none = { files: [], isAll: false };
  if (lane || unclear.length === 0 || agents.length === 0 || agents.some(({ can }) => can.plainAnswer))
    return none;
  const calls = sessions.flatMap(({ started: { session } }, at) => {
    const agent = agents[at];
    return agent ? [readCalls(agent, `${sessionFile(run.folder, session)}.ndjson`, unclear)] : [];
  });
  const isReported = calls.some(({ some }) => some) || sessions.every(({ ready }) => ready?.version);
  if (!isReported) return none;
  const files = unclear.filter((file) => !calls.some(({ named }) => named.has(file)));
  const reachesFurther = calls.some((call) => call.reachesFurther);
  return { files, isAll: files.length > 0 && files.length === changed.length && !reachesFurther };
}

/** All changed files, if no call names one; asked once, since a person's answer settles it. */
export function findUnclaimed(
  place: Place,
  work: Work,
  changed: readonly Readonly<{ file: string }>[],
): readonly string[] {
  if (!isOfPlan(work) || isSettled(stateOf(place, work.task), 'unnamed')) return [];
  const all = changed.map(({ file }) => file);
  const { files, isAll } = findUnnamed(place, work.task, all);
  return isAll ? files : [];
}
