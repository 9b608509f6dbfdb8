// Every way a run can end badly: a code, a sentence in the user's words, a hint, an exit code. `main.ts` catches a Failure
// once and turns it into text and an exit code.

/** The process's exit code for each kind of failure, as documented in docs/running.md. */
const exitOfCode = {
  /** A command line that cannot be understood. */
  usage: 2,
  /** A setting is unknown, malformed or contradicts another. */
  config: 2,
  /** The repository is not trusted, or has changed since it was. */
  trust: 2,
  /** The plan cannot be run: it does not exist, parse or pass lint. */
  plan: 2,
  /** Something outside the run must be fixed before it can start. */
  preflight: 2,
  /** Another pawl holds this working tree. */
  locked: 2,
  /** The run waits for a person. */
  'needs-person': 3,
  /** A budget is spent. */
  budget: 5,
  /** A usage limit, or an outage of the agent's service, will last longer than pawl may wait. */
  limited: 6,
  /** The agent cannot be used: not installed, not logged in, billing, or an unknown model. */
  'agent-refused': 7,
  /** A git command failed that has to succeed. */
  git: 8,
  /** A disk, file or folder operation failed. */
  disk: 8,
  /** A hook or commit signing rejected one of pawl's commits. */
  hook: 8,
  /** History was rewritten under the run. */
  history: 8,
  /** A program that pawl needs cannot be started. */
  environment: 8,
} as const;

export type FailureCode = keyof typeof exitOfCode;

/** What ended a run or a command, worded for the person who reads it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** What to do about it, as a sentence or a command; undefined when nothing helps. */
  readonly hint: string | undefined;

  constructor(code: FailureCode, sentence: string, more: { hint?: string; cause?: unknown } = {}) {
    super(sentence, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint;
  }

  get exit(): number {
    return exitOfCode[this.code];
  }
}

/** File system errors: what is wrong, and what helps. */
const systemErrors: Readonly<Record<string, readonly [says: string, helps: string]>> = {
  ENOSPC: ['no space is left on the disk', 'Free some space'],
  EDQUOT: ['the disk quota is used up', 'Free some space'],
  EFBIG: ['the file may not become that large', 'Raise the limit on file sizes'],
  EROFS: ['the file system is read-only', 'Make it writable'],
  EACCES: ['permission is denied', 'Give yourself the permission'],
  EPERM: ['permission is denied', 'Give yourself the permission'],
  EIO: ['the disk reports an error', 'Check the disk'],
  EMFILE: ['too many files are open', 'Raise the limit on open files'],
  ENFILE: ['too many files are open', 'Raise the limit on open files'],
  ENOENT: ['it does not exist', 'Put it back'],
  ENOTDIR: ['something else is where its folder was', 'Put the folder back'],
  EEXIST: ['something else is in its place', 'Move it away'],
  EISDIR: ['a folder is in its place', 'Move the folder away'],
  ELOOP: ['a link is in its place', 'Put it back'],
};

/**
 * Returns a Failure as it is, and a file system error as a Failure; undefined for anything else, which is a bug of pawl's.
 * `file`: named when the error itself names no file.
 */
export function asFailure(error: unknown, file?: string): Failure | undefined {
  if (error instanceof Failure) return error;
  const { code, syscall, path: named, dest } = (error ?? {}) as Partial<Record<string, unknown>>;
  const known = error instanceof Error && typeof code === 'string' ? systemErrors[code] : undefined;
  if (!known || typeof syscall !== 'string' || syscall.startsWith('spawn')) return undefined;
  const place = dest ?? named ?? file ?? 'a file';
  return new Failure('disk', `cannot ${verbOf(syscall, String(code))} ${String(place)}: ${known[0]}`, {
    hint: `${known[1]}, then run the same command again; everything done so far is kept.`,
    cause: error,
  });
}

/** Like `asFailure`, but rethrows anything else. */
export function needFailure(error: unknown, file?: string): Failure {
  const failure = asFailure(error, file);
  if (failure) return failure;
  throw error;
}

/** Why a file cannot be read, in plain words, for a sentence that names the file itself. */
export function whyUnread(error: unknown): string {
  const { code } = (error ?? {}) as Partial<Record<string, unknown>>;
  const known = typeof code === 'string' ? systemErrors[code] : undefined;
  return known?.[0] ?? (error instanceof Error ? error.message : String(error));
}

/** The Failure for a file that cannot be written, with a hint if the error is known. */
export function unwritable(error: unknown, file: string): Failure {
  return (
    asFailure(error, file) ??
    new Failure('disk', `cannot write ${file}: ${whyUnread(error)}`, { cause: error })
  );
}

/** The system call alone does not always tell whether a file was opened for reading or for writing. */
function verbOf(syscall: string, code: string): 'read' | 'open' | 'write' {
  if (reading.has(syscall)) return 'read';
  return syscall === 'open' && !ofWriting.has(code) ? 'open' : 'write';
}

const ofWriting: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);

const reading: ReadonlySet<string> = new Set([
  'read',
  'scandir',
  'stat',
  'lstat',
  'readlink',
  'realpath',
  'access',
]);

/** pawl's exit codes. When several apply, the first in `exitOrder` wins. */
export const exitCodes = {
  done: 0,
  taskFailed: 1,
  usage: 2,
  needsPerson: 3,
  notClean: 4,
  budget: 5,
  limited: 6,
  refused: 7,
  environment: 8,
  bug: 70,
  interrupted: 130,
  terminated: 143,
  hungUp: 129,
} as const;

const exitOrder = [70, 130, 143, 129, 8, 7, 5, 6, 1, 3, 4, 2, 0];

/** The exit code to use when several apply. */
export function pickExit(codes: readonly number[]): number {
  return exitOrder.find((code) => codes.includes(code)) ?? 0;
}

/** The signal that ended pawl and its exit code; the `reason` of the aborted AbortSignal. */
export type Interruption = Readonly<{ signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; exit: 130 | 143 | 129 }>;

/** The exit code of an aborted signal. */
export function exitOf(signal: AbortSignal): number {
  return (signal.reason as Partial<Interruption> | undefined)?.exit ?? exitCodes.interrupted;
}
