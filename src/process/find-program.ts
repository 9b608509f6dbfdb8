// Whether a program can be started: looks it up on the child's PATH as execvp(3) would, and reads a script's first
// line.
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';

/** Where execvp looks without a PATH in the environment (glibc). */
const fallbackPath = '/bin:/usr/bin';

/** As Node's spawn errors; undefined if no reason is known. */
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

/** Undefined if there is none, or it depends on the child's folder. */
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

/** Empty if unreadable: it may be executable all the same. */
function firstBytes(file: string): string {
  const read = () => {
    const fd = openSync(file, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(256);
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  };
  return orElse(read, '');
}

function isFile(file: string): boolean {
  return orElse(() => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false, false);
}

function isExecutable(file: string): boolean {
  const refused = orElse(() => accessSync(file, constants.X_OK), true);
  return refused === undefined;
}

const lacks: Readonly<Record<string, readonly [says: string, helps: string]>> = {
  EMFILE: ['pawl has too many files open', 'Raise the limit on open files (`ulimit -n 1024`)'],
  ENFILE: ['the system has too many files open', 'End other programs, or raise its limit (fs.file-max)'],
  EAGAIN: [
    'the system allows no more processes',
    'End other programs, or raise the limit on processes (`ulimit -u`, or the pids limit of the container)',
  ],
  ENOMEM: ['the system has no memory left', 'End other programs, or give the machine more memory'],
};

/** Failure('environment') if the machine lacks what a start needs; undefined for any other error. */
export function startLack(program: string, error: Error): Failure | undefined {
  const lack = lacks[(error as NodeJS.ErrnoException).code ?? ''];
  if (!lack) return undefined;
  const [says, helps] = lack;
  return new Failure('environment', `${program} could not be started: ${says}`, {
    hint: `${helps}, and run the same command again.`,
    cause: error,
  });
}

/** `near`: the module's `import.meta.url`. */
export function findOwnProgram(near: string, source: string, built: string): string {
  const files = [source, built, `../${built}`].map((name) => fileURLToPath(new URL(name, near)));
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`a program of pawl’s is missing: ${files.join(', ')}`);
  return found;
}
