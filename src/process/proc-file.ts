// Reads files of /proc, whose size the kernel does not report.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { Failure } from '../failure.ts';

const chunk = Buffer.allocUnsafe(256 * 1024);

/** Reads a file; empty when it cannot be read, since its process is gone or is another user's. Where pawl may open no file at all it is a Failure: whom it cannot see it would not end. */
export function readProcFile(file: string): Buffer {
  const fd = openFile(file);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const length = readSync(fd, chunk, 0, chunk.length, 0);
    return length < chunk.length ? Buffer.from(chunk.subarray(0, length)) : readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  } finally {
    closeSync(fd);
  }
}

function openFile(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EMFILE' && code !== 'ENFILE') return undefined;
    throw new Failure('environment', `The list of processes cannot be read: too many files are open.`, {
      hint: 'Raise the limit on open files (`ulimit -n 1024`), and run the same command again.',
      cause,
    });
  }
}
