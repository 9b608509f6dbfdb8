// Changed files that no tool call of the task named, nor its `files:`: perhaps a person's. Only a hint: a
// command may change any file.
import { readCalls } from '../../agent/session/recorded.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { isOfPlan, stateOf, type Work } from '../work.ts';

/** `isAll`: nothing else changed, and no call may have changed files unnamed. */
export type Unnamed = Readonly<{ files: readonly string[]; isAll: boolean }>;

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
  if (lane || unclear.length === 0 || agents.length === 0 || agents.some(({ can }) => can.plainAnswer))
    return { files: [], isAll: false };
  const calls = sessions.flatMap(({ started }, at) => {
    const agent = agents[at];
    return agent ? [readCalls(agent, `${sessionFile(run.folder, started.session)}.ndjson`)] : [];
  });
  const isReported = calls.some(({ some }) => some) || sessions.every(({ ready }) => ready?.version);
  if (!isReported) return { files: [], isAll: false };
  const files = unclear.filter((file) => !calls.some(({ names }) => names(file)));
  const isAll =
    files.length > 0 &&
    files.length === changed.length &&
    !calls.some(({ reachesFurther }) => reachesFurther);
  return { files, isAll };
}

/** All changed files, if no call names one; asked once, since a person's answer settles it. */
export function findUnclaimed(
  place: Place,
  work: Work,
  changed: readonly Readonly<{ file: string }>[],
): readonly string[] {
  if (!isOfPlan(work) || stateOf(place, work.task).answers.length > 0) return [];
  const names = changed.map(({ file }) => file);
  const found = findUnnamed(place, work.task, names);
  return found.isAll ? found.files : [];
}
