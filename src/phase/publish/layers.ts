// The branches that have a request: the run's own, and with --stack one for each task's commit but the last, based on the
// one before. A layer ends below the next task's commit, so that a fix can be in it.
import type { ForgeRequest } from '../../forge/forge.ts';
import { readTaskCommit, type TaskCommit } from '../../git/commit/history.ts';
import { type LoggedCommit, readLog } from '../../git/run/ancestry.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';

/** `task`: whose commit is its lowest; absent: the run's own branch. `request`: the open one, if it is known. */
export type Layer = Readonly<{
  branch: string;
  task?: Pick<TaskState, 'id' | 'title'>;
  commits: readonly string[];
  head: string;
  request?: ForgeRequest;
}>;

/** The lowest first, the run's own last. Emits which commits have other ids than the journal says. */
export async function listLayers(place: Place, publish: PublishOptions): Promise<readonly Layer[]> {
  const { run, repo } = place;
  const { branch, base } = run.state().started;
  const from = run.options.review?.base ?? base;
  const commits = (await readLog(repo, ['--first-parent', `${from}..HEAD`, '--'])).toReversed();
  emitMoved(place, commits);
  const head = commits.at(-1)?.oid ?? from;
  const { tasks } = publish.of ?? run.state();
  const own = commits.flatMap(({ oid, ...commit }, at) => {
    const { task: id = '', key } = readTaskCommit({ oid, ...commit }) ?? {};
    const task = publish.stack ? tasks.get(id) : undefined;
    return task?.closed && task.closed.key === key ? [{ task, at }] : [];
  });
  const layers = own.slice(0, -1).map(({ task, at }, index): Layer => {
    const oids = commits.slice(index === 0 ? 0 : at, own[index + 1]?.at).map(({ oid }) => oid);
    const name = `${branch}-task-${task.id.replaceAll(/[^\w.-]/g, '-')}`;
    return { branch: name, task, commits: oids, head: oids.at(-1) ?? '' };
  });
  const top = commits.slice(own.length > 1 ? own.at(-1)?.at : 0).map(({ oid }) => oid);
  return [...layers, { branch, commits: top, head }];
}

function emitMoved({ run }: Place, commits: readonly LoggedCommit[]): void {
  const known = knownCommits(run.id, run.state());
  const moved = commits.flatMap((commit) => {
    const own = readTaskCommit(commit);
    const from = own && known(own);
    return from === undefined || from === commit.oid ? [] : [{ task: own?.task ?? '', from, to: commit.oid }];
  });
  const head = commits.at(-1)?.oid;
  if (moved.length > 0 && head !== undefined) run.emit({ type: 'commits-moved', head, moved });
}

/** Where the journal says that a commit is. */
function knownCommits(id: string, { tasks, review }: RunState) {
  const fixes = [...review.stages.values()].flatMap(({ rounds }) => rounds.flatMap(({ fix }) => fix ?? []));
  return ({ task, key, run }: TaskCommit): string | undefined => {
    const closed = tasks.get(task)?.closed;
    if (closed?.key === key) return closed.oid;
    return run === id ? fixes.find((fix) => fix.task === task)?.oid : undefined;
  };
}
