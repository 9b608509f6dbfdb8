// Whether reviewers and planners get a read-only tree: not where an agent's own files lie in it, nor where the mount fails.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CliContext } from '../../../src/start/context.ts';
import { findReadOnlySpawn, judgeBwrap, keepsFilesIn } from '../../../src/start/sandbox/find-read-only.ts';
import { eachWorld } from '../../cli/world.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

function makeGround() {
  const temp = makeTempFolder();
  const root = path.join(temp.path, 'tree');
  const home = path.join(temp.path, 'home');
  const link = path.join(temp.path, 'link');
  mkdirSync(path.join(root, '.git'), { recursive: true });
  mkdirSync(path.join(home, '.config'), { recursive: true });
  symlinkSync(root, link);
  const tree = { root, gitDir: path.join(root, '.git'), commonDir: path.join(root, '.git') };
  return { tree, root, home, link, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

type Ground = ReturnType<typeof makeGround>;

const rows: readonly [string, (ground: Ground) => Record<string, string>, boolean][] = [
  ['all elsewhere', () => ({ TMPDIR: '/tmp', CODEX_HOME: '/nowhere' }), false],
  ['HOME is the tree', ({ root }) => ({ HOME: root }), true],
  ['HOME is a link to the tree', ({ link }) => ({ HOME: link }), true],
  ['HOME lies behind a link, not made yet', ({ link }) => ({ HOME: path.join(link, 'a/b') }), true],
  ['CODEX_HOME', ({ root }) => ({ CODEX_HOME: path.join(root, '.codex') }), true],
  ['CLAUDE_CONFIG_DIR', ({ root }) => ({ CLAUDE_CONFIG_DIR: path.join(root, '.claude') }), true],
  ['XDG_STATE_HOME', ({ root }) => ({ XDG_STATE_HOME: path.join(root, 'state') }), true],
  ['TMPDIR', ({ root }) => ({ TMPDIR: path.join(root, 'tmp') }), true],
  ['a neighbour whose name begins alike', ({ root }) => ({ TMPDIR: `${root}-tmp` }), false],
  ['what nobody writes to', ({ root }) => ({ PATH: root, PWD: root, OLDPWD: root }), false],
  ['a link of the home', (ground) => addLink(ground, '.claude'), true],
  ['a link of the home’s settings', (ground) => addLink(ground, '.config/opencode'), true],
];

function addLink({ root, home }: Ground, name: string): Record<string, string> {
  symlinkSync(path.join(root, '.git'), path.join(home, name));
  return {};
}

test.each(rows)('own files in the tree: %s', (_name, vary, wanted) => {
  using ground = makeGround();
  expect(keepsFilesIn(ground.tree, { HOME: ground.home, ...vary(ground) })).toBe(wanted);
});

describe('bubblewrap is asked', () => {
  test.each([
    ['with the run’s own folders', 'exit 0', true],
    ['and fails for one of them', 'case " $* " in *" --ro-bind $TREE $TREE "*) exit 1;; esac', false],
  ])('%s', async (_name, script, wanted) => {
    using ground = makeGround();
    const bin = path.join(ground.home, 'bin');
    mkdirSync(bin);
    const text = `#!/bin/sh\necho "$*" > ${ground.home}/asked\n${script}\n`;
    writeFileSync(path.join(bin, 'bwrap'), text, { mode: 0o755 });
    const env = { HOME: ground.home, PATH: `${bin}:/usr/bin:/bin`, TREE: ground.root };
    const given = { platform: 'linux', env, cwd: ground.home, signal: new AbortController().signal };
    const spawn = await findReadOnlySpawn(given as unknown as CliContext, ground.tree);
    expect(spawn !== undefined).toBe(wanted);
  });
});

describe('where bubblewrap makes no sandbox, a run is refused in plain words', () => {
  const world = eachWorld();
  test.each([
    ['on another system', '', 'darwin', /^--sandbox process needs bubblewrap, which runs on Linux only$/],
    ['without it', '', 'linux', /bubblewrap was not found/],
    [
      'where the system forbids it, with its own words',
      'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
      'linux',
      /^bubblewrap cannot create a sandbox here: bwrap: setting up uid map: Permission denied$/,
    ],
    ['and is not where it works', 'exit 0', 'linux', undefined],
  ] as const)('%s', async (_, bwrap, platform, message) => {
    if (bwrap !== '') world.program('bwrap', bwrap);
    const judged = judgeBwrap(world.context({ env: { PATH: world.bin }, platform }));
    if (message === undefined) return judged;
    const failure = { code: 'environment', message: expect.stringMatching(message) };
    return expect(judged).rejects.toMatchObject({ ...failure, hint: expect.stringMatching(/docker/) });
  });
});
