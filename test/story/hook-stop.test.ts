// `pawl hook stop` in the real Claude Code: sent back twice with what is red, then let go in words; and work that is right
// is not held up.
import { execFile } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { builtFile } from '../helpers/built-pawl.ts';
import { claudePath } from '../helpers/claude-home.ts';
import { makeScene } from '../helpers/pawl.ts';

/** One `claude -p` with the hook installed, in a repository whose check is red without `word.txt`. */
async function work(turns: readonly Turn[]) {
  await using scene = await makeScene({
    cast: 'claude',
    turns,
    files: {
      'check.sh': 'cat word.txt && grep -qx right word.txt\n',
      '.pawl/config.yaml': 'checks: [sh check.sh]\n',
    },
  });
  const { repo } = scene;
  const bin = path.join(scene.home, 'bin');
  await repo.write('.git/bin/pawl', `#!/bin/sh\nexec '${process.execPath}' '${builtFile('main')}' "$@"\n`);
  await chmod(path.join(repo.path, '.git/bin/pawl'), 0o755);
  const installed = await scene.pawl('hook', 'install', 'claude');
  expect(installed.exit, installed.stderr).toBe(0);
  expect(installed.stdout).toContain('pawl hook stop');
  expect((await scene.pawl('hook', 'install', 'claude')).exit).toBe(0);
  const settings = JSON.parse(await readFile(path.join(repo.path, '.claude/settings.json'), 'utf8'));
  expect(settings.hooks.Stop).toHaveLength(1);
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'the hook');
  const trusted = await scene.pawl('trust', '--yes');
  const env = {
    ...scene.env,
    PATH: `${path.join(repo.path, '.git/bin')}:${bin}:${scene.env['PATH'] ?? process.env['PATH']}`,
  };
  const args = [
    '-p',
    'Write the word.',
    '--dangerously-skip-permissions',
    '--output-format',
    'stream-json',
    '--verbose',
  ];
  const running = promisify(execFile)(claudePath, args, { cwd: repo.path, env });
  running.child.stdin?.end();
  const { stdout: output } = await running;
  const folder = path.join(scene.home, '.local/state/pawl/hooks');
  const [journal = ''] = await readdir(folder).catch(() => []);
  const kept = journal === '' ? '' : await readFile(path.join(folder, journal), 'utf8');
  const decisions = kept
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { decision: string }).decision);
  return { output, decisions, trusted, status: await repo.git('status', '--porcelain') };
}

test('sent back twice with the evidence, then let go in words', async () => {
  const { output, decisions, trusted } = await work([
    { when: 'Write the word', steps: [{ bash: 'echo wrong > word.txt' }, { say: 'It is done.' }] },
  ]);
  expect(decisions, `${trusted.stderr}\n${output}`).toEqual(['block', 'block', 'allow']);
  expect(output).toContain('the checks are red in a clean checkout.\\n\\nwrong');
});

test('work that is right is not held up', async () => {
  const { decisions, status, output } = await work([
    { when: 'Write the word', steps: [{ bash: 'echo right > word.txt' }, { say: 'It is done.' }] },
  ]);
  expect(decisions, output).toEqual(['allow']);
  expect(status).toBe('?? word.txt');
});
