// PAWL_DEBUG: each program that pawl starts, git among them, as a line of a log: words, folder, pid, exit, milliseconds. It
// changes nothing that is done.
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { Failure } from '../failure.ts';
import { maskSecrets } from '../journal/mask.ts';
import { programStarted, type StartedProgram } from '../process/spawn.ts';
import type { CliContext } from './context.ts';

/** Its file in a run's folder. */
const debugFile = 'debug.ndjson';

/** Lines that are kept until there is a run's folder to write them to. */
const mostKept = 1_000;
/** Of one word of a command line. */
const mostCharacters = 2_000;

/** The debug log of this process. */
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

  /** Writes into this run's folder from now on, what was kept first; the file's path, or nothing where it is written elsewhere. */
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
    const argv = [file, ...args].map((word) => this.#mask(word).slice(0, mostCharacters));
    void ended.then(({ code, signal, startError }) =>
      this.#write({
        ...{ argv, cwd, pid, code, signal, error: startError?.message },
        ms: Math.round((performance.now() - since) * 10) / 10,
      }),
    );
  }

  #write(line: object): void {
    if (this.#logger) this.#logger.info(line);
    else if (this.#kept.length < mostKept) this.#kept.push(line);
  }
}

/** Synchronous, so that nothing is lost when pawl dies. A disk that is full later ends no run. */
function destinationAt(file: string) {
  try {
    return pino.destination({ dest: file, sync: true, mode: 0o600 }).on('error', () => {});
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('environment', `The debug log cannot be written: ${why}`, {
      hint: 'PAWL_DEBUG is 1, for a file in the run’s folder, or the path of a file.',
      cause,
    });
  }
}

/** Starts the debug log that PAWL_DEBUG asks for: `1` for a file in the run's folder, else a path. */
export function startDebugLog({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>): DebugLog {
  const { PAWL_DEBUG: asked = '1' } = env;
  return new DebugLog(maskSecrets(env), asked === '1' ? undefined : path.resolve(cwd, asked));
}
