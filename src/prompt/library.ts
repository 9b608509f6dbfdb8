// Finds a template's file: the project's, then the user's, then the shipped one. It fills nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { codeBlock } from './code.ts';
import { type Persona, readPersona } from './persona.ts';
import { findAgentPlaces, type Template } from './template.ts';

/** Folders that may hold `prompts/<name>.md` and `reviewers/<name>.md`, first wins. The project's is absent while it is not trusted. */
export type Library = readonly string[];

/** Reads a template by name, e.g. `task`, with the reviewers it names as agents; a missing shipped one, and a reviewer that is none, is a Failure. */
export function readTemplate(library: Library, name: string): Template {
  const found = findFile(library, 'prompts', name);
  if (found) return { ...found, agents: readAgents(library, found) };
  throw new Failure('config', `there is no template prompts/${name}.md in ${library.join(', ')}`, {
    hint: 'Reinstall pawl, or put the file back.',
  });
}

/** Reads a reviewer's persona by name, e.g. `quality`; an unknown one is a Failure that names those there are. */
export function readReviewer(library: Library, name: string): Persona {
  const found = findFile(library, 'reviewers', name);
  if (found) return readPersona(found);
  throw new Failure('config', `there is no reviewer ${name}`, {
    hint: `There are ${listReviewers(library).join(', ')}; a file .pawl/templates/reviewers/${name}.md makes one.`,
  });
}

/** What ralphex's `{{agent:NAME}}` says: to have a sub-agent look as that reviewer does. */
function readAgents(library: Library, { file, text }: Template): Readonly<Record<string, string>> {
  const agents = findAgentPlaces(text).map(({ name, line }) => {
    const found = findFile(library, 'reviewers', name);
    if (!found)
      throw new Failure('config', `${file}:${line}: there is no reviewer ${name} for {{agent:${name}}}`, {
        hint: `There are ${listReviewers(library).join(', ')}.`,
      });
    const persona = codeBlock(readPersona(found).text, '');
    return [
      `agent:${name}`,
      `Launch a sub-agent for this with the Task tool, and have it report only what it finds:\n\n${persona}`,
    ] as const;
  });
  return Object.fromEntries(agents);
}

function listReviewers(library: Library): readonly string[] {
  const names = library.flatMap((folder) => {
    const reviewers = path.join(folder, 'reviewers');
    return existsSync(reviewers) ? readdirSync(reviewers) : [];
  });
  const known = names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
  return [...new Set(known)].sort();
}

function findFile(library: Library, kind: 'prompts' | 'reviewers', name: string): Template | undefined {
  for (const folder of library) {
    const file = path.join(folder, kind, `${name}.md`);
    try {
      return { name, file, text: readFileSync(file, 'utf8') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
