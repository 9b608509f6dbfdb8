// Named pipes where a check names a file: whoever opens one waits for a writer, and a check would wait for its whole clock.
import path from 'node:path';
import { statAt } from '../../git/tree/entry.ts';
import type { PlacedCheck } from '../work.ts';

/** One sentence for each of them. Raw words of the commands are enough: a pipe is hardly named by chance. */
export function findNamedPipes(root: string, checks: readonly PlacedCheck[]): readonly string[] {
  const names = checks.flatMap(({ command, cwd }) =>
    command
      .split(/[\s'"`;|&<>()=]+/)
      .filter((word) => word !== '')
      .map((word) => path.relative(root, path.resolve(root, cwd, word))),
  );
  const isPipe = (file: string): boolean => !file.startsWith('..') && (statAt(root, file)?.isFIFO() ?? false);
  return [...new Set(names)]
    .filter(isPipe)
    .map(
      (file) =>
        `${file} is a named pipe, which a check would wait for without end: make it a file, or remove it`,
    );
}
