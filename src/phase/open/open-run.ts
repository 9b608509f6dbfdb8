// Opens a run: takes the lock, finds the plan's unfinished run or makes one.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { removeOwnFolder } from '../../disk.ts';
import { Disposal } from '../../disposal.ts';
import { type Emit, eventVersion, type Fact, type Stamped } from '../../event.ts';
import { asFailure } from '../../failure.ts';
import { spentToday } from '../../journal/day.ts';
import { foldFact } from '../../journal/fold.ts';
import { inRun, makeRunFolder } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { acquireLock, findHolders, heldByTwin } from '../../journal/lock.ts';
import { readState } from '../../journal/read-journal.ts';
import type { RunListener, RunState } from '../../journal/state.ts';
import type { PlanPlace } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { reasonOfFailure } from '../../work/stopped.ts';
import { removeDrafts, writeFileAtomic } from '../../write-file.ts';
import { createHome } from '../ground/own-ground.ts';
import { resumeRun, startRun } from './begin-run.ts';
import { folderName, isAside, namePlan } from './find-unfinished.ts';
import { chooseBranchFor, type OpenRequest, refuseChanged, refuseClosedThere } from './may-open.ts';

/** Disposing it closes the journal and releases the lock. */
export type OpenRun = Readonly<{ place: WorkPlace }> & Disposable;

/** Before its start is journaled, only `.git/pawl` changes. */
export async function openRun(request: OpenRequest): Promise<OpenRun> {
  const { open } = request;
  const { repo, now } = request.base;
  const choice = open ? undefined : chooseBranchFor(request);
  if (choice && !isAside(request.about)) await refuseClosedThere(repo, request, choice);
  const { run, folder } = open ?? makeRunFolder(repo.home, now(), folderName(request.planFile));
  const planFile = path.resolve(folder, request.planFile);
  using stack = new Disposal();
  stack.use(lockRun(request, { id: run, folder, isNew: !open }));
  removeDrafts(path.dirname(planFile), path.basename(planFile));
  for (const own of [folder, path.join(folder, inRun.sessions)]) removeDrafts(own);
  if (request.goal !== undefined) writeFileAtomic(planFile, request.goal, 0o600);
  const journal = stack.use(new Journal(folder, request.mask));
  const past = open && readState(folder);
  const { hasEmitted, ...emitter } = createEmitter(journal, past, { now, show: request.show });
  const place = placeOf({ ...request, planFile }, past, { id: run, folder, mask: request.mask, ...emitter });
  try {
    if (past) await resumeRun(place, past, request);
    else await startRun(place, request, choice ?? { branch: '', create: false });
  } catch (error) {
    const failure = asFailure(error);
    const { emit, options } = place.run;
    // What the previous stop left is unchanged.
    const end = { type: 'run-ended', finished: false, ...options.left } as const;
    if (failure && hasEmitted()) emit({ ...end, exit: failure.exit, reasons: [reasonOfFailure(failure)] });
    throw error;
  }
  const kept = stack.move();
  return { place, [Symbol.dispose]: () => kept[Symbol.dispose]() };
}

/** Refuses if another tree has a run of the plan, or another run is to be continued by now. A refused new run leaves no folder. */
function lockRun(
  request: OpenRequest,
  run: Readonly<{ id: string; folder: string; isNew: boolean }>,
): Disposable {
  const { base, socket, about } = request;
  // A review works on a branch; a dialogue has no plan yet.
  const plan = isAside(about) ? {} : { plan: placePlan(request).name };
  try {
    const { repo } = base;
    using stack = new Disposal();
    // A dialogue may go on beside a run of its tree.
    const [gitDir, tree] = about.planning ? [run.folder, {}] : [repo.gitDir, { tree: repo.root }];
    stack.use(acquireLock(gitDir, run.id, base.now(), { socket, ...plan, ...tree }));
    // Under its own lock: of two simultaneous starts each sees the other.
    const twin = findHolders(repo.home).find(
      ({ gitDir, holder }) =>
        gitDir !== repo.gitDir && holder.plan !== undefined && holder.plan === plan.plan,
    );
    if (twin) throw heldByTwin(twin.holder, twin.holder.plan ?? '');
    refuseChanged(request);
    return stack.move();
  } catch (error) {
    if (run.isNew) removeOwnFolder(run.folder);
    throw error;
  }
}

function placeOf(
  request: OpenRequest,
  past: RunState | undefined,
  run: Pick<Run, 'id' | 'folder' | 'emit' | 'state' | 'mask' | 'wake'>,
): WorkPlace {
  const { repo, spawn, readOnlySpawn, sweep, shell, env, sandbox, ...base } = request.base;
  const { tree, head, refused } = past?.course.ended ?? {};
  const home = request.home && createHome(run, { ground: repo, home: request.home });
  return {
    run: {
      ...base,
      ...run,
      today: (now) => spentToday(repo.home, run.id, now),
      options: {
        ...request.options,
        ...(tree === undefined ? {} : { left: { tree, ...defined({ head, refused }) } }),
      },
    },
    repo,
    spawn,
    sweep,
    shell,
    env,
    ...defined({ readOnlySpawn, sandbox, home }),
    plan: placePlan(request),
    index: path.join(run.folder, 'index'),
  };
}

function placePlan({ base, planFile, workplace, about }: OpenRequest): PlanPlace {
  const name = namePlan(base.repo.root, planFile);
  const tracked = name !== planFile && !workplace.planIgnored && !isAside(about);
  return { file: planFile, name, tracked };
}

/** A person's doing: whoever waits, rests or listens looks again. */
const wakingFacts: ReadonlySet<Fact['type']> = new Set(['intervention', 'budgets-set']);

/** `awakeMs` stands still while the machine sleeps. `wake` is replaced once aborted by a person's command. */
export function createEmitter(
  journal: Journal,
  past: RunState | undefined,
  given: Readonly<{ now: () => Date; show: RunListener; awakeMs?: () => number }>,
) {
  const { now, show, awakeMs = () => performance.now() } = given;
  let known = past;
  let hasEmitted = false;
  let wake = new AbortController();
  /** The wall clock's lead over `awakeMs` at the last fact. */
  let aheadMs: number | undefined;
  /** Of the last activity: there may be a hundred in a millisecond. */
  let [stampedMs, stamp] = [Number.NaN, ''];
  const state = (): RunState => {
    if (!known) throw new Error('the run has not started');
    return known;
  };
  /** A correction below a minute tells nothing. */
  const slept = (at: Date): Readonly<{ sleptMs?: number }> => {
    const nowAhead = at.getTime() - awakeMs();
    const ms = Math.round(nowAhead - (aheadMs ?? nowAhead));
    if (aheadMs !== undefined && Math.abs(ms) < 60_000) return {};
    aheadMs = nowAhead;
    return ms === 0 ? {} : { sleptMs: ms };
  };
  const emit: Emit = (event) => {
    const at = now();
    if (event.type === 'activity') {
      if (at.getTime() !== stampedMs) [stampedMs, stamp] = [at.getTime(), at.toISOString()];
      return show({ v: eventVersion, at: stamp, ...event }, state(), state());
    }
    const fact: Stamped<Fact> = journal.append({ ...event, ...slept(at) }, at);
    hasEmitted = true;
    const before = known;
    known = foldFact(before, fact);
    show(fact, known, before);
    if (!wakingFacts.has(fact.type)) return;
    const woken = wake;
    wake = new AbortController();
    woken.abort();
  };
  return { emit, state, wake: () => wake.signal, hasEmitted: () => hasEmitted };
}
