// What a person should know of a repository before a night in it. It prevents no run.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../run/repo.ts';
import type { WorkplaceFacts } from './workplace.ts';

/** Sentences. */
export async function findWarnings(
  repo: Repo,
  { branch = '', tags }: Pick<WorkplaceFacts, 'branch' | 'tags'>,
): Promise<readonly string[]> {
  const isOn = async (name: string): Promise<boolean> => {
    const value = await repo.git(['config', '--type=bool', '--get', name], { okCodes: [0, 1, 128] });
    return value.trim() === 'true';
  };
  const [isSparse, isSigned] = await Promise.all(['core.sparseCheckout', 'commit.gpgSign'].map(isOn));
  const warnings: readonly (readonly [boolean | undefined, string])[] = [
    [
      isIn(repo.commonDir, 'shallow'),
      'the clone is shallow: older history is not there for anyone to look at',
    ],
    [isSparse, 'the checkout is sparse: checks and agents do not see files outside it'],
    [isSigned, signed],
    [isIn(repo.root, '.gitmodules'), 'changes inside submodules are refused, not committed'],
    // Commands that pawl prints name the branch alone.
    [tags.has(branch), `a tag is named ${branch}, too: where git takes a commit, write heads/${branch}`],
  ];
  return warnings.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}

const signed =
  'commits are signed: the key must stay unlocked for the whole run, because a commit that cannot be signed ends it';

function isIn(folder: string, name: string): boolean {
  return existsSync(path.join(folder, name));
}
