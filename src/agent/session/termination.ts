// Ends an agent's process.
import type { ProcessExit, Spawned } from '../../process/spawn.ts';
import { endsWithin, terminate } from '../../process/terminate.ts';

type Waits = Readonly<{ interruptMs: number; termMs: number }>;

export class Termination {
  /** The process is gone and its output read, or pawl goes on without it. */
  readonly gone: Promise<void>;
  readonly #spawned: Spawned;
  readonly #lost = Promise.withResolvers<ProcessExit>();
  #ended: ProcessExit | undefined;
  #down: Promise<void> | undefined;

  /** `read`: its output was read to the end. `onGone`: called once, before `gone` resolves. */
  constructor(spawned: Spawned, read: Promise<void>, onGone: () => void) {
    this.#spawned = spawned;
    this.gone = this.#watch(read, onGone);
  }

  get ended(): ProcessExit | undefined {
    return this.#ended;
  }

  get isForced(): boolean {
    return this.#down !== undefined;
  }

  /** Once; resolves when done or given up. `interrupt`: the line that stops its work. */
  bringDown(interrupt: string | undefined, waits: Waits): Promise<void> {
    this.#down ??= this.#bringDown(interrupt, waits).then((isGone) => {
      if (!isGone) this.#lost.resolve({ code: null, signal: null });
    });
    return this.#down;
  }

  async #bringDown(interrupt: string | undefined, { interruptMs, termMs }: Waits): Promise<boolean> {
    if (interrupt !== undefined) {
      void this.#spawned.send(interrupt);
      // After the interrupt it exits at the end of its input.
      this.#spawned.closeInput();
      if (await endsWithin(this.#spawned, interruptMs)) return true;
    }
    return terminate(this.#spawned, termMs);
  }

  async #watch(read: Promise<void>, onGone: () => void): Promise<void> {
    const ended = await Promise.race([this.#spawned.ended, this.#lost.promise]);
    // A process that cannot be killed keeps its output open.
    await Promise.race([read.catch(() => {}), this.#lost.promise]);
    this.#ended = ended;
    onGone();
  }
}
