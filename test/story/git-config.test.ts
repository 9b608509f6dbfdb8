// A stranger's git config: nothing that it names is run by a command of pawl's before a person trusts the repository, also
// where the config came with a clone as plain files.
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { honest, letterPlan } from '../helpers/letters.ts';
import { makeScene, type Scene, startPawl } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const attributes = '*.txt filter=ev diff=ev merge=ev\n*.md filter=ev diff=ev\n';

async function makeClone(): Promise<Scene> {
  const scene = await makeScene({
    plan: letterPlan('a'),
    turns: honest('a'),
    files: {
      '.gitattributes': attributes,
      'a.txt': 'one\n',
      evil: '#!/bin/sh\necho "$*" >>"$SPRUNG"\ncat\n',
    },
  });
  Object.assign(scene.env, { SPRUNG: path.join(scene.home, 'sprung') });
  return scene;
}

const sprung = ({ home }: Scene) => readFile(path.join(home, 'sprung'), 'utf8').catch(() => '');

/** Same size, another time: git has to read it through the filter. */
async function stir({ repo }: Scene): Promise<void> {
  await repo.write('a.txt', 'two\n');
  await repo.write('README.md', '# A repository for a test.');
}

const commands = [
  ['doctor'],
  ['run', 'docs/plans/plan.md', '--dry-run'],
  ['run', 'docs/plans/plan.md', '--dry-run', '--worktree'],
  ['run', 'docs/plans/plan.md'],
  ['review', '--report-only'],
  ['plan', 'x', '--yes'],
  ['lint'],
  ['status'],
  ['clean', '--dry-run'],
];

describe('programs of .git/config', () => {
  test.each(share(commands, 4).map((words) => [words]))('pawl %j runs none', async (words) => {
    await using scene = await makeClone();
    const { repo } = scene;
    const evil = path.join(repo.path, 'evil');
    for (const key of [
      'filter.ev.clean',
      'filter.ev.smudge',
      'filter.e=v.process',
      'diff.ev.textconv',
      'diff.external',
      'core.fsmonitor',
      'core.sshCommand',
    ])
      await repo.git('config', key, evil);
    await repo.git('config', 'filter.ev.required', 'true');
    await stir(scene);
    const ended = await scene.pawl(...words);
    expect(ended.exit, ended.stderr).not.toBe(70);
    expect(await sprung(scene)).toBe('');
  });

  test('and they do run once it is trusted', async () => {
    await using scene = await makeClone();
    await scene.repo.git('config', 'filter.ev.clean', path.join(scene.repo.path, 'evil'));
    await scene.pawl('trust', '--yes');
    await stir(scene);
    await scene.pawl('doctor');
    expect(await sprung(scene)).not.toBe('');
  });
});

describe('a repository that lies in a clone as plain files', () => {
  test.each(
    share(commands, 8)
      .filter(([word]) => word !== 'lint')
      .map((words) => [words]),
  )('pawl %j in its folder obeys the outer one', async (words) => {
    await using scene = await makeClone();
    const { repo } = scene;
    const folder = path.join(repo.path, 'docs/plans');
    for (const name of ['HEAD', 'objects', 'refs', 'index'])
      await cp(path.join(repo.path, '.git', name), path.join(folder, name), { recursive: true });
    const evil = path.join(repo.path, 'evil');
    await repo.write(
      'docs/plans/config',
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../../\n[filter "ev"]\n\tclean = ${evil}\n`,
    );
    await stir(scene);
    const inside = words.map((word) => word.replace('docs/plans/', ''));
    const ended = await startPawl(inside, { cwd: folder, env: scene.env }).ended;
    expect(ended.exit, ended.stderr).not.toBe(70);
    expect(await sprung(scene)).toBe('');
  });
});
