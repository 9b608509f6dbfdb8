// Makes a throw-away repository with one commit, without user settings of git that could ask or fail.
import path from 'node:path';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { writeFileAtomic } from '../write-file.ts';
import type { CliContext } from './context.ts';
import { runQuietly } from './run-quietly.ts';

/** `files` by path; `author`: the name in its commit. */
export async function makeRepository(
  context: CliContext,
  folder: string,
  { author, files }: Readonly<{ author: string; files: Readonly<Record<string, string>> }>,
): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    makeFolder(path.dirname(path.join(folder, file)));
    writeFileAtomic(path.join(folder, file), content);
  }
  const commands = [
    'init --quiet --initial-branch main',
    `config user.name ${author}`,
    `config user.email ${author}@example.invalid`,
    'config commit.gpgsign false',
    'add --all',
    'commit --quiet --message start',
  ];
  for (const command of commands) {
    const options = { cwd: folder, env: { GIT_OPTIONAL_LOCKS: '1' } };
    const { code, stderr } = await runQuietly(context, 'git', command.split(' '), options);
    if (code !== 0) throw new Failure('git', `git ${command} failed: ${stderr.trim()}`);
  }
}
