// Gives processes of containers pids outside the host's range: a misdirected signal cannot hit a host process.
import type { Mark, Process } from '../process/sweep.ts';

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
