// Repositories of every kind: pawl commits alike in a ground and in the first tree, which follows the ground's; then whatever
// is asked in the first tree has the same answer in the ground, made at an earlier commit and brought to the last; or the ground
// says what it lacks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commitTree } from '../../src/git/commit/commit.ts';
import { followBranch } from '../../src/git/lane/follow.ts';
import { fetchRefs } from '../../src/git/lane/ground-home.ts';
import { changeRefs } from '../../src/git/run/head.ts';
import { openRepo, type Repo } from '../../src/git/run/repo.ts';
import { writeTree } from '../../src/git/tree/tree.ts';
import { makeGround } from '../../src/ground/make.ts';
import { depsOf, rules } from '../git/open.ts';
import { share } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

type Kind = Readonly<{
  /** Makes it, in `repo`, which has two commits; HOME is beside it. */
  makes: string;
  /** Commands that answer alike. */
  asks?: readonly string[];
  /** The first tree, below the folder of both. */
  at?: string;
  env?: (root: string) => Readonly<Record<string, string>>;
  lacks?: readonly RegExp[];
  leadsBack?: readonly string[];
  /** What differs all the same. */
  without?: readonly string[];
}>;

/** Asked of every kind. */
const common = [
  'git status --porcelain',
  'git symbolic-ref HEAD; git rev-parse HEAD',
  "git for-each-ref --format='%(refname) %(objectname) %(symref)'",
  'git remote; git remote get-url origin || true',
  'git describe --tags --always; git merge-base HEAD refs/heads/main',
  'git ls-files -z | xargs -0 -I{} sh -c \'test -d "{}" || sha1sum "{}"\' 2>&1',
  'git rev-parse --is-shallow-repository --show-object-format; git sparse-checkout list 2>&1',
  'git var GIT_COMMITTER_IDENT | sed "s/>.*/>/"',
  'git rev-parse --git-path hooks; ls -A "$(git rev-parse --git-path hooks)" 2>/dev/null | grep -v sample',
  'git submodule status --recursive',
  'git commit -q --allow-empty -m x; echo $?; git log -1 --format="%an <%ae> %G?"',
] as const;

const two = 'git init -q -b main repo; cd repo; echo 1 > a; git add -A; git commit -qm one; echo 2 > a; ';
const last = 'git add -A; git commit -qm two';
const lib =
  'git config --global protocol.file.allow always; git init -q -b main lib; (cd lib; echo 1 > v; git add -A; git commit -qm lib); ';
const venv =
  'mkdir -p src/calc; : > src/calc/__init__.py; echo .venv > .gitignore; python3 -m venv --without-pip .venv; P=$(ls -d .venv/lib/python*/site-packages); ';
const resolves = [`node -p 'require.resolve("pkg")'`, 'cat "$(node -p \'require.resolve("pkg")\')"'];
const workspace =
  'mkdir -p packages/pkg packages/app node_modules; echo node_modules > .gitignore; echo 1 > packages/pkg/index.js; ';

