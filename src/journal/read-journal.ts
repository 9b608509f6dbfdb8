// Reads a run's journal: as it grows, as a whole, or only when its last fact was written.
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { eventVersion, type Fact, readFact, type Stamped } from '../event.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { parseJson } from '../parse-json.ts';
import { foldFact, foldRun } from './fold.ts';
import { journalFile } from './run-files.ts';
import type { RunState } from './state.ts';

/** Reads and folds only what is new; a journal that was cut or replaced, anew. A torn last line waits. */
export class JournalReader {
  readonly #file: string;
  readonly #keepsFacts: boolean;
  #seen: Readonly<{ ino: number; size: number }> | undefined;
  #read = { bytes: 0, lines: 0 };
  /** Undefined before the run's start, and if it is damaged. */
  state: RunState | undefined;
  facts: readonly Stamped<Fact>[] = [];
  /** Why it cannot be read. */
  damage: Failure | undefined;

  constructor(folder: string, { keepsFacts = false }: Readonly<{ keepsFacts?: boolean }> = {}) {
    this.#file = path.join(folder, journalFile);
    this.#keepsFacts = keepsFacts;
  }

  /** Whether it has changed. */
  look(): boolean {
    const { ino, size } = statSync(this.#file, { throwIfNoEntry: false }) ?? { ino: 0, size: -1 };
    const seen = this.#seen;
    if (seen?.ino === ino && seen.size === size) return false;
    this.#seen = { ino, size };
    if (seen?.ino !== ino || size < seen.size || this.damage) this.#forget();
    try {
      this.#readOn();
    } catch (error) {
      this.#forget();
      if (!(error instanceof Failure)) throw error;
      this.damage = error;
    }
    return true;
  }

  #forget(): void {
    this.#read = { bytes: 0, lines: 0 };
    this.state = undefined;
    this.facts = [];
    this.damage = undefined;
  }

  #readOn(): void {
    const bytes = readFrom(this.#file, this.#read.bytes);
    const news = parseJournal(bytes.toString('utf8'), this.#file, this.#read.lines);
    this.#read = {
      bytes: this.#read.bytes + bytes.lastIndexOf(0x0a) + 1,
      lines: this.#read.lines + news.length,
    };
    // All at once, fold.ts copies less.
    this.state = this.state ? news.reduce(foldFact, this.state) : foldRun(news);
    if (news.length > 0 && !this.state)
      throw new Failure('disk', `the journal ${this.#file} does not start with the beginning of a run`);
    if (this.#keepsFacts) this.facts = [...this.facts, ...news];
  }
}

function readFrom(file: string, from: number): Buffer {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  } catch (cause) {
    throw new Failure('disk', `cannot read the journal ${file}`, { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * A command and a worker's heartbeat ask for the same few runs again and again, and each turn asks every second for
 * all runs of the day: 17 journals of 280 kB took 0.6 s to read anew.
 */
const recent = new Map<string, JournalReader>();
const mostRecent = 256;

function look(folder: string): JournalReader {
  const reader = recent.get(folder) ?? new JournalReader(folder);
  recent.delete(folder);
  recent.set(folder, reader);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  reader.look();
  return reader;
}

/** Undefined before its first line; throws a Failure naming an unreadable one. */
export function readState(folder: string): RunState | undefined {
  const { state, damage } = look(folder);
  if (damage) throw damage;
  return state;
}

/** Undefined if the journal cannot be read, or has no line. */
export function readIfSound(folder: string): RunState | undefined {
  return look(folder).state;
}

/** Why the journal cannot be read; undefined if it is sound, even without a complete line. */
export function findDamage(folder: string): Failure | undefined {
  return look(folder).damage;
}

/** Drops a torn last line; throws a Failure naming any other unreadable one. */
export function readJournal(folder: string): readonly Stamped<Fact>[] {
  const file = path.join(folder, journalFile);
  return parseJournal(readFrom(file, 0).toString('utf8'), file);
}

/** When its last whole line was written, in ms: copying a repository changes the times of files, not this. */
export function readLastTime(folder: string): number | undefined {
  const text = orElse(() => readFileSync(path.join(folder, journalFile), 'utf8'), '');
  const last = parseJson(text.split('\n').at(-2) ?? '');
  const at = typeof last === 'object' && last !== null && 'at' in last ? Date.parse(String(last.at)) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** `file` is named in Failures, with the line after `before` others. */
export function parseJournal(text: string, file: string, before = 0): readonly Stamped<Fact>[] {
  const lines = text.split('\n');
  // What follows the last newline is empty, or torn by a crash.
  lines.pop();
  return lines.map((line, index) => {
    const value = parseJson(line);
    const fact = readFact(value);
    if (fact) return fact;
    throw unreadable(`${file}:${before + index + 1}`, value);
  });
}

/** A line of another version, or none at all. */
function unreadable(place: string, value: unknown): Failure {
  const version =
    typeof value === 'object' && value !== null && 'v' in value ? Number(value.v) : eventVersion;
  if (!Number.isInteger(version) || version === eventVersion)
    return new Failure('disk', `${place} is not a line of pawl's journal`, {
      hint: 'The run cannot be resumed; `pawl run --fresh` starts a new one on the current files.',
    });
  const which = version > eventVersion ? 'a later' : 'an earlier';
  return new Failure('disk', `${place} was written by ${which} version of pawl`, {
    hint: 'Resume it with that version, or start a new run on the current files with `pawl run --fresh`.',
  });
}
