// Finds a template's file: the project's, then the user's, then the shipped one. It fills nothing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import type { Template } from './template.ts';

/** Folders that may hold `prompts/<name>.md`, first wins. The project's is absent while it is not trusted. */
export type Library = readonly string[];

/** Reads a template by name, e.g. `task`; a missing shipped one is a Failure. */
export function readTemplate(library: Library, name: string): Template {
  for (const folder of library) {
    const file = path.join(folder, 'prompts', `${name}.md`);
    try {
      return { name, file, text: readFileSync(file, 'utf8') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Failure('config', `there is no template prompts/${name}.md in ${library.join(', ')}`, {
    hint: 'Reinstall pawl, or put the file back.',
  });
}
