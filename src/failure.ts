// Every way a run can end badly: code, sentence, hint, exit code. `main.ts` catches a Failure once.

/** As documented in docs/running.md. */
const exitOfCode = {
  usage: 2,
  /** Unknown, malformed or contradictory. */
  config: 2,
  /** Not trusted, or changed since. */
  trust: 2,
  /** It does not exist, parse or pass lint. */
  plan: 2,
  /** Something outside the run must be fixed before it can start. */
  preflight: 2,
  /** Another pawl holds this working tree. */
  locked: 2,
  'needs-person': 3,
  budget: 5,
  /** A usage limit or outage will last longer than pawl may wait. */
  limited: 6,
  /** Not installed, not logged in, billing, or an unknown model. */
  'agent-refused': 7,
  git: 8,
  disk: 8,
  /** A hook or signing rejected a commit of pawl's. */
  hook: 8,
  history: 8,
  /** A program or service that pawl needs cannot be used. */
  environment: 8,
} as const;

export type FailureCode = keyof typeof exitOfCode;

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** A sentence or a command; undefined when nothing helps. */
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
 * Turns a file system error into a Failure; undefined for any other, a bug of pawl's. `file`: named when the error
 * names none.
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

/** For a sentence that names the file itself. */
export function whyUnread(error: unknown): string {
  const { code } = (error ?? {}) as Partial<Record<string, unknown>>;
  const known = typeof code === 'string' ? systemErrors[code] : undefined;
  return known?.[0] ?? (error instanceof Error ? error.message : String(error));
}

export function unwritable(error: unknown, file: string): Failure {
  return (
    asFailure(error, file) ??
    new Failure('disk', `cannot write ${file}: ${whyUnread(error)}`, { cause: error })
  );
}

/** The call alone does not always tell reading from writing. */
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

/** When several apply, the first in `exitOrder` wins. */
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

export function pickExit(codes: readonly number[]): number {
  return exitOrder.find((code) => codes.includes(code)) ?? 0;
}

/** The `reason` of the aborted AbortSignal. */
export type Interruption = Readonly<{ signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; exit: 130 | 143 | 129 }>;

export function exitOf(signal: AbortSignal): number {
  return (signal.reason as Partial<Interruption> | undefined)?.exit ?? exitCodes.interrupted;
}
