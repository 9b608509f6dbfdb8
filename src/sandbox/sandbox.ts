// The interface of a sandbox; what its programs see of the host, by working tree: made once for all below it, anew for
// a session if it is alone there; and pids outside the host's range: a misdirected signal cannot hit a host process.
import type { Spawn, Spawned } from '../process/spawn.ts';
import type { Mark, Process, Sweep } from '../process/sweep.ts';
import { workFolderOf } from './bubblewrap.ts';
import type { Mount } from './docker-args.ts';

export interface Sandbox extends AsyncDisposable {
  /** No process of the host has its pids; `sweep` takes the same. */
  readonly spawn: Spawn;
  readonly sweep: Sweep;
  /** Prepares the working tree's place: a Failure comes before any session. */
  open(): Promise<void>;
}

/** What of the host is visible; `dispose` removes what was made for it. */
export type Surroundings = Readonly<{ mounts: readonly Mount[]; dispose: () => void }>;

/** The run's own, then its lanes' so far. */
export type Trees = () => readonly [string, ...string[]];

/** For programs in that folder. */
export type Surround = (workdir: string) => Promise<Surroundings>;

/** Stands for a program still to come, with its `pid`. `program` never rejects. */
export function spawnDeferred(pid: number, program: Promise<Spawned>): Spawned {
  const whenStarted = (act: (program: Spawned) => void) => void program.then(act);
  return {
    pid,
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

/** Marks of the programs in it now, and of all that ever were. */
export type Lodging<T> = Readonly<{ place: T; active: Set<Mark>; known: Set<Mark> }>;

type Keeper<T> = Readonly<{
  trees: Trees;
  make: (workdir: string) => Promise<T>;
  /** False: no program can enter it any more. */
  isOpen: (place: T) => boolean;
  leave: (place: T) => Promise<void>;
}>;

export class Lodgings<T> {
  readonly #keeper: Keeper<T>;
  readonly #all = new Map<string, Promise<Lodging<T>>>();

  constructor(keeper: Keeper<T>) {
    this.#keeper = keeper;
  }

  /** `mark`: of a program about to start, which is `active` until somebody removes it. */
  enter(cwd: string, mark?: Mark): Promise<Lodging<T>> {
    const workdir = workFolderOf(this.#keeper.trees(), cwd);
    const next = this.#renew(workdir, this.#all.get(workdir), mark);
    this.#all.set(workdir, next);
    return next;
  }

  /** Those that could be made. */
  async made(): Promise<readonly Lodging<T>[]> {
    const all = await Promise.all([...this.#all.values()].map((each) => each.catch(() => undefined)));
    return all.filter((each) => each !== undefined);
  }

  async #renew(workdir: string, before?: Promise<Lodging<T>>, mark?: Mark): Promise<Lodging<T>> {
    const { make, isOpen, leave } = this.#keeper;
    let lodging = await before?.catch(() => undefined);
    const isUsed =
      lodging?.active.size === 0 && isSession(mark) && [...lodging.known].some((each) => isSession(each));
    if (lodging && (isUsed || !isOpen(lodging.place))) {
      await leave(lodging.place);
      lodging = undefined;
    }
    lodging ??= { place: await make(workdir), active: new Set(), known: new Set() };
    // At once, so that whoever enters next sees it.
    if (mark !== undefined) for (const marks of [lodging.active, lodging.known]) marks.add(mark);
    return lodging;
  }
}

function isSession(mark: Mark | undefined): boolean {
  return mark?.startsWith('PAWL_SESSION=') ?? false;
}

/** No pid of Linux is beyond (PID_MAX_LIMIT of linux/threads.h, 64 bit). */
const beyondHost = 2 ** 22;

/** How many pids a container can have. */
const span = 2 ** 22;

export class PidMap {
  #programs = 0;
  #containers = 0;

  program(): number {
    this.#programs += 1;
    return beyondHost + this.#programs;
  }

  container(): ContainerPids {
    this.#containers += 1;
    return new ContainerPids(beyondHost + this.#containers * span);
  }
}

export class ContainerPids {
  readonly #base: number;
  readonly #programs = new Map<Mark, number>();
  readonly #own = new Map<number, number>();

  constructor(base: number) {
    this.#base = base;
  }

  name(mark: Mark, number: number): void {
    this.#programs.set(mark, number);
  }

  /** Processes seen inside, with pawl's numbers. `root`: the program that carries the mark. */
  outward(processes: readonly Process[], mark: Mark, root: number | undefined): readonly Process[] {
    const program = this.#programs.get(mark);
    if (root !== undefined && program !== undefined) this.#own.set(program, root);
    const number = (pid: number) =>
      pid === root && program !== undefined ? program : pid === 0 ? 0 : this.#base + pid;
    return processes.map((each) => ({ ...each, pid: number(each.pid), ppid: number(each.ppid) }));
  }

  /** Those of this container, with its own numbers. */
  inward(processes: readonly Process[]): readonly Process[] {
    return processes.flatMap((each) => {
      const pid = this.#inside(each.pid);
      return pid === undefined ? [] : [{ ...each, pid, ppid: this.#inside(each.ppid) ?? 0 }];
    });
  }

  #inside(number: number): number | undefined {
    const own = this.#own.get(number);
    if (own !== undefined) return own;
    const pid = number - this.#base;
    return pid > 0 && pid < span ? pid : undefined;
  }
}
