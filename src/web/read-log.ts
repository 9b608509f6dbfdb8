// Reads the end of a check's output.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';
import type { LongText } from './view.ts';
import type { WatchedRun } from './watched-run.ts';

const mostBytes = 512 * 1024;

/** Undefined for a name that is not in the journal: no path comes from the page. */
export function readCheckLog({ reader }: WatchedRun, name: string): LongText | undefined {
  const isKnown = reader.facts.all.some((fact) => fact.type === 'check-ended' && fact.log === name);
  const fd = isKnown
    ? orElse(() => openSync(path.join(reader.found.folder, name), 'r'), undefined)
    : undefined;
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
