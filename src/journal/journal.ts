// The run's append-only NDJSON, written synchronously in pino's line format.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { effect } from '../effect.ts';
import { eventVersion, type Fact, factName, type Stamped } from '../event.ts';
import { unwritable } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { maskFact } from './mask.ts';
import { journalFile } from './run-files.ts';

/**
 * Facts that are on disk, with all before them, before anything else happens. A task's start and close can wait:
 * nothing relies on them alone, and a lost close is recovered from the commit that `closing` announced.
 */
const commitPoints: ReadonlySet<Fact['type']> = new Set([
  'run-started',
  'definitions-taken',
  'session-started',
  'session-ended',
  'round-ended',
  'closing',
  'paused',
  'notes-delivered',
  'task-set-aside',
  'undo',
  'replan',
  'dialogue',
  'lane',
  'carry',
  'run-ended',
  // On disk before it is acknowledged.
  'intervention',
  'budgets-set',
]);

/** One process holds it at a time, by the lock. */
export class Journal {
  readonly file: string;
  readonly #logger: Logger;
  readonly #mask: (text: string) => string;
  readonly #fd: number;

  /** Cuts off a torn last line. `mask`: for the words of every fact. */
  constructor(folder: string, mask: (text: string) => string = (text) => text) {
    this.file = path.join(folder, journalFile);
    this.#mask = mask;
    this.#fd = effect('journal', 'open', () => {
      cutTornLine(this.file);
      return openSync(this.file, 'a', 0o600);
    });
    this.#logger = pino(
      {
        base: null,
        timestamp: false,
        // In the place of pino's level: an empty object would give invalid JSON.
        formatters: { level: () => ({ v: eventVersion }) },
      },
      { write: (line: string) => appendWhole(this.#fd, line) },
    );
  }

  /**
   * On return the fact is in the file, at commit points on disk. Throws a Failure otherwise. Returns what was written.
   */
  append(fact: Fact, at: Date): Stamped<Fact> {
    const stamped = { v: eventVersion, at: at.toISOString(), ...maskFact(fact, this.#mask) };
    effect('journal', factName(fact), () => {
      const { v: _, ...rest } = stamped;
      try {
        this.#logger.info(rest);
        if (commitPoints.has(fact.type)) fsyncSync(this.#fd);
      } catch (error) {
        throw unwritable(error, this.file);
      }
    });
    return stamped;
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** Completely or not at all: half a line would corrupt the next. */
function appendWhole(fd: number, line: string): void {
  const bytes = Buffer.from(line);
  const { size } = fstatSync(fd);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

function cutTornLine(file: string): void {
  const bytes = orElse(() => readFileSync(file), undefined);
  if (bytes === undefined) return;
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
}
