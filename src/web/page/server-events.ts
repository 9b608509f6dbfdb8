// The server's stream as events, and what to do when it falls silent.

/** A pause that a network which is back cuts short. */
export async function rest(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, ms);
  addEventListener('online', resolve, { once: true });
  await promise;
  clearTimeout(timer);
  removeEventListener('online', resolve);
}

/** Aborts its signal when nobody has reset it for so long. */
export class Watchdog {
  readonly #stop = new AbortController();
  readonly #ms: number;
  #timer = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#stop.abort(), this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

type ServerEvent = { id: string | undefined; event: string; data: string };

export async function* readEvents(answer: Response, onSign: () => void): AsyncGenerator<ServerEvent> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onSign();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      const data = fields.get('data');
      if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event') ?? '', data };
    }
  }
}
