// Which files git was told not to look at, such as those that a sparse checkout leaves out.
import { defined } from '../../defined.ts';
import { joinNul, splitNul } from '../run/names.ts';
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

/** Each must be in the index. */
export async function setFlags(repo: Repo, index: string, flags: ReadonlyMap<string, string>): Promise<void> {
  for (const [flag, tags] of Object.entries({ '--skip-worktree': 'Ss', '--assume-unchanged': 'hs' })) {
    const input = joinNul([...flags].flatMap(([raw, tag]) => (tags.includes(tag) ? raw : [])));
    const args = ['update-index', '-z', flag, '--stdin'];
    if (input.length > 0) await repo.write('set index flags', args, { index, input });
  }
}

/** In the repository's own index: git looks at these raw names again. */
export async function clearFlags(repo: Repo, raws: readonly string[]): Promise<void> {
  const input = joinNul(raws);
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
    await repo.write('clear index flags', ['update-index', '-z', flag, '--stdin'], { input });
}