const kinds: Readonly<Record<string, Kind>> = {
  plain: { makes: `${two}git tag v1; ${last}; git branch other; git tag -a v2 -m v2` },
  'a remote': {
    makes: `git init -q --bare origin.git; ${two}git remote add origin ../origin.git; ${last}; git push -q origin main; git remote set-head origin main; git branch -u origin/main`,
    asks: ['git log --oneline origin/main..HEAD', 'git ls-remote origin', 'git rev-parse --abbrev-ref @{u}'],
    without: ['git remote; git remote get-url origin || true'],
  },
  'tags named like branches': {
    makes: `${two}git tag main; git tag side; ${last}; git branch side HEAD; git switch -q side`,
  },
  'npm workspaces': {
    makes: `${two}${workspace}ln -s ../packages/pkg node_modules/pkg; mkdir packages/app/node_modules; ln -s ../../../packages/pkg packages/app/node_modules/pkg; ${last}`,
    asks: [...resolves, `cd packages/app && ${resolves[0]}`],
  },
  'pnpm workspaces': {
    makes: `${two}${workspace}mkdir -p node_modules/.pnpm/x@1/node_modules/x node_modules/.bin; echo 3 > node_modules/.pnpm/x@1/node_modules/x/index.js; ln -s .pnpm/x@1/node_modules/x node_modules/x; ln -s "$PWD/packages/pkg" node_modules/pkg; printf '#!/bin/sh\\nexport NODE_PATH="%s/node_modules/.pnpm/node_modules"\\necho $NODE_PATH\\n' "$PWD" > node_modules/.bin/x; chmod +x node_modules/.bin/x; ${last}`,
    asks: [...resolves, `node -p 'require.resolve("x")'`, 'node_modules/.bin/x', 'readlink node_modules/pkg'],
  },
  'yarn plug and play, not tracked': {
    makes: `${two}printf '.yarn\\n.pnp.*\\n' > .gitignore; mkdir -p .yarn/cache; echo zip > .yarn/cache/x.zip; mkdir -p ../cache/x; echo global > ../cache/x/i; printf '%s' 'const at = {"packageLocation": "../cache/x/"}; module.exports = require("fs").readFileSync(require("path").join(__dirname, at.packageLocation, "i"), "utf8")' > .pnp.cjs; ${last}`,
    asks: ['cat .yarn/cache/x.zip', 'node -p \'require("./.pnp.cjs")\''],
  },
  'bun workspaces': {
    makes: `${two}${workspace}ln -s ../packages/pkg node_modules/pkg; mkdir -p packages/app/node_modules/y; echo 5 > packages/app/node_modules/y/index.js; ${last}`,
    asks: [...resolves, `cd packages/app && node -p 'require.resolve("y")'`],
  },
  'a venv with an editable install': {
    makes: `${two}${venv}echo "$PWD/src" > $P/__editable__.calc.pth; mkdir $P/calc.dist-info; echo "{\\"url\\": \\"file://$PWD\\"}" > $P/calc.dist-info/direct_url.json; printf '#!%s/.venv/bin/python\\nimport calc, sys; print(calc.__file__, sys.prefix)\\n' "$PWD" > .venv/bin/calc; chmod +x .venv/bin/calc; ${last}`,
    asks: [
      ".venv/bin/python -c 'import calc; print(calc.__file__)'",
      '.venv/bin/calc',
      'grep -rl "$FIRST" .venv',
    ],
  },
  'a venv that is activated, with a finder': {
    makes: `${two}${venv}echo "import __editable___calc_finder" > $P/__editable__.calc.pth; printf 'import sys\\nMAPPING = {"calc": "%s/src/calc"}\\nsys.path.insert(0, MAPPING["calc"][:-5])\\n' "$PWD" > $P/__editable___calc_finder.py; .venv/bin/python -B -c 'import calc'; ${last}`,
    asks: ["python -c 'import calc; print(calc.__file__)'", 'echo $VIRTUAL_ENV; command -v python'],
    env: (root) => ({ VIRTUAL_ENV: `${root}/.venv`, PATH: `${root}/.venv/bin:${process.env['PATH']}` }),
  },
  'an activated venv outside of the tree': {
    makes: `${two}mkdir -p src/calc; : > src/calc/__init__.py; python3 -m venv --without-pip ../venv; P=$(ls -d ../venv/lib/python*/site-packages); echo "$PWD/src" > $P/__editable__.calc.pth; ${last}`,
    env: (root) => ({ VIRTUAL_ENV: path.join(root, '../venv') }),
    leadsBack: ['venv'],
  },
  'husky 9': {
    makes: `${two}mkdir -p .husky/_; echo 'echo ran >&2' > .husky/pre-commit; echo '*' > .husky/_/.gitignore; printf '#!/bin/sh\\nsh "$(dirname "$0")/../pre-commit"\\n' > .husky/_/pre-commit; chmod +x .husky/_/pre-commit; ${last}; git config core.hooksPath .husky/_`,
    asks: ['git commit --allow-empty -qm hooked 2>&1'],
  },
  'husky 8': {
    makes: `${two}mkdir -p .husky/_; printf '#!/bin/sh\\n. "$(dirname "$0")/_/husky.sh"\\n' > .husky/pre-commit; chmod +x .husky/pre-commit; echo '*' > .husky/_/.gitignore; echo 'echo ran' > .husky/_/husky.sh; ${last}; git config core.hooksPath "$PWD/.husky"`,
    asks: ['git commit --allow-empty -qm hooked 2>&1'],
  },
  lefthook: {
    makes: `${two}mkdir -p node_modules/.bin; echo node_modules > .gitignore; printf '#!/bin/sh\\necho lefthook $0\\n' > node_modules/.bin/lefthook; chmod +x node_modules/.bin/lefthook; printf '#!/bin/sh\\nexec "$(git rev-parse --show-toplevel)/node_modules/.bin/lefthook"\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; ${last}`,
    asks: ['git commit --allow-empty -qm hooked 2>&1'],
  },
  'pre-commit': {
    makes: `${two}mkdir -p .venv/bin; : > .venv/pyvenv.cfg; echo .venv > .gitignore; printf '#!/bin/sh\\necho from "$0"\\n' > .venv/bin/python3; chmod +x .venv/bin/python3; ${last}; printf '#!/usr/bin/env bash\\nINSTALL_PYTHON=%s/.venv/bin/python3\\nexec "$INSTALL_PYTHON" -mpre_commit\\n' "$PWD" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
    asks: ['git commit --allow-empty -qm hooked 2>&1'],
  },
  'a submodule': {
    makes: `${lib}${two}git submodule -q add "$(dirname "$PWD")/lib" vendor/lib; ${last}`,
    asks: ['cat vendor/lib/v'],
  },
  'a submodule with a relative URL, and one in it': {
    makes: `${lib}git init -q -b main mid; (cd mid; git submodule -q add ../lib deep/lib; git commit -qm mid); git init -q --bare origin.git; ${two}git remote add origin "$(dirname "$PWD")/origin.git"; git submodule -q add ../mid mid; git submodule -q update --init --recursive; ${last}`,
    asks: ['cat mid/deep/lib/v'],
  },
  'a submodule that is dirty': {
    makes: `${lib}${two}git submodule -q add "$(dirname "$PWD")/lib" vendor/lib; ${last}; echo dirt > vendor/lib/new; git config status.submoduleSummary false`,
    asks: ['cat vendor/lib/v'],
    without: ['git status --porcelain'],
  },
  'a submodule that nobody has checked out': {
    makes: `${lib}${two}git submodule -q add "$(dirname "$PWD")/lib" vendor/lib; ${last}; git submodule -q deinit -f vendor/lib; rm -rf .git/modules`,
    lacks: [/submodule vendor\/lib is not checked out in your tree/],
  },
  'a submodule whose name leads to a folder of somebody else’s': {
    makes: `${lib}git clone -q --bare lib evil; ${two}printf '[submodule "../../../evil"]\\n\\tpath = sub\\n\\turl = x\\n' > .gitmodules; mkdir sub; git add -A; git update-index --add --cacheinfo "160000,$(git -C ../evil rev-parse HEAD),sub"; git commit -qm two`,
    lacks: [/submodule sub is not checked out in your tree/],
  },
  'git-lfs': {
    makes: `${two}git lfs install --local >/dev/null; git lfs track '*.bin' >/dev/null; head -c 100000 /dev/zero > b.bin; ${last}`,
    asks: [
      'wc -c < b.bin',
      'echo more > c.bin; git add c.bin; git cat-file -p :c.bin | head -1; git rm -qf c.bin',
    ],
    without: [
      'git rev-parse --git-path hooks; ls -A "$(git rev-parse --git-path hooks)" 2>/dev/null | grep -v sample',
    ],
  },
  'git-lfs whose content is gone': {
    makes: `${two}git lfs install --local >/dev/null; git lfs track '*.bin' >/dev/null; head -c 100000 /dev/zero > b.bin; ${last}; rm -rf .git/lfs/objects`,
    lacks: [/git-lfs storage lacks the content of b.bin/],
    without: [common[5]],
  },
  'a sparse cone': {
    makes: `${two}mkdir -p in/x out/y; echo 1 > in/x/f; echo 1 > out/y/f; ${last}; git sparse-checkout set --cone in`,
    asks: ['find . -name .git -prune -o -type f -print | sort', 'git ls-files -v'],
  },
  'a partial clone': {
    makes: `git init -q -b main full; (cd full; git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true; echo 1 > a; git add -A; git commit -qm one; echo 2 > a; git commit -qam two); git clone -q --filter=blob:none "file://$PWD/full" repo; cd repo`,
    asks: ['git show HEAD~1:a'],
  },
  'a shallow clone': {
    makes: `${two}${last}; cd ..; mv repo full; (cd full; git commit -q --allow-empty -m three); git clone -q --depth 2 "file://$PWD/full" repo; cd repo`,
    asks: ['git log --format=%s', 'git rev-parse HEAD~2 2>&1 | head -1'],
  },
  sha256: { makes: `${two.replace('-b main', '-b main --object-format=sha256')}${last}` },
  'an identity by folder': {
    makes: `printf '[includeIf "gitdir:%s/repo/"]\\n\\tpath = work.inc\\n' "$PWD" >> "$HOME/.gitconfig"; printf '[user]\\n\\tname = At Work\\n\\temail = w@example.invalid\\n' > "$HOME/work.inc"; ${two}${last}`,
  },
  'an identity by remote': {
    makes: `printf '[includeIf "hasconfig:remote.*.url:https://work.example/**"]\\n\\tpath = work.inc\\n' >> "$HOME/.gitconfig"; printf '[user]\\n\\tname = At Work\\n\\temail = w@example.invalid\\n' > "$HOME/work.inc"; ${two}git remote add origin https://work.example/a.git; ${last}`,
    asks: [
      'git config --get-all user.name | tail -1',
      'git push origin main 2>&1 | grep -c pawl-pushes-nothing || true',
    ],
    without: ['git push origin main 2>&1 | grep -c pawl-pushes-nothing || true'],
  },
  'settings of one working tree': {
    makes: `${two}${last}; git config extensions.worktreeConfig true; git config --worktree user.name "Only Here"; git config --worktree core.autocrlf input`,
    asks: ['git config core.autocrlf'],
  },
  'commits signed by ssh': {
    makes: `ssh-keygen -q -t ed25519 -N '' -f "$HOME/key"; echo "t@example.invalid $(cat "$HOME/key.pub")" > "$HOME/allowed"; ${two}git config gpg.format ssh; git config user.signingkey "$HOME/key.pub"; git config gpg.ssh.allowedSignersFile "$HOME/allowed"; git config commit.gpgsign true; ${last}`,
  },
  'commits signed by gpg': {
    makes: `mkdir -m 700 -p "$HOME/.gnupg"; gpg --batch -q --passphrase '' --quick-gen-key 'T <t@example.invalid>' default default never 2>/dev/null; ${two}git config user.signingkey t@example.invalid; git config commit.gpgsign true; ${last}`,
  },
  'a working tree of a bare repository': {
    makes: `${two}${last}; cd ..; git clone -q --bare repo store; rm -rf repo; git -C store config user.name Store; git -C store worktree add -q ../tree main; cd tree; git config core.hooksPath ../store/hooks`,
    at: 'tree',
    without: [
      'git rev-parse --git-path hooks; ls -A "$(git rev-parse --git-path hooks)" 2>/dev/null | grep -v sample',
    ],
  },
};

