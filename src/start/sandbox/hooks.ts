// The repository's commit hooks as commands inside the sandbox: git then runs none on this machine.

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { listHooks } from '../../git/commit/commit.ts';
import type { Repo } from '../../git/run/repo.ts';
import { inside, type Mount } from '../../sandbox/docker-args.ts';
import { quoteForShell } from '../../shell-word.ts';

type Place = Pick<Repo, 'root' | 'gitDir' | 'hooksDir'>;

export type SandboxHooks = Readonly<{
  hookChecks: readonly string[];
  messageHooks?: Readonly<{ names: readonly string[]; command: string }>;
}>;

/** The commands first stage what a commit would have staged. */
export function hooksInside(repo: Place): SandboxHooks {
  const there = listHooks(repo);
  // Relative: each lane has its own, and git resolves it from the tree's top.
  const folder = isInTree(repo) ? `./${path.relative(repo.root, repo.hooksDir)}` : inside.hooks;
  const quoted = quoteForShell(folder);
  const stage = 'git add --all';
  const run = (hook: string) => `git -c core.hooksPath=${quoted} hook run --ignore-missing ${hook}`;
  const names = messageHooks.filter(({ name }) => there.includes(name)).map(({ name }) => name);
  const steps = messageHooks.map(({ name, args }) => `${run(name)} -- ${args}`);
  const command = [oneOutput, stage, ...given, ...steps, ...handed].join('\n');
  return {
    hookChecks: there.includes('pre-commit') ? [`${stage} && ${run('pre-commit')}`] : [],
    ...(names.length === 0 ? {} : { messageHooks: { names, command } }),
  };
}

/** In git's order, with git's arguments for an existing message. */
const messageHooks = [
  { name: 'prepare-commit-msg', args: '"$file" message' },
  { name: 'commit-msg', args: '"$file"' },
] as const;

// What a hook says must not come after the message.
const oneOutput = 'exec 2>&1';
const given = [
  'file="$(git rev-parse --absolute-git-dir)/COMMIT_EDITMSG"',
  `printf '%s\\n' "$PAWL_MESSAGE" > "$file"`,
];
const key = `printf '\\n%s\\n' "$PAWL_MESSAGE_KEY"`;
const handed = [key, 'cat "$file"', key];

/** Outside the tree they are the user's own: read-only. */
export function hookMounts(repo: Place): readonly Mount[] {
  const { hookChecks, messageHooks: some } = hooksInside(repo);
  if (isInTree(repo) || (hookChecks.length === 0 && some === undefined)) return [];
  return [{ from: realpathSync(repo.hooksDir), to: inside.hooks, readonly: true }];
}

function isInTree({ root, gitDir, hooksDir }: Place): boolean {
  return isBelow(hooksDir, root) && !isBelow(hooksDir, gitDir);
}
