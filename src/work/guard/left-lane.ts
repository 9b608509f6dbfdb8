// Handles sessions that reach into another task's lane. Writes by their tools are undone; what their commands did cannot be
// told from that task's own work, so green checks no longer prove it. Both count against the session's own round.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { moversOf } from '../../git/protect/reflog.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import { fewOf, nameOf, splitNul } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';
import { saveRescuePoint } from '../rescue/rescue-point.ts';
import { sessionOf } from '../session/identity.ts';
import { stateOf, type Work } from '../work.ts';
import { changesBetween, putFilesBack } from './restore-tree.ts';
import type { Whose } from './violations.ts';

/** Notes sessions from elsewhere that moved the lane's HEAD or branch. Must be asked before git is restored. */
export function noteMovers({ lane, repo, run }: Place, before: Snapshot): void {
  if (!lane) return;
  const refs = ['HEAD', `refs/heads/${run.state().started.branch}`];
  const emails = refs.flatMap((ref) => moversOf(repo, ref, before.head));
  const movers = new Set(emails.flatMap((email) => sessionOf(email, run.id) ?? []));
  for (const session of movers) {
    const where = run.state().sessions.get(session)?.started.lane;
    if (where === undefined || where === lane.number) continue;
    run.emit({ type: 'lane-reached', session, into: lane.number, files: [], runs: true });
  }
}

/** Restores what others did here, and returns, in words, reasons against this session's round for what it did elsewhere. */
export async function answerForLanes(place: Place, work: Work, whose: Whose): Promise<readonly string[]> {
  if (!place.lane) return [];
  return [...(await putOthersBack(place, work)), ...refuse(place, whose)];
}

/** Why green checks do not prove a task, in words. */
export function formatReached(place: Place, { task }: Work): readonly string[] {
  const doubts = stateOf(place, task).violations.filter(
    ({ act, response }) => act === 'left-lane' && response === 'reported',
  );
  const sessions = [...new Set(doubts.map(({ session }) => session))];
  return sessions.map((session) => `session ${session}, of another task, may have changed files in its lane`);
}

async function putOthersBack(place: Place, work: Work): Promise<readonly string[]> {
  const number = place.lane?.number;
  const reached = place.run
    .state()
    .landings.reached.flatMap(({ fact, toPutBack }) => (toPutBack && fact.into === number ? [fact] : []));
  if (reached.length === 0) return [];
  const rescue = await saveRescuePoint(place, 'what a session of another lane reached into');
  const tree = stateOf(place, work.task).tree ?? work.start.tree;
  const { leftOut } = place.run.state();
  const changes = (await changesBetween(place, tree, rescue)).filter(({ file }) => !leftOut.includes(file));
  const written = new Set(reached.flatMap(({ files }) => files));
  const theirs = changes.filter(({ file }) => written.has(file));
  const others = changes.filter(({ file }) => !written.has(file));
  if (theirs.length > 0) {
    const stay = new Set([...others.map(({ file }) => file), ...leftOut]);
    await putFilesBack(place, { tree, exact: work.start.rescue, rescue, theirs, stay });
  }
  // What came between two looks is in the tree already, and nobody can tell any more whose it is.
  const since = new Set((await changesBetween(place, work.start.tree, rescue)).map(({ file }) => file));
  const held = new Set((await listHeld(place, rescue, [...written])).map(nameOf));
  const isBeside = (file: string) => !held.has(file) && existsSync(path.join(place.repo.root, file));
  return [...new Set(reached.map(({ session }) => session))].flatMap((session) => {
    const own = reached.filter((fact) => fact.session === session);
    const names = new Set(own.flatMap(({ files }) => files));
    const back = theirs.filter(({ file }) => names.has(file)).map(({ file }) => file);
    const left = [...names].filter((file) => !back.includes(file) && (since.has(file) || isBeside(file)));
    const runs = own.some((fact) => fact.runs);
    return tell(place, work, { session, back, left, runs, rescue });
  });
}

/** `back`: restored files; `left`: files that may still be its doing; `runs`: its commands named the lane. */
type Found = Readonly<{
  session: number;
  back: readonly string[];
  left: readonly string[];
  runs: boolean;
  rescue: string;
}>;

function tell({ lane, run }: Place, { task }: Work, found: Found): readonly string[] {
  const { session, back, left, runs, rescue } = found;
  const where = `in lane ${lane?.number}`;
  const whose = { type: 'act-found', task: task.id, session, act: 'left-lane' } as const;
  if (back.length > 0) {
    const detail = `session ${session} wrote ${fewOf(back)} ${where}`;
    run.emit({ ...whose, detail, response: 'put-back', kept: rescue });
  }
  if (runs || left.length > 0) {
    const what = runs ? 'ran a command' : `wrote ${fewOf(left)}`;
    run.emit({ ...whose, detail: `session ${session} ${what} ${where}`, response: 'reported' });
  }
  if (back.length === 0) return [];
  return [
    `somebody who works on another task wrote ${fewOf(back)} here, and pawl has put that back as it was before your turn: see whether your own work is still whole`,
  ];
}

/** The given files that a tree holds; names are raw bytes. */
async function listHeld({ repo }: Place, tree: string, files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return [];
  return splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree, '--', ...files]));
}

function refuse({ repo, run }: Place, { task, session }: Whose): readonly string[] {
  const { lanes, landings } = run.state();
  const own = landings.reached.flatMap(({ fact, toRefuse }) =>
    toRefuse && fact.session === session ? [fact] : [],
  );
  if (own.length === 0) return [];
  const tell = (where: (lane: number) => string) =>
    [...Map.groupBy(own, ({ into }) => into)]
      .map(([lane, facts]) => `${formatReach(facts)} in ${where(lane)}`)
      .join('; ');
  run.emit({
    ...{ type: 'act-found', task, act: 'left-lane', response: 'refused' },
    ...defined({ session }),
    detail: `session ${session} ${tell((lane) => `lane ${lane}`)}`,
  });
  const folders = tell((lane) => path.relative(repo.root, lanes.get(lane)?.folder ?? ''));
  return [
    `you ${folders}: another task is worked on there. Leave that folder alone, pawl sees to what you did in it`,
  ];
}

function formatReach(facts: readonly FactOf<'lane-reached'>[]): string {
  const files = [...new Set(facts.flatMap((fact) => fact.files))];
  return [
    ...(facts.some(({ runs }) => runs) ? ['ran a command'] : []),
    ...(files.length > 0 ? [`wrote ${fewOf(files)}`] : []),
  ].join(' and ');
}
