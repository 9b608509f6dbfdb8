// Opens a run: takes the lock, finds the plan's unfinished run or makes one.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { removeOwnFolder } from '../../disk.ts';
import { Disposal } from '../../disposal.ts';
import { type Emit, eventVersion, type Fact, type Stamped } from '../../event.ts';
import { asFailure, Failure } from '../../failure.ts';
import { OtherRuns } from '../../journal/day.ts';
import { foldFact } from '../../journal/fold.ts';
import { inRun, makeRunFolder } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { acquireLock, findHolders, heldByTwin } from '../../journal/lock.ts';
import { readState } from '../../journal/read-journal.ts';
import type { RunListener, RunState } from '../../journal/state.ts';
import type { Place, PlanPlace } from '../../place/place.ts';
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
  if (choice instanceof Failure) throw choice;
  if (choice && !isAside(request.about)) await refuseClosedThere(repo, request, choice);
  const { run, folder } = open ?? makeRunFolder(repo.home, now(), folderName(request.planFile));
  const planFile = path.resolve(folder, request.planFile);
  using stack = new Disposal();
  stack.use(lockRun(request, { id: run, folder, isNew: !open }));
  removeDrafts(path.dirname(planFile), path.basename(planFile));
  for (const own of [folder, path.join(folder, inRun.sessions)]) removeDrafts(own);
  if (request.goal !== undefined) writeFileAtomic(planFile, request.goal, 0o600);
  const journal = new Journal(folder, request.mask);
  stack.defer(() => journal.close());
  const past = open && readState(folder);
  const emitter = new RunEmitter(journal, past, { now, show: request.show });
  const place = placeOf({ ...request, planFile }, { run: { id: run, folder }, past, emitter });
  try {
    if (past) await resumeRun(place, past, request);
    else await startRun(place, request, choice ?? { branch: '', create: false });
  } catch (error) {
    const failure = asFailure(error);
    if (failure && emitter.hasEmitted) emitRefusal(place, failure);
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
  {
    run,
    past,
    emitter,
  }: Readonly<{ run: Pick<Run, 'id' | 'folder'>; past: RunState | undefined; emitter: RunEmitter }>,
): WorkPlace {
  const { repo, spawn, readOnlySpawn, sweep, shell, env, sandbox, ...base } = request.base;
  const { tree, head, refused } = past?.course.ended ?? {};
  const others = new OtherRuns(repo.home, run.id);
  const told = { ...run, emit: emitter.emit, state: () => emitter.state };
  const home = request.home && createHome(told, { ground: repo, home: request.home });
  return {
    run: {
      ...base,
      ...told,
      today: (now) => others.spentToday(now),
      wake: () => emitter.wake,
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

/** What the previous stop left is unchanged. */
function emitRefusal({ run: { emit, options } }: Place, failure: Failure): void {
  emit({
    type: 'run-ended',
    exit: failure.exit,
    reasons: [reasonOfFailure(failure)],
    finished: false,
    ...options.left,
  });
}

function placePlan({ base, planFile, workplace, about }: OpenRequest): PlanPlace {
  const name = namePlan(base.repo.root, planFile);
  const tracked = name !== planFile && !workplace.planIgnored && !isAside(about);
  return { file: planFile, name, tracked };
}

/** A person's doing: whoever waits, rests or listens looks again. */
const wakingFacts: ReadonlySet<Fact['type']> = new Set(['intervention', 'budgets-set']);

export class RunEmitter {
  readonly #journal: Journal;
  readonly #now: () => Date;
  readonly #show: RunListener;
  #state: RunState | undefined;
  readonly #awakeMs: () => number;
  /** The wall clock's lead over `awakeMs` at the last fact. */
  #aheadMs: number | undefined;
  #hasEmitted = false;
  #wake = new AbortController();

  constructor(
    journal: Journal,
    state: RunState | undefined,
    given: Readonly<{
      now: () => Date;
      show: RunListener;
      /** Stands still while the machine sleeps. */
      awakeMs?: () => number;
    }>,
  ) {
    this.#journal = journal;
    this.#state = state;
    this.#now = given.now;
    this.#show = given.show;
    this.#awakeMs = given.awakeMs ?? (() => performance.now());
  }

  get hasEmitted(): boolean {
    return this.#hasEmitted;
  }

  /** Replaced once aborted by a person's command. */
  get wake(): AbortSignal {
    return this.#wake.signal;
  }

  get state(): RunState {
    if (!this.#state) throw new Error('the run has not started');
    return this.#state;
  }

  /** A correction below a minute tells nothing. */
  #slept(at: Date): Readonly<{ sleptMs?: number }> {
    const aheadMs = at.getTime() - this.#awakeMs();
    const ms = Math.round(aheadMs - (this.#aheadMs ?? aheadMs));
    if (this.#aheadMs !== undefined && Math.abs(ms) < 60_000) return {};
    this.#aheadMs = aheadMs;
    return ms === 0 ? {} : { sleptMs: ms };
  }

  readonly emit: Emit = (event) => {
    const at = this.#now();
    if (event.type === 'activity') {
      const { state } = this;
      return this.#show({ v: eventVersion, at: at.toISOString(), ...event }, state, state);
    }
    const fact: Stamped<Fact> = this.#journal.append({ ...event, ...this.#slept(at) }, at);
    this.#hasEmitted = true;
    const before = this.#state;
    const state = foldFact(before, fact);
    this.#state = state;
    this.#show(fact, state, before);
    if (!wakingFacts.has(fact.type)) return;
    const woken = this.#wake;
    this.#wake = new AbortController();
    woken.abort();
  };
}
