// Stages chosen files into an index. If git refuses some it refuses all; then the others are staged, and the refused ones
// are returned with git's message.
import { asFailure, type Failure } from '../../failure.ts';
import { joinNul, quote, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import type { Choice } from './choose-files.ts';
import { stageFiles, unstageFiles } from './index-file.ts';
import type { StatusEntry } from './status.ts';

/** A file that git refuses, and why. */
export type NotTaken = Readonly<{ raw: string; why: string }>;

/**
 * Removes files from an index and adds others. Returns those that git refuses, which stay in the index as they were. Raw
 * names.
 */
export async function stageChoice(
  repo: Repo,
  index: string,
  { stage, unstage }: Pick<Choice, 'stage' | 'unstage'>,
): Promise<readonly NotTaken[]> {
  await unstageFiles(repo, index, unstage);
  const why = await complaintOf(() => stageFiles(repo, index, stage));
  return why === undefined ? [] : findRefused(repo, { index, raws: stage, why });
}

/** Bisects until the refused ones are isolated. */
async function findRefused(
  repo: Repo,
  { index, raws, why }: Readonly<{ index: string; raws: readonly string[]; why: string }>,
): Promise<readonly NotTaken[]> {
  const [raw = ''] = raws;
  if (raws.length === 1) return [{ raw, why }];
  const middle = Math.ceil(raws.length / 2);
  const refused: NotTaken[] = [];
  for (const half of [raws.slice(0, middle), raws.slice(middle)]) {
    const again = await complaintOf(() => stageFiles(repo, index, half));
    if (again !== undefined) refused.push(...(await findRefused(repo, { index, raws: half, why: again })));
  }
  return refused;
}

/**
 * Tracked files that git could not add again, because attributes that differ from HEAD's give them another encoding; with
 * the attributes file.
 */
export async function findSpoiled(
  repo: Repo,
  index: string,
  entries: readonly StatusEntry[],
): Promise<NotTaken | undefined> {
  const changed = entries.find(({ kind, raw }) => kind !== 'ignored' && /(?:^|\/)\.gitattributes$/.test(raw));
  if (!changed) return undefined;
  // What has itself changed was just added, or refused.
  const others = new Set(entries.flatMap(({ work, raw }) => (work === '.' ? [] : raw)));
  const tracked = splitNul(await repo.bytes(['ls-files', '-z'], { index })).filter((raw) => !others.has(raw));
  const args = ['check-attr', '-z', '--stdin', 'working-tree-encoding'];
  const told = splitNul(await repo.bytes(args, { input: joinNul(tracked), index }));
  const encoded = told.filter((_, at) => at % 3 === 0 && told[at + 2] !== 'unspecified');
  if (encoded.length === 0) return undefined;
  const input = Buffer.from(encoded.map((raw) => `${quote(raw)}\n`).join(''), 'latin1');
  // git refuses only when writing.
  const why = await complaintOf(() =>
    repo.write('try files', ['hash-object', '-w', '--stdin-paths'], { input }),
  );
  return why === undefined ? undefined : { raw: changed.raw, why };
}

/** What git says against a file; undefined if it accepted all. Any other failure is rethrown. */
async function complaintOf(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    const why = wordsAgainstFile(asFailure(error));
    if (why === undefined) throw error;
    return why;
  }
}

/** git 2.39's messages about a file itself: its encoding, line endings, permissions; not about locks, disks and filters. */
function wordsAgainstFile(failure: Failure | undefined): string | undefined {
  if (failure?.code !== 'git') return undefined;
  const [, words = ''] = /^git (?:update-index|hash-object) failed: (.*)$/s.exec(failure.message) ?? [];
  return againstFile.test(words) ? words : undefined;
}

const againstFile =
  /^failed to encode |^BOM is (?:prohibited|required) |are no valid working-tree-encodings|would be replaced by (?:CR)?LF|^open\(".*"\): Permission denied/;
