// Which files git was told not to look at, such as those that a sparse checkout leaves out.
import { defined } from '../../defined.ts';
import { splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { ofIndex } from './index-file.ts';

export async function readFlags(repo: Repo): Promise<ReadonlyMap<string, string>> {
  return (await listMarks(repo)).flags;
}

/** `index`: default the repository's own. */
export function listMarks(repo: Repo, index?: string) {
  return ofIndex(repo, index, {
    what: 'marks',
    ask: async () => {
      let hasAttributes = false;
      const flags = new Map<string, string>();
      const listed = await repo.bytes(['ls-files', '-v', '-z'], defined({ index }));
      for (const record of splitNul(listed)) {
        const tag = record[0] ?? 'H';
        if (tag === 'S' || tag !== tag.toUpperCase()) flags.set(record.slice(2), tag);
        if (/[ /]\.gitattributes$/.test(record)) hasAttributes = true;
      }
      return { flags, hasAttributes };
    },
  });
}