/** As a closed task is committed; returns the commit, and what it shows of its author, signature and files. */
async function commitWork(repo: Repo, parent: string) {
  writeFileSync(path.join(repo.root, 'work.txt'), `on ${parent}\n`);
  const index = path.join(repo.gitDir, 'pawl', 'index');
  const { tree } = await writeTree(repo, index, { rules: rules() });
  const commit = await commitTree(repo, { tree, parent, message: 'work\n', mark: 'PAWL_CHECK=r/commit' });
  if (!('oid' in commit)) throw new Error(commit.output);
  return { oid: commit.oid, shown: await repo.git(['log', '-1', '--format=%an <%ae> %G?', '--name-only']) };
}

test.each(share(Object.entries(kinds), 3))('%s', async (_, kind) => {
  using top = makeTempFolder();
  const folder = top.path;
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const base = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'file',
  };
  const sh = (cwd: string, command: string, env: Readonly<Record<string, string>>) =>
    execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
  const setUp =
    'set -e; git config --global user.name T; git config --global user.email t@example.invalid; git config --global init.defaultBranch main; ';
  sh(folder, setUp + kind.makes, base);
  const first = path.join(folder, kind.at ?? 'repo');
  const env = { ...base, ...kind.env?.(first) };
  const repo = await openRepo(first, depsOf(home, env));
  const [tip = '', before = tip] = (await repo.git(['rev-list', '--first-parent', 'HEAD'])).split('\n');
  const branch = sh(first, 'git symbolic-ref HEAD | cut -c12-', base).trim();
  const ground = await makeGround(repo, {
    folder: path.join(folder, 'grounds/x'),
    commit: before || tip,
    branch,
  });
  await ground.reset(tip);
  expect(ground.lacks).toEqual((kind.lacks ?? []).map((lack) => expect.stringMatching(lack)));
  const own = await commitWork(ground.repo, tip);
  await fetchRefs(repo, ground.repo, [`refs/heads/${branch}`]);
  await changeRefs(repo, 'land', [{ ref: `refs/heads/${branch}`, now: own.oid, old: tip }]);
  expect(await followBranch(repo, { from: tip, to: own.oid })).toEqual([]);
  const here = await commitWork(repo, own.oid);
  expect(here.shown).toBe(own.shown);
  await ground.reset(here.oid);
  expect(ground.leadsBack.map((name) => path.basename(name))).toEqual(kind.leadsBack ?? []);
  const asks = [...common.slice(0, -1), ...(kind.asks ?? []), ...common.slice(-1)];
  const script = asks
    .filter((ask) => !kind.without?.includes(ask))
    .map((ask) => `cat <<'END_OF_ASK'\n$ ${ask}\nEND_OF_ASK\n( ${ask}\n) 2>&1 || true\n`)
    .join('');
  const answer = (root: string, of: Readonly<Record<string, string>>) =>
    sh(root, script, of).replaceAll(root, 'ROOT');
  expect(answer(ground.root, ground.env(env))).toBe(answer(first, env));
  const named = sh(ground.root, `grep -rlF '${first}/' . --exclude-dir=.git || true`, base);
  expect(named).toBe('');
  await ground.drop();
});
