// A run's gate: one landing at a time, first come, first served. After a kill, finished turns queue again.

/** `onLong`: called after a wait of `longMs`. */
export type GateWait = Readonly<{ signal: AbortSignal; longMs: number; onLong: () => Promise<void> }>;

type Place = Readonly<{ who: string; open: (isIn: boolean) => void }>;

export class Gate {
  #holder: string | undefined;
  readonly #queue: Place[] = [];

  /** The holder is let in at once. Returns a function that lets the next one in; undefined if aborted. */
  async enter(who: string, waiting: GateWait): Promise<(() => void) | undefined> {
    const leave = () => this.#leave(who);
    if (waiting.signal.aborted) return undefined;
    if (this.#holder === who) return leave;
    if (this.#holder === undefined) {
      this.#holder = who;
      return leave;
    }
    return (await this.#wait(who, waiting)) ? leave : undefined;
  }

  async #wait(who: string, { signal, longMs, onLong }: GateWait): Promise<boolean> {
    let late: Promise<void> | undefined;
    const timer = setTimeout(() => {
      late = onLong();
      late.catch(() => {});
    }, longMs);
    const isIn = await new Promise<boolean>((resolve) => {
      const place = { who, open: resolve };
      this.#queue.push(place);
      const giveUp = () => {
        const at = this.#queue.indexOf(place);
        if (at >= 0) this.#queue.splice(at, 1);
        resolve(at < 0);
      };
      signal.addEventListener('abort', giveUp, { once: true });
    });
    clearTimeout(timer);
    await late;
    return isIn;
  }

  #leave(who: string): void {
    if (this.#holder !== who) return;
    const next = this.#queue.shift();
    this.#holder = next?.who;
    next?.open(true);
  }
}
