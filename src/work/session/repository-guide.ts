// What an untrusted session gets: templates without the project's, and instructions that its agent does not
// read itself.
import path from 'node:path';
import { filesAgentsObey } from '../../agent/agents.ts';
import type { Place } from '../../place/place.ts';
import { readInside } from '../../plan/read-inside.ts';
import type { Library } from '../../prompt/library.ts';

/** The project's only while its files are as consented to. */
export function libraryNow(place: Pick<Place, 'repo' | 'run'>): Library {
  return libraryFor(place, place.run.untrusted());
}

/** Like `libraryNow`, where `untrusted` is known: finding it reads all that consent covers. */
export function libraryFor(
  { run: { library }, repo }: Pick<Place, 'repo' | 'run'>,
  untrusted: readonly string[],
): Library {
  if (untrusted.length === 0) return library;
  const inProject = path.join(repo.root, '.pawl') + path.sep;
  return library.filter((folder) => !folder.startsWith(inProject));
}

/**
 * CLAUDE.md without `untrusted` files; may be empty. Links are not followed: they may lead out of the
 * repository.
 */
export function readGuide(root: string, untrusted: readonly string[]): string {
  const names = filesAgentsObey
    .flatMap(({ guides = [] }) => guides)
    .filter((name) => !untrusted.includes(name));
  return names.flatMap((name) => readInside(root, name)?.trim() ?? []).join('\n\n');
}
