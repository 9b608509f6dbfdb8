// pawl's end of what supervises a container's processes: sends requests, waits for answers, and checks their form.
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { orElse } from '../or-else.ts';
import { startClock } from '../process/clock.ts';
import type { Mark, Process } from '../process/sweep.ts';

/** `id` 0: it is ready. `processes`: for `find` and `end`; `error`: for `try`, why not, as a Node error. */
const answerSchema = z.object({
  id: z.number(),
  processes: z
    .array(
      z.object({
        pid: z.number(),
        ppid: z.number(),
        startTime: z.string(),
        command: z.string(),
        isRoot: z.literal(true).exactOptional(),
      }),
    )
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type SupervisorAnswer = Readonly<z.output<typeof answerSchema>>;

/** How long an answer may take beyond the requested grace. */
const answerMs = 30_000;

/** Whoever is inside can write in its name, and need not ever end a line. */
const mostChars = 8 * 1024 * 1024;

export class ProcessSupervisor {
  readonly #stream: Duplex;
  readonly #waiting = new Map<number, (answer: SupervisorAnswer | undefined) => void>();
  #count = 0;
  #isGone = false;
  /** False if it ended before. */
  readonly ready: Promise<boolean>;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.ready = new Promise((resolve) => this.#waiting.set(0, (answer) => resolve(answer !== undefined)));
    void this.#listen();
  }

  /** Undefined if it is gone or does not answer. Requests are handled in order. */
  async ask(ask: SupervisorAsk): Promise<SupervisorAnswer | undefined> {
    if (this.#isGone) return undefined;
    this.#count += 1;
    const id = this.#count;
    const answer = new Promise<SupervisorAnswer | undefined>((resolve) => this.#waiting.set(id, resolve));
    const graceMs = ask.op === 'end' ? (ask.graceMs ?? 0) : 0;
    const clock = startClock(graceMs + answerMs, () => this.#settle(id, undefined), { unref: true });
    this.#stream.write(`${JSON.stringify({ id, ask })}\n`);
    try {
      return await answer;
    } finally {
      clock.stop();
    }
  }

  async #listen(): Promise<void> {
    let rest = '';
    try {
      for await (const text of this.#stream.setEncoding('utf8')) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#hear(line);
        if (rest.length > mostChars) break;
      }
    } catch {
      // It was reset.
    }
    this.#isGone = true;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined);
  }

  #hear(line: string): void {
    const answer = answerSchema.safeParse(orElse(() => JSON.parse(line), undefined)).data;
    if (answer) this.#settle(answer.id, answer);
  }

  #settle(id: number, answer: SupervisorAnswer | undefined): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

export type Wanted =
  | Readonly<{ op: 'find' }>
  | Readonly<{ op: 'end'; except: readonly Process[]; graceMs?: number | undefined }>;

/** `alone`: nothing else runs in the container: processes that lost the mark count too. */
export type MarkedAsk = Wanted & Readonly<{ mark: Mark; alone: boolean }>;

export type SupervisorAsk =
  | MarkedAsk
  | Readonly<{ op: 'signal'; processes: readonly Process[]; signal: NodeJS.Signals }>
  | Readonly<{ op: 'try'; file: string; cwd: string }>;

export type SupervisorRequest = Readonly<{ id: number; ask: SupervisorAsk }>;
