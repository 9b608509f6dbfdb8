// A forge for a test: scripted gh and glab in a folder for PATH, and a bare repository that `origin` reaches by the forge's
// own address.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ForgeState } from '../fixtures/forge/forge.ts';
import { builtFile } from './built-pawl.ts';
import { makeTempFolder } from './temp-folder.ts';

export type TestForge = ReturnType<typeof makeForge>;

export function makeForge(kind: 'github' | 'gitlab', given: Partial<ForgeState> = {}) {
  const folder = makeTempFolder();
  const bin = path.join(folder.path, 'bin');
  const bare = path.join(folder.path, 'remote.git');
  const file = path.join(folder.path, 'forge.json');
  mkdirSync(bin);
  for (const name of ['gh', 'glab']) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${builtFile('forge')}' ${name} '${folder.path}' "$@"\n`;
    writeFileSync(path.join(bin, name), script);
    chmodSync(path.join(bin, name), 0o755);
  }
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const lists = { jobs: [], requests: [], comments: [], answers: [], calls: [] };
  const write = (state: ForgeState) => writeFileSync(file, JSON.stringify(state));
  write({ name: 'team/work', bare, login: true, mayPush: true, writers: [], ran: {}, ...lists, ...given });
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as ForgeState;
  const url = `https://${kind}.com/team/work.git`;
  return {
    /** What a pawl beside it needs. */
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      FIXED_CI_EVERY_MS: '300',
      FIXED_CI_SETTLE_MS: '0',
      FIXED_COMMENTS_EVERY_MS: '300',
    },
    bare,
    /** Of the scripted programs. */
    bin,
    read,
    change: (change: Partial<ForgeState>) => write({ ...read(), ...change }),
    /** An empty commit as its branch; its id. */
    begin: (branch: string): string => {
      const whose = ['-C', bare, '-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];
      const git = (...args: string[]) =>
        execFileSync('git', [...whose, ...args], { encoding: 'utf8', input: '' }).trim();
      const commit = git('commit-tree', '-m', 'start', git('mktree'));
      git('update-ref', `refs/heads/${branch}`, commit);
      return commit;
    },
    /** Makes it `origin` of a repository, whose branches it then has. */
    connect: (repo: string): void => {
      const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'pipe' });
      git('config', `url.${bare}.insteadOf`, url);
      git('remote', 'add', 'origin', url);
      git('push', '-q', 'origin', 'main');
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
