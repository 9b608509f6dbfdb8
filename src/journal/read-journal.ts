// Reads a run's journal, or only when its last fact was written.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventVersion, type Fact, readFact, type Stamped } from '../event.ts';
import { Failure } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import { foldRun } from './fold.ts';
import { journalFile } from './run-files.ts';
import type { RunState } from './state.ts';

/** Drops a torn last line; throws a Failure naming any other unreadable one. */
export function readJournal(folder: string): readonly Stamped<Fact>[] {
  const file = path.join(folder, journalFile);
  return parseJournal(readText(file), file);
}

/** Undefined if the journal cannot be read, or has no beginning. */
export function readIfSound(folder: string): RunState | undefined {
  const read = tryRead(() => foldRun(readJournal(folder)));
  return read instanceof Failure ? undefined : read;
}

/** Why the journal cannot be read; undefined if it is sound, even without a complete line. */
export function findDamage(folder: string): Failure | undefined {
  const read = tryRead(() => readJournal(folder));
  return read instanceof Failure ? read : undefined;
}

/** When its last whole line was written, in ms: copying a repository changes the times of files, not this. */
export function readLastTime(folder: string): number | undefined {
  const text = tryRead(() => readText(path.join(folder, journalFile)));
  const last = text instanceof Failure ? undefined : parseJson(text.split('\n').at(-2) ?? '');
  const at = typeof last === 'object' && last !== null && 'at' in last ? Date.parse(String(last.at)) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function tryRead<T>(read: () => T): T | Failure {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** `file` is named in Failures. */
export function parseJournal(text: string, file: string): readonly Stamped<Fact>[] {
  const lines = text.split('\n');
  // What follows the last newline is empty, or torn by a crash.
  lines.pop();
  return lines.map((line, index) => {
    const value = parseJson(line);
    const fact = readFact(value);
    if (fact) return fact;
    const version = otherVersion(value);
    const place = `${file}:${index + 1}`;
    throw version === undefined ? damaged(place) : writtenByOther(place, version);
  });
}

/** The line's format version; undefined if it is this pawl's. */
function otherVersion(value: unknown): number | undefined {
  const version =
    typeof value === 'object' && value !== null && 'v' in value ? Number(value.v) : eventVersion;
  return Number.isInteger(version) && version !== eventVersion ? version : undefined;
}

function writtenByOther(place: string, version: number): Failure {
  const which = version > eventVersion ? 'a later' : 'an earlier';
  return new Failure('disk', `${place} was written by ${which} version of pawl`, {
    hint: 'Resume it with that version, or start a new run on the current files with `pawl run --fresh`.',
  });
}

function damaged(place: string): Failure {
  return new Failure('disk', `${place} is not a line of pawl's journal`, {
    hint: 'The run cannot be resumed; `pawl run --fresh` starts a new one on the current files.',
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('disk', `cannot read the journal ${file}`, { cause });
  }
}
