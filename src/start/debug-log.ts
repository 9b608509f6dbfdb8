// PAWL_DEBUG: logs each program that pawl starts, git included, one line each: words, folder, pid, exit, milliseconds.
// Changes nothing else.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { isBelow } from '../below.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { programStarted, type StartedProgram } from '../process/spawn.ts';
import type { CliContext } from './context.ts';
import { findPlace } from './locate.ts';

const debugFile = 'debug.ndjson';

/** How many lines are kept until there is a run's folder to write them to. */
const mostKept = 1_000;
const mostCharacters = 2_000;
const mostWords = 200;

const hint =
  'PAWL_DEBUG is 1, for a file in the run’s folder, or the path of a file outside the working tree.';

class DebugLog {
  readonly #mask: (text: string) => string;
  #kept: object[] = [];
  #logger: Logger | undefined;

  /** `file`: absent until a run's folder is known. */
  constructor(mask: (text: string) => string, file?: string) {
    this.#mask = mask;
    if (file !== undefined) this.#open(file);
    programStarted.subscribe((message) => this.#follow(message as StartedProgram));
  }

  /**
   * From now on writes into this run's folder, kept lines first; returns the file's path, or undefined if it is written
   * elsewhere.
   */
  openIn(folder: string): string | undefined {
    if (this.#logger) return undefined;
    const file = path.join(folder, debugFile);
    this.#open(file);
    return file;
  }

  #open(file: string): void {
    this.#logger = pino({ base: null }, destinationAt(file));
    for (const line of this.#kept) this.#logger.info(line);
    this.#kept = [];
  }

  #follow({ file, args, cwd, pid, ended }: StartedProgram): void {
    const since = performance.now();
    const words = [file, ...args];
    const argv = words.slice(0, mostWords).map((word) => this.#shown(word));
    if (words.length > mostWords) argv.push(`… and ${words.length - mostWords} more`);
    void ended.then(({ code, signal, startError }) =>
      this.#write({
        ...{ argv, cwd: this.#shown(cwd), pid, code, signal },
        ...defined({ error: startError && this.#shown(startError.message) }),
        ms: Math.round((performance.now() - since) * 10) / 10,
      }),
    );
  }

  #shown(text: string): string {
    return this.#mask(text).slice(0, mostCharacters);
  }

  #write(line: object): void {
    if (this.#logger) this.#logger.info(line);
    else if (this.#kept.length < mostKept) this.#kept.push(line);
  }
}

/** Synchronous, so that nothing is lost when pawl dies. A disk that fills up later ends no run. */
function destinationAt(file: string) {
  try {
    return pino.destination({ dest: file, sync: true, mode: 0o600 }).on('error', () => {});
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('environment', `the debug log cannot be written: ${why}`, {
      hint,
      cause,
    });
  }
}

/** Starts the debug log that PAWL_DEBUG requests: "yes" for a file in the run's folder, else a path; undefined for "no". */
export function startDebugLog(
  { env, cwd }: Pick<CliContext, 'env' | 'cwd'>,
  mask: (text: string) => string,
): DebugLog | undefined {
  const asked = env['PAWL_DEBUG'] ?? '';
  if (/^(?:|0|false|no|off)$/i.test(asked)) return undefined;
  return /^(?:1|true|yes|on)$/i.test(asked) ? new DebugLog(mask) : new DebugLog(mask, fileAt(cwd, asked));
}

/** A file in the working tree would be mistaken for work of the run. */
function fileAt(cwd: string, asked: string): string {
  const file = path.resolve(cwd, asked);
  const folder = path.dirname(file);
  const real = existsSync(folder) ? path.join(realpathSync(folder), path.basename(file)) : file;
  const place = findPlace(cwd);
  if (
    place &&
    isBelow(real, place.root) &&
    ![place.gitDir, place.commonDir].some((own) => isBelow(real, own))
  )
    throw new Failure('environment', `the debug log cannot be written into the working tree: ${file}`, {
      hint,
    });
  return file;
}
