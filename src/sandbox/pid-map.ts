// Gives processes of containers pids outside the host's range: a misdirected signal cannot hit a host process.
import type { Mark, Process } from '../process/sweep.ts';

/** Beyond every pid that Linux assigns (PID_MAX_LIMIT of linux/threads.h, 64 bit). */
const beyondHost = 2 ** 22;

/** As many pids as one container can have. */
const span = 2 ** 22;

export class PidMap {
  #programs = 0;
  #containers = 0;

  /** Wherever it will run. */
  program(): number {
    this.#programs += 1;
    return beyondHost + this.#programs;
  }

  container(): ContainerPids {
    this.#containers += 1;
    return new ContainerPids(beyondHost + this.#containers * span);
  }
}

/** By pawl's numbers and the container's own. */
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

  /** From the container's numbers to pawl's. `root`: the program that carries the mark. */
  outward(processes: readonly Process[], mark: Mark, root: number | undefined): readonly Process[] {
    const program = this.#programs.get(mark);
    if (root !== undefined && program !== undefined) this.#own.set(program, root);
    const number = (pid: number) =>
      pid === root && program !== undefined ? program : pid === 0 ? 0 : this.#base + pid;
    return processes.map((each) => ({ ...each, pid: number(each.pid), ppid: number(each.ppid) }));
  }

  /** Those that belong to this container, with its own numbers. */
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
