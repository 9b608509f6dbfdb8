// What a session gets of the repository's own words when its config is kept out: pawl's templates without the project's,
// and the text of CLAUDE.md, which the agent then does not read itself. It starts nothing.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Library } from '../prompt/library.ts';
import type { Context } from './phase.ts';

/** Folders of templates for the next message: the project's only while its files are those that were consented to. */
export function libraryNow(ctx: Pick<Context, 'library' | 'repo' | 'untrusted'>): Library {
  if (ctx.untrusted().length === 0) return ctx.library;
  const inProject = path.join(ctx.repo.root, '.pawl') + path.sep;
  return ctx.library.filter((folder) => !folder.startsWith(inProject));
}

/** Text of the repository's CLAUDE.md files but those that are `untrusted`; empty when there are none. A link is not followed: it may lead out of the repository. */
export function readGuide(root: string, untrusted: readonly string[]): string {
  const names = ['CLAUDE.md', '.claude/CLAUDE.md'].filter((name) => !untrusted.includes(name));
  return names.flatMap((name) => readRegular(path.join(root, name)) ?? []).join('\n\n');
}

function readRegular(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, 'utf8').trim() : undefined;
  } catch {
    return undefined;
  }
}
