// The shipped image, built by pawl to its end, and the real CLI at work in it. It loads a gigabyte, so it is played only where
// it is asked for: BUILD_IMAGE=1.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { honest, letterPlan } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { reviewer } from '../helpers/review.ts';

const wanted = process.env['BUILD_IMAGE'] ?? '';

test.skipIf(wanted === '')(
  'an image is built once, and work is done and reviewed in it',
  { timeout: 1_800_000 },
  async () => {
    await using scene = await makeNight({
      cast: 'claude',
      plan: letterPlan('a', 'b', 'c'),
      turns: [...honest('a', 'b', 'c'), reviewer('quality', []), reviewer('testing', [])],
      env: {
        PAWL_AGENT_CLAUDE_COMMAND: 'claude',
        PAWL_SANDBOX_KIND: 'docker',
        PAWL_SANDBOX_AGENTS: '[gemini, opencode]',
        PAWL_SANDBOX_SETUP: `echo ${Date.now()} > /made-by-setup`,
        PAWL_REVIEW_STAGES: '[{name: one, reviewers: [quality, testing]}]',
      },
    });
    const ended = await scene.run();
    const doctor = await scene.pawl('doctor', '--verbose');
    const image = /docker, image (\S+)/.exec(doctor.stdout)?.[1] ?? '';
    try {
      expect(ended.exit, tell(ended)).toBe(0);
      expect(ended.stderr).toMatch(/does not exist yet[\s\S]*is built/);
      expect(await scene.repo.git('log', '--format=%s', 'plan')).toBe('Write c\nWrite b\nWrite a\nstart');
      expect(factsOf(ended, 'stage-ended').map(({ end }) => end)).toEqual(['clean']);
      expect(image).not.toBe('');
      for (const name of ['codex', 'gemini', 'opencode']) {
        Object.assign(scene.env, { PAWL_AGENT_NAME: name });
        expect((await scene.pawl('doctor', '--verbose')).stdout).toMatch(
          new RegExp(`${name} .*\\d in the image`),
        );
      }
      Object.assign(scene.env, { PAWL_AGENT_NAME: 'claude' });
      const again = await scene.run('--fresh');
      expect(again.stderr).not.toContain('does not exist yet');
    } finally {
      execFileSync('docker', ['rmi', image], { stdio: 'pipe' });
    }
  },
);
