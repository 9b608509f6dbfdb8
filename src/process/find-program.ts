// Whether a program can be started: looks it up on the child's PATH as execvp(3) would, and reads at most the first line of
// a script.

import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';

/** Where execvp looks if the environment has no PATH (glibc's default). */
const fallbackPath = '/bin:/usr/bin';

/** Why a program cannot be started, in the form of Node's own spawn errors; undefined if there is no known reason. */
export function findStartError(file: string, cwd: string, searchPath?: string): Error | undefined {
  if (!orElse(() => statSync(cwd).isDirectory(), false))
    return startError('ENOENT', file, `the folder ${cwd} does not exist`);
  const places = file.includes('/')
    ? [path.resolve(cwd, file)]
    : (searchPath ?? fallbackPath).split(':').map((folder) => path.resolve(cwd, folder, file));
  const present = places.filter(isFile);
  const program = present.find(isExecutable);
  if (program !== undefined) return findInterpreterError(file, program, cwd);
  return present.length > 0
    ? startError('EACCES', file, `${present[0]} is not executable`)
    : startError('ENOENT', file, `${file} was not found`);
}

/**
 * Where a program is on a PATH, so that not every start has to look for it; undefined if that depends on the folder it is
 * started in.
 */
export function findProgram(file: string, searchPath = fallbackPath): string | undefined {
  for (const folder of searchPath.split(':')) {
    if (!path.isAbsolute(folder)) return undefined;
    const program = path.join(folder, file);
    if (isFile(program) && isExecutable(program)) return program;
  }
  return undefined;
}

function findInterpreterError(file: string, program: string, cwd: string): Error | undefined {
  const interpreter = /^#![ \t]*([^ \t\n\0]+)[^\n]*\n/.exec(firstBytes(program))?.[1];
  if (interpreter === undefined || isFile(path.resolve(cwd, interpreter))) return undefined;
  return startError('ENOENT', file, `${program} wants the interpreter ${interpreter}, which does not exist`);
}

function startError(code: string, file: string, reason: string): Error {
  return Object.assign(new Error(`spawn ${file} ${code}: ${reason}`), {
    code,
    syscall: `spawn ${file}`,
    path: file,
  });
}

function firstBytes(file: string): string {
  try {
    const fd = openSync(file, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(256);
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    // A program may be executable but unreadable.
    return '';
  }
}

function isFile(file: string): boolean {
  return orElse(() => statSync(file).isFile(), false);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
