// The run's append-only NDJSON: stamps facts, writes them synchronously, reads them back. It folds nothing.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { effect } from '../effect.ts';
import { personsWord } from '../event/control.ts';
import { eventVersion, type Fact, readFact, type Stamped } from '../event.ts';
import { Failure, unwritable } from '../failure.ts';
import { maskFact } from './mask.ts';

/** Name of the journal's file in a run folder. */
export const journalFile = 'journal.ndjson';

/**
 * Facts after which the journal must be on the disk, with all before them, before anything else happens. A task's start
 * and its close wait for the next one: nothing is done on the strength of them alone, and a close that the disk lost is
 * read from the commit that `closing` announced.
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
  'task-skipped',
  'work-set-aside',
  'undo-started',
  'replan-taking',
  'replan-ended',
  'question-asked',
  'question-answered',
  'draft-given',
  'draft-judged',
  'plan-writing',
  'plan-written',
  'run-ended',
  ...personsWord,
]);

/** An open journal. One process holds it at a time: the lock sees to that. */
export class Journal {
  readonly file: string;
  readonly #logger: Logger;
  readonly #mask: (text: string) => string;
  readonly #fd: number;

  /** Opens the journal of a run folder for appending; a torn last line is cut off first. `mask` is laid over the words of every fact. */
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
        // Where pino would put its level the version stands: an empty object here makes lines that are no JSON.
        formatters: { level: () => ({ v: eventVersion }) },
      },
      { write: (line: string) => appendWhole(this.#fd, line) },
    );
  }

  /** Writes one fact; when it returns the fact is in the file, and at commit points on the disk. A failed append is a Failure. Returns what was written. */
  append(fact: Fact, at: Date): Stamped<Fact> {
    const stamped = { v: eventVersion, at: at.toISOString(), ...maskFact(fact, this.#mask) };
    effect('journal', fact.type, () => {
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

  close(): void {
    closeSync(this.#fd);
  }
}

/** Appends a line whole or not at all: half of one would make nonsense of the next. */
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

/** All facts of a run folder in order. A torn last line is dropped; any other unreadable line is a Failure naming it. */
export function readJournal(folder: string): readonly Stamped<Fact>[] {
  const file = path.join(folder, journalFile);
  const lines = readText(file).split('\n');
  // What follows the last line end is empty, or torn by a crash.
  lines.pop();
  return lines.map((line, index) => {
    const value = parseJson(line);
    const fact = readFact(value);
    if (fact) return fact;
    throw isLater(value) ? writtenLater(`${file}:${index + 1}`) : damaged(`${file}:${index + 1}`);
  });
}

/** When the last whole line of a run's journal was written, as it says; undefined when it does not say. Only the end of the file is read. */
export function readLastTime(folder: string): Date | undefined {
  const file = path.join(folder, journalFile);
  try {
    for (let want = 64 * 1024; ; want *= 8) {
      const { text, isAll } = readEnd(file, want);
      const end = text.lastIndexOf('\n');
      const begin = text.lastIndexOf('\n', end - 1);
      if (end < 0 || (begin < 0 && !isAll)) {
        if (isAll) return undefined;
        continue;
      }
      const { at } = JSON.parse(text.slice(begin + 1, end)) as { at?: string };
      const time = new Date(at ?? '');
      return Number.isNaN(time.getTime()) ? undefined : time;
    }
  } catch {
    return undefined;
  }
}

function readEnd(file: string, want: number): { text: string; isAll: boolean } {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(want, size));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.subarray(0, count).toString('utf8'), isAll: bytes.length === size };
  } finally {
    closeSync(fd);
  }
}

/** What keeps a run's journal from being read; undefined for a sound one, and for one that no line of was ever finished. */
export function findDamage(folder: string): Failure | undefined {
  try {
    readJournal(folder);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function isLater(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'v' in value && Number(value.v) > eventVersion;
}

function writtenLater(place: string): Failure {
  return new Failure('disk', `${place} was written by a later version of pawl`, {
    hint: 'Go on with that version, or start a new run on the work as it is with `pawl run --fresh`.',
  });
}

function damaged(place: string): Failure {
  return new Failure('disk', `${place} is not a line of pawl's journal`, {
    hint: 'The run cannot be resumed from it; `pawl run --fresh` starts a new one on the work as it is.',
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
