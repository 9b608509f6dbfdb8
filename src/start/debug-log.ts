// PAWL_DEBUG: a file with a line for each program that pawl starts, even git: words, folder, pid, exit, milliseconds.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { isBelow } from '../below.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { programStarted, type StartedProgram } from '../process/spawn.ts';
import type { CliContext } from './context.ts';
import { findPlace } from './locate.ts';

const mostCharacters = 2_000;
const mostWords = 200;

const hint = 'PAWL_DEBUG is the path of a file outside the working tree.';

export function startDebugLog(
  { env, cwd }: Pick<CliContext, 'env' | 'cwd'>,
  mask: (text: string) => string,
): void {
  if (!env['PAWL_DEBUG']) return;
  const logger = pino({ base: null }, destinationAt(fileAt(cwd, env['PAWL_DEBUG'])));
  const shown = (text: string) => mask(text).slice(0, mostCharacters);
  programStarted.subscribe((message) => {
    const { file, args, cwd: folder, pid, ended } = message as StartedProgram;
    const since = performance.now();
    const argv = [file, ...args].slice(0, mostWords).map(shown);
    if (args.length >= mostWords) argv.push(`… and ${args.length + 1 - mostWords} more`);
    void ended.then(({ code, signal, startError }) =>
      logger.info({
        argv,
        cwd: shown(folder),
        pid,
        code,
        signal,
        ...defined({ error: startError && shown(startError.message) }),
        ms: Math.round((performance.now() - since) * 10) / 10,
      }),
    );
  });
}

/** Synchronous: nothing is lost when pawl dies. A full disk ends no run. */
function destinationAt(file: string) {
  try {
    return pino.destination({ dest: file, sync: true, mode: 0o600 }).on('error', () => {});
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('environment', `the debug log cannot be written: ${why}`, { hint, cause });
  }
}

/** In the working tree it would be mistaken for work. */
function fileAt(cwd: string, asked: string): string {
  const file = path.resolve(cwd, asked);
  const folder = path.dirname(file);
  const real = existsSync(folder) ? path.join(realpathSync(folder), path.basename(file)) : file;
  const place = findPlace(cwd);
  const isOwn = place && [place.gitDir, place.commonDir].some((own) => isBelow(real, own));
  if (!place || isOwn || !isBelow(real, place.root)) return file;
  const sentence = `the debug log cannot be written into the working tree: ${file}`;
  throw new Failure('environment', sentence, { hint });
}
