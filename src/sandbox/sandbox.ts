// The interface of a sandbox, and what both kinds share: what their programs see of the host, by working tree: made once
// for all below it, anew for a session if it is alone there.
import type { Duplex } from 'node:stream';
import { sleep } from '../process/clock.ts';
import { neverStarted, type Spawn, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import { type Mark, markOf, type Process, type Sweep } from '../process/sweep.ts';
import { workFolderOf } from './bubblewrap.ts';
import type { Mount } from './docker-args.ts';

/** What of the host is visible; `dispose` removes what was made for it. */
export type Surroundings = Readonly<{ mounts: readonly Mount[]; dispose: () => void }>;

/** The run's own, then its lanes' so far. */
export type Trees = () => readonly [string, ...string[]];

/** For programs in that folder. */
export type Surround = (workdir: string) => Promise<Surroundings>;

/** No pid of Linux is beyond (PID_MAX_LIMIT of linux/threads.h, 64 bit): a misdirected signal hits nobody. */
export const beyondHost = 2 ** 22;

/** What both kinds are made with. */
export type SandboxPlan = Readonly<{
  trees: Trees;
  surround: Surround;
  /** Passes on the run's files that its arguments name. */
  handIn: (request: SpawnRequest) => void;
  /** Not secret; merged over what is passed in. */
  env: Readonly<Record<string, string>>;
  ports: readonly number[];
  onConnection: (connection: Duplex, port: number) => void;
}>;

/** Marks of the programs in it now, and of all that ever were. */
export type Lodging<T> = Readonly<{ place: T; active: Set<Mark>; known: Set<Mark> }>;

export abstract class Sandbox<T> implements AsyncDisposable {
  readonly #plan: Pick<SandboxPlan, 'trees' | 'handIn'>;
  readonly #all = new Map<string, Promise<Lodging<T>>>();
  /** It knows each program by its mark. */
  abstract readonly sweep: Sweep;
  /** What keeps it from starting is reported as for any program. */
  readonly spawn: Spawn = (request) => deferred(this.#start(request, markOf(request.env)));

  constructor(plan: Pick<SandboxPlan, 'trees' | 'handIn'>) {
    this.#plan = plan;
  }

  protected abstract make(workdir: string): Promise<T>;
  protected abstract start(request: SpawnRequest, mark: Mark, place: T): Spawned | Promise<Spawned>;
  protected abstract leave(place: T): Promise<void>;

  /** False: no program can enter it any more. */
  protected isOpen(_place: T): boolean {
    return true;
  }

  /** Prepares the working tree's place: a Failure comes before any session. */
  async open(): Promise<void> {
    await this.enter(this.#plan.trees()[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all((await this.made()).map(({ place }) => this.leave(place)));
  }

  /** `mark`: of a program about to start, which is `active` until somebody removes it. */
  enter(cwd: string, mark?: Mark): Promise<Lodging<T>> {
    const workdir = workFolderOf(this.#plan.trees(), cwd);
    const next = this.#renew(workdir, this.#all.get(workdir), mark);
    this.#all.set(workdir, next);
    return next;
  }

  /** Those that could be made. */
  async made(): Promise<readonly Lodging<T>[]> {
    const all = await Promise.all([...this.#all.values()].map((each) => each.catch(() => undefined)));
    return all.filter((each) => each !== undefined);
  }

  async #start(request: SpawnRequest, mark: Mark): Promise<Spawned> {
    let lodging: Lodging<T> | undefined;
    try {
      lodging = await this.enter(request.cwd, mark);
      this.#plan.handIn(request);
      const { active, place } = lodging;
      const program = await this.start(request, mark, place);
      void program.ended.then(() => active.delete(mark));
      return program;
    } catch (error) {
      lodging?.active.delete(mark);
      return neverStarted(Promise.resolve(error instanceof Error ? error : new Error(String(error))));
    }
  }

  async #renew(workdir: string, before?: Promise<Lodging<T>>, mark?: Mark): Promise<Lodging<T>> {
    let lodging = await before?.catch(() => undefined);
    const isAlone = lodging?.active.size === 0 && mark?.startsWith('PAWL_SESSION=');
    if (lodging && (isAlone || !this.isOpen(lodging.place))) {
      await this.leave(lodging.place);
      lodging = undefined;
    }
    lodging ??= { place: await this.make(workdir), active: new Set(), known: new Set() };
    // At once, so that whoever enters next sees it.
    if (mark !== undefined) for (const marks of [lodging.active, lodging.known]) marks.add(mark);
    return lodging;
  }
}

/** Stands for a program still to come, which never rejects. */
function deferred(program: Promise<Spawned>): Spawned {
  const whenStarted = (act: (program: Spawned) => void) => void program.then(act);
  return {
    pid: beyondHost,
    stdout: outputOf(program, 'stdout'),
    stderr: outputOf(program, 'stderr'),
    send: async (text) => (await program).send(text),
    closeInput: () => whenStarted((started) => started.closeInput()),
    signal: (signal) => whenStarted((started) => started.signal(signal)),
    ended: program.then(({ ended }) => ended),
  };
}

async function* outputOf(program: Promise<Spawned>, name: 'stdout' | 'stderr'): AsyncGenerator<Uint8Array> {
  yield* (await program)[name];
}

/** Once one shows: a program just started may not be visible yet. */
export function signalSeen(
  ended: Promise<unknown>,
  { find, signal }: Readonly<{ find: () => Promise<readonly Process[]>; signal: Sweep['signal'] }>,
): (name: NodeJS.Signals) => Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  return async (name) => {
    for (let tries = 0; tries < 20 && !isOver; tries += 1) {
      const found = await find();
      if (found.length > 0) return signal(found, name);
      await sleep(50);
    }
  };
}
