// Files of /proc, whose size the kernel does not tell. Those that are read at each look are kept open: to open one costs
// more than to read it, and an open one stays that of its process, never of another that got its pid. It parses nothing.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Kept open at most; beyond it files are opened anew each time. */
const mostKept = 512;

const kept = new Map<string, number>();

const chunk = Buffer.allocUnsafe(256 * 1024);

/** Reads a file; empty when it cannot be read. */
export function readProcFile(file: string): Buffer {
  const fd = openFile(file);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    return readWhole(fd, file) ?? Buffer.alloc(0);
  } finally {
    closeSync(fd);
  }
}

/** As `readProcFile`, for a small file that will be read again: it is kept open as long as its process lives. */
export function readKeptFile(file: string): Buffer {
  const known = kept.get(file);
  const again = known === undefined ? undefined : readWhole(known, file);
  if (again) return again;
  // Its process is gone; the name may be another's by now.
  forget(file);
  if (kept.size >= mostKept) return readProcFile(file);
  const fd = openFile(file);
  if (fd === undefined) return Buffer.alloc(0);
  kept.set(file, fd);
  const bytes = readWhole(fd, file);
  if (!bytes) forget(file);
  return bytes ?? Buffer.alloc(0);
}

/** Closes the kept ones that are not wanted any more. */
export function closeOthers(isWanted: (file: string) => boolean): void {
  for (const file of kept.keys()) if (!isWanted(file)) forget(file);
}

function forget(file: string): void {
  const fd = kept.get(file);
  kept.delete(file);
  if (fd !== undefined) closeSync(fd);
}

function openFile(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'EMFILE' && code !== 'ENFILE') || kept.size === 0) return undefined;
    closeOthers(() => false);
    return openFile(file);
  }
}

function readWhole(fd: number, file: string): Buffer | undefined {
  try {
    const length = readSync(fd, chunk, 0, chunk.length, 0);
    return length < chunk.length ? Buffer.from(chunk.subarray(0, length)) : readFileSync(file);
  } catch {
    return undefined;
  }
}
