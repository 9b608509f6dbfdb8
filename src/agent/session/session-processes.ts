// Tracks the processes of a session: those that were running when the agent came up belong to it; all others are ended between
// turns. It suspends the agent's own while pawl runs checks.
import { defined } from '../../defined.ts';
import { sleep } from '../../process/clock.ts';
import type { Mark, Process, Sweep } from '../../process/sweep.ts';

/** How long what is seen beside the agent may take to end by itself: the agent's own git, which looks at the repository now and then, was left by nobody. */
const partingMs = 250;

/** Between two looks whether they have ended. */
const partingLookMs = 25;

/** More rounds than this mean that something starts processes faster than they are ended. */
const maxRounds = 5;

/** The processes of one session. */
export class SessionProcesses {
  readonly #sweep: Sweep;
  readonly #mark: Mark;
  readonly #root: number | undefined;
  #kept: Promise<readonly Process[]> | undefined;
  #held: readonly Process[] = [];
  /** They are to stand still: false again as soon as they are let go, also in the middle of `hold`. */
  #isTight = false;

  /** `root`: the agent's process; undefined when it could not be started. */
  constructor(sweep: Sweep, mark: Mark, root: number | undefined) {
    this.#sweep = sweep;
    this.#mark = mark;
    this.#root = root;
  }

  /** The agent is up: what lives now (its launcher, itself, its MCP servers) is its own. Only the first call counts. */
  settle(): void {
    this.#kept ??= this.#find();
    this.#kept.catch(() => {});
  }

  /** Ends the strays, stops those that stay, and returns the strays. */
  async hold(isAlive: boolean): Promise<readonly Process[]> {
    if (!isAlive) {
      await this.#untilAlone(await this.#find(), []);
      return this.endAll();
    }
    this.#isTight = true;
    const alive = await this.#find();
    const kept = this.#own(alive, await this.#kept);
    // Where nobody else is seen, the look after the stop is the second one that says so.
    const strays = (await this.#untilAlone(alive, kept)) ? [] : [...(await this.#endBut(kept))];
    for (let round = 0; round < maxRounds && this.#isTight; round += 1) {
      // Whoever of them has ended meanwhile is passed over by the signal.
      this.#held = kept;
      this.#sweep.signal(this.#held, 'SIGSTOP');
      // What was started between the sweep and the stop.
      const late = (await this.#find()).filter((process) => !isAmong(process, kept));
      if (late.length === 0 || (await this.#untilAlone(late, kept))) break;
      strays.push(...(await this.#endBut(kept)));
    }
    return strays;
  }

  /** Lets the held ones go on. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    this.#isTight = false;
    if (held.length > 0) this.#sweep.signal(held, 'SIGCONT');
  }

  /** Ends every process of the session. */
  async endAll(): Promise<readonly Process[]> {
    return this.#sweep.end(this.#mark, this.#rooted());
  }

  /**
   * The agent's own among the live ones. What was seen when it came up may hold a first tool's process already, where
   * pawl read late; a process that a tool left behind stands under the agent no more.
   */
  #own(alive: readonly Process[], seen: readonly Process[] | undefined): readonly Process[] {
    const parents = new Map(alive.map(({ pid, ppid }) => [pid, ppid]));
    const isUnderRoot = (process: Process): boolean => {
      let pid: number | undefined = process.pid;
      // Counted: a scan is no instant, and what it saw need not be a tree.
      for (let step = 0; step <= alive.length && pid !== this.#root; step += 1) {
        pid = pid === undefined ? undefined : parents.get(pid);
      }
      return pid === this.#root;
    };
    return alive.filter(
      (process) => process.pid === this.#root || (isAmong(process, seen ?? []) && isUnderRoot(process)),
    );
  }

  /** Whether none but those that stay are left, or end by themselves in a moment. `seen`: as last looked. */
  async #untilAlone(seen: readonly Process[], kept: readonly Process[]): Promise<boolean> {
    let others = seen.filter((process) => !isAmong(process, kept));
    for (let waitedMs = 0; others.length > 0 && waitedMs < partingMs; waitedMs += partingLookMs) {
      await sleep(partingLookMs);
      others = (await this.#find()).filter((process) => !isAmong(process, kept));
    }
    return others.length === 0;
  }

  #endBut(except: readonly Process[]): Promise<readonly Process[]> {
    return this.#sweep.end(this.#mark, { ...this.#rooted(), except });
  }

  #find(): Promise<readonly Process[]> {
    return this.#sweep.find(this.#mark, this.#root);
  }

  #rooted(): { root?: number } {
    return defined({ root: this.#root });
  }
}

function isAmong(process: Process, list: readonly Process[]): boolean {
  return list.some(({ pid, startTime }) => pid === process.pid && startTime === process.startTime);
}
