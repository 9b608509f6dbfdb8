// What programs see of the host, by working tree: made once for all below it, anew for a session if it is alone there.
import type { Mark } from '../process/sweep.ts';
import type { Trees } from './sandbox.ts';
import { workFolderOf } from './system-folders.ts';

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
