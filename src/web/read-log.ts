// Reads the end of a check's output or of a session's raw stream. The file is named by the journal, never by a path from
// the page.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { rawFile } from '../journal/replay.ts';
import { orElse } from '../or-else.ts';
import type { WatchedRun } from './watched-run.ts';

/** How many bytes are returned; for a longer file its end. */
const mostBytes = 512 * 1024;

/** The text of a file's end, and how many bytes before it were left out. */
export type LogText = Readonly<{ text: string; leftOut: number }>;

/** The output of a check, by the name that the journal gives its file; undefined for any other name. */
export function readCheckLog({ reader }: WatchedRun, name: string): LogText | undefined {
  const isKnown = reader.facts.all.some((fact) => fact.type === 'check-ended' && fact.log === name);
  return isKnown ? readEnd(path.join(reader.found.folder, name)) : undefined;
}

export function readRaw({ reader }: WatchedRun, session: number): LogText | undefined {
  return reader.facts.state?.sessions.has(session) ? readEnd(rawFile(reader.found, session)) : undefined;
}

function readEnd(file: string): LogText | undefined {
  const fd = orElse(() => openSync(file, 'r'), undefined);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.subarray(0, count).toString('utf8'), leftOut: size - bytes.length };
  } finally {
    closeSync(fd);
  }
}
