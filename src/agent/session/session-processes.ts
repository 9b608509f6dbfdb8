// The processes of a session: those alive when the agent came up are suspended while pawl runs checks; others are ended
// between turns.
import { defined } from '../../defined.ts';
import { sleep } from '../../process/clock.ts';
import type { Mark, Process, Sweep } from '../../process/sweep.ts';

/** For others to exit by themselves: the agent's own git, for example, was not left behind. */
const partingMs = 250;

const partingLookMs = 25;

/** After so many, something starts processes faster than they are ended. */
const maxRounds = 5;

export class SessionProcesses {
  readonly #sweep: Sweep;
  readonly #mark: Mark;
  readonly #root: number | undefined;
  #kept: Promise<readonly Process[]> | undefined;
  #held: readonly Process[] = [];
  /** False once released, even in the middle of `hold`. */
  #isTight = false;

  /** `root`: the agent's; undefined if it could not be started. */
  constructor(sweep: Sweep, mark: Mark, root: number | undefined) {
    this.#sweep = sweep;
    this.#mark = mark;
    this.#root = root;
  }

  /** What is alive now (launcher, agent, MCP servers) is its own. Only the first call counts. */
  settle(): void {
    this.#kept ??= this.#find();
    this.#kept.catch(() => {});
  }

  async hold(isAlive: boolean): Promise<readonly Process[]> {
    if (!isAlive) {
      await this.#untilAlone(await this.#find(), []);
      return this.endAll();
    }
    this.#isTight = true;
    const alive = await this.#find();
    const kept = this.#own(alive, await this.#kept);
    // If alone, the look after stopping confirms it.
    const strays = (await this.#untilAlone(alive, kept)) ? [] : [...(await this.endAll(kept))];
    for (let round = 0; round < maxRounds && this.#isTight; round += 1) {
      // The signal skips those that have exited.
      this.#held = kept;
      this.#sweep.signal(this.#held, 'SIGSTOP');
      // Started between the sweep and the stop.
      const late = (await this.#find()).filter((process) => !isAmong(process, kept));
      if (late.length === 0 || (await this.#untilAlone(late, kept))) break;
      strays.push(...(await this.endAll(kept)));
    }
    return strays;
  }

  release(): void {
    const held = this.#held;
    this.#held = [];
    this.#isTight = false;
    if (held.length > 0) this.#sweep.signal(held, 'SIGCONT');
  }

  endAll(except: readonly Process[] = []): Promise<readonly Process[]> {
    return this.#sweep.end(this.#mark, defined({ root: this.#root, except }));
  }

  /**
   * Read late, `seen` may include a first tool's process; what a tool left no longer descends from the agent.
   */
  #own(alive: readonly Process[], seen: readonly Process[] | undefined): readonly Process[] {
    const byPid = new Map(alive.map((process) => [process.pid, process]));
    const isUnderRoot = (process: Process): boolean => {
      let above: Process | undefined = process;
      // Bounded: a scan takes time, and need not show a tree.
      for (let step = 0; step <= alive.length && above && !above.isRoot; step += 1)
        above = byPid.get(above.ppid);
      return above?.isRoot === true;
    };
    return alive.filter(
      (process) => process.isRoot || (isAmong(process, seen ?? []) && isUnderRoot(process)),
    );
  }

  /** Whether only the agent's own are left, or will be in a moment. `seen`: the last look. */
  async #untilAlone(seen: readonly Process[], kept: readonly Process[]): Promise<boolean> {
    let others = seen.filter((process) => !isAmong(process, kept));
    for (let waitedMs = 0; others.length > 0 && waitedMs < partingMs; waitedMs += partingLookMs) {
      await sleep(partingLookMs);
      others = (await this.#find()).filter((process) => !isAmong(process, kept));
    }
    return others.length === 0;
  }

  #find(): Promise<readonly Process[]> {
    return this.#sweep.find(this.#mark, this.#root);
  }
}

function isAmong(process: Process, list: readonly Process[]): boolean {
  return list.some(({ pid, startTime }) => pid === process.pid && startTime === process.startTime);
}
