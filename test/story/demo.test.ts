// `pawl demo`: the main job on a throw-away repository, scripted by default and labelled so; with the real CLI on request.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { expectExit, factsOf, makeScene, oldestNode, startPawl } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const folderOf = (output: string) => /^Its repository: (\S+)$/m.exec(output)?.[1] ?? '';

test('scripted, on the oldest Node: says so, shows a red check and a second attempt, and leaves nothing', async () => {
  const version = execFileSync(oldestNode, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
  expect(manifest.engines.node).toBe(`>=${version}`);
  await using scene = await makeScene({ turns: [] });
  // What the environment sets is not for the demo: it would start an agent that costs.
  const env = { ...scene.env, PAWL_AGENT_NAME: 'codex', PAWL_ROLES_TASK: 'codex:gpt' };
  const on = { cwd: scene.repo.path, env, node: oldestNode };
  const ended = await startPawl(['demo'], on).ended;
  expect(ended.stderr).toBe('');
  expect(ended.exit).toBe(0);
  expect(ended.stdout).toContain('The agent is a script, not a model');
  expect(ended.stdout).toMatch(/✗ .*wrap\.test\.js[\s\S]*Attempt 2/);
  expect(ended.stdout).toContain('2 of 2 tasks proven');
  expect(ended.stdout).toMatch(/F1 confirmed[\s\S]*Round 2[\s\S]*quality found nothing/);
  expect(folderOf(ended.stdout)).not.toBe('');
  expect(existsSync(folderOf(ended.stdout))).toBe(false);
});

inSoak('--keep leaves the repository, in which pawl works on', async () => {
  await using scene = await makeScene({ turns: [] });
  const ended = await expectExit(0, scene.pawl('demo', '--keep'));
  const folder = folderOf(ended.stdout);
  expect(ended.stdout).toContain(`The repository is kept: cd ${folder}`);
  expect(existsSync(`${folder}/docs/plans/completed/text-library.md`)).toBe(true);
  const there = (...args: string[]) => startPawl(args, { cwd: folder, env: scene.env }).ended;
  await expectExit(0, there('doctor', '--verbose'));
  expect((await there('undo', '2', '--with-later')).exit).toBe(0);
  const again = await expectExit(0, there('run', '--json'));
  expect(factsOf(again, 'task-closed')).toMatchObject([{ task: '2', proof: 'proven' }]);
  await rm(folder, { recursive: true });
});
