// Which changed files no tool call of a task's sessions named, nor its `files:`: perhaps a person changed them meanwhile. A
// command may change any file without naming it, so this is a hint.
import { readCalls } from '../../agent/session/recorded.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { policyOf, stateOf, type Work } from '../work.ts';

/** `isAll`: there is no other change, and no session of the task has called what may change files without naming them. */
export type Unnamed = Readonly<{ files: readonly string[]; isAll: boolean }>;

/**
 * None in a lane, where nobody else works, and for an agent that does not report its tool calls: a script, or a program
 * that speaks as Claude Code does but neither says which version it is nor names a call.
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

/** The changed files, if nothing of the task's sessions names one; asked about once, since a person's answer settles it. */
export function findUnclaimed(
  place: Place,
  work: Work,
  changed: readonly Readonly<{ file: string }>[],
): readonly string[] {
  if (!policyOf(work).ofPlan || stateOf(place, work.task).answers.length > 0) return [];
  const names = changed.map(({ file }) => file);
  const found = findUnnamed(place, work.task, names);
  return found.isAll ? found.files : [];
}
