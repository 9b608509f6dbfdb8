// Writes the folder of a run as a pawl would have left it.
import path from 'node:path';
import type { Fact, FactOf } from '../../src/event.ts';
import { makeRunFolder } from '../../src/journal/folder.ts';
import { Journal } from '../../src/journal/journal.ts';
import { fact } from './facts.ts';

export type WrittenRun = Readonly<{
  run: string;
  folder: string;
  /** At the moment it began, or later. */
  append(facts: readonly Fact[], at?: Date): void;
}>;

/** It began at that moment, and these facts followed at once. */
export function writeRun(
  commonDir: string,
  { at: begun = new Date(0), ...started }: Partial<FactOf<'run-started'>> & Readonly<{ at?: Date }>,
  ...facts: readonly Fact[]
): WrittenRun {
  const { run, folder } = makeRunFolder(commonDir, begun, path.basename(started.plan ?? 'plan', '.md'));
  const append: WrittenRun['append'] = (more, at = begun) => {
    using journal = new Journal(folder);
    for (const each of more) journal.append(each, at);
  };
  append([{ ...fact('run-started', { run }), ...started }, ...facts]);
  return { run, folder, append };
}
