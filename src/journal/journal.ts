// The run's append-only NDJSON: stamps facts, writes them synchronously, reads them back. It folds nothing.
import { closeSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { effect } from '../effect.ts';
import { eventVersion, type Fact, readFact, type Stamped } from '../event.ts';
import { Failure } from '../failure.ts';
import { maskFact } from './mask.ts';

/** Name of the journal's file in a run folder. */
export const journalFile = 'journal.ndjson';

/** Facts after which the journal must be on the disk before anything else happens. */
const commitPoints: ReadonlySet<Fact['type']> = new Set([
  'run-started',
  'task-started',
  'session-started',
  'session-ended',
  'round-ended',
  'closing',
  'task-closed',
  'task-answered',
  'run-ended',
]);

/** An open journal. One process holds it at a time: the lock sees to that. */
export class Journal {
  readonly file: string;
  readonly #logger: Logger;
  readonly #mask: (text: string) => string;
  readonly #fd: number;
  #error: Error | undefined;

  /** Opens the journal of a run folder for appending; a torn last line is cut off first. `mask` is laid over the words of every fact. */
  constructor(folder: string, mask: (text: string) => string = (text) => text) {
    this.file = path.join(folder, journalFile);
    this.#mask = mask;
    effect('journal', 'open', () => cutTornLine(this.file));
    this.#fd = openSync(this.file, 'a', 0o600);
    const destination = pino.destination({ fd: this.#fd, sync: true });
    destination.on('error', (error: Error) => {
      this.#error = error;
    });
    this.#logger = pino(
      {
        base: null,
        timestamp: false,
        // Where pino would put its level the version stands: an empty object here makes lines that are no JSON.
        formatters: { level: () => ({ v: eventVersion }) },
      },
      destination,
    );
  }

  /** Writes one fact; when it returns the fact is in the file, and at commit points on the disk. A failed append is a Failure. Returns what was written. */
  append(fact: Fact, at: Date): Stamped<Fact> {
    const stamped = { v: eventVersion, at: at.toISOString(), ...maskFact(fact, this.#mask) };
    effect('journal', fact.type, () => {
      const { v: _, ...rest } = stamped;
      this.#logger.info(rest);
      this.#throwOnError();
      if (commitPoints.has(fact.type)) fsyncSync(this.#fd);
    });
    return stamped;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #throwOnError(): void {
    if (!this.#error) return;
    throw new Failure('disk', `cannot write the journal ${this.file}: ${this.#error.message}`, {
      hint: 'Free some space or make the folder writable, then run the same command again.',
      cause: this.#error,
    });
  }
}

/** All facts of a run folder in order. A torn last line is dropped; any other unreadable line is a Failure naming it. */
export function readJournal(folder: string): readonly Stamped<Fact>[] {
  const file = path.join(folder, journalFile);
  const lines = readText(file).split('\n');
  // What follows the last line end is empty, or torn by a crash.
  lines.pop();
  return lines.map((line, index) => {
    const fact = readFact(parseJson(line));
    if (fact) return fact;
    throw new Failure('disk', `${file}:${index + 1} is not a line of pawl's journal`, {
      hint: 'The run cannot be resumed from it; `pawl run --fresh` starts a new one on the work as it is.',
    });
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('disk', `cannot read the journal ${file}`, { cause });
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function cutTornLine(file: string): void {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return;
  }
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
}
