// Stages chosen files into an index. If git refuses one, it adds none.
import { asFailure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import type { Choice } from './choose-files.ts';
import { stageFiles, unstageFiles } from './index-file.ts';

/** Raw names; returns what git says against one of them. */
export async function stageChoice(
  repo: Repo,
  index: string,
  { stage, unstage }: Pick<Choice, 'stage' | 'unstage'>,
): Promise<string | undefined> {
  await unstageFiles(repo, index, unstage);
  try {
    await stageFiles(repo, index, stage);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    const [, words = ''] = /^git update-index failed: (.*)$/s.exec(failure?.message ?? '') ?? [];
    if (failure?.code === 'git' && againstFile.test(words)) return words;
    throw error;
  }
}

/** git 2.39's words against a file itself, not about locks, disks and filters. */
const againstFile =
  /^failed to encode |^BOM is (?:prohibited|required) |are no valid working-tree-encodings|would be replaced by (?:CR)?LF|^open\(".*"\): Permission denied/;
