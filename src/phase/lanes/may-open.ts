// Whether tasks can be worked on in lanes here at all: what git and the repository allow, and how a trial of the first lane
// goes.
import { Failure } from '../../failure.ts';
import type { Task } from '../../plan/plan.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { placeSharedChecks } from '../../work/work.ts';
import type { Lanes } from './lanes.ts';
import { openLane, tryLane } from './open-lane.ts';

/** Makes the first lane and tries it with the checks of the `first` tasks; reports why lanes are of no use. */
export async function mayOpen(lanes: Lanes, first: readonly Task[]): Promise<boolean> {
  const { trunk } = lanes;
  const { lanesTried } = trunk.run.state();
  if (lanesTried && lanesTried.differs.length > 0) return false;
  if (lanes.lacks.length > 0) return false;
  const lack = await findLack(trunk);
  if (lack !== undefined) {
    note(lanes, lack);
    return false;
  }
  const lane = await openFirst(lanes);
  return lane !== undefined && (await tryLane(lanes, lane, first));
}

async function openFirst(lanes: Lanes): Promise<WorkPlace | undefined> {
  try {
    return await openLane(lanes, 1);
  } catch (error) {
    if (!isLack(error)) throw error;
    note(lanes, `no lane can be made: ${formatLack(error)}`);
    return undefined;
  }
}

/** Whether the error only prevents a lane, while the run's own tree is as good as ever: no space, a setup that fails. */
export function isLack(error: unknown): error is Failure {
  return error instanceof Failure && ['disk', 'git', 'environment'].includes(error.code);
}

export function formatLack({ message, hint }: Failure): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

async function findLack(trunk: WorkPlace): Promise<string | undefined> {
  const { run, repo } = trunk;
  if (run.grounds === undefined) return 'there is no folder for lanes';
  const version = (await repo.git(['version'])).trim();
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  if (major < 2 || (major === 2 && minor < 38)) return `${version} cannot merge trees: 2.38 or newer can`;
  const tied = findTied(trunk);
  return tied === undefined
    ? undefined
    : `${tied} names ${repo.root} itself, and would look there instead of at a lane’s files`;
}

function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}

/** A check that would read the run's own tree even from a lane, because it names it. */
function findTied({ repo, run, plan, env }: WorkPlace): string | undefined {
  const names = namesOf(repo.root, env['HOME']);
  const isTied = (text: string): boolean =>
    // A longer name would be another folder's.
    names.some((name) => text.split(name).some((rest, at) => at > 0 && !/^[\w.-]/.test(rest)));
  const planSnapshot = readPlanSnapshot({ run, plan });
  const own = planSnapshot.plan.tasks.flatMap((task) => task.checks);
  const checks = [...placeSharedChecks(planSnapshot.plan, run.config.checks), ...own];
  const check = checks.find(({ command }) => isTied(command));
  return check && `the check \`${check.command}\``;
}

/** Lanes are not tried again before the next start. */
function note({ trunk: { run }, lacks }: Lanes, lack: string): void {
  lacks.push(lack);
  const text = `--jobs ${run.config.jobs}: one task at a time, because ${lack}`;
  if (!run.state().notices.some((known) => known.text === text))
    run.emit({ type: 'noticed', code: 'no-lanes', text });
}
