// codex in both sandboxes: the real program on the scripted model, which is reached by the sandbox's own way out alone.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { honest, letterPlan } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { tell } from '../helpers/pawl.ts';
import { emptyImage, hostPrograms, makeEmptyImage } from '../helpers/sandbox-image.ts';

const program = path.join(import.meta.dirname, '..', '.agents', 'codex');
/** Where its settings lie in a container. */
const settings = '/opt/pawl/settings';
const kinds = [
  ...(has('a container engine (docker)') ? (['docker'] as const) : []),
  ...(has('bubblewrap (bwrap)') ? (['process'] as const) : []),
];

test.each(kinds)('codex works in the sandbox: %s', { timeout: 300_000 }, async (kind) => {
  await using scene = await makeNight({ cast: 'codex', plan: letterPlan('a', 'b'), turns: honest('a', 'b') });
  const env = scene.env as Record<string, string>;
  const url = new URL(scene.openModel?.url ?? '');
  const folder = env['CODEX_HOME'] ?? '';
  const own = realpathSync(program);
  const isDocker = kind === 'docker';
  if (isDocker) makeEmptyImage();
  const seen = isDocker ? settings : folder;
  Object.assign(env, {
    OPENAI_BASE_URL: `${url.origin}/v1`,
    PAWL_SANDBOX_KIND: kind,
    PAWL_SANDBOX_ALLOW: url.host,
    PAWL_SANDBOX_ENV: `CODEX_HOME=${seen}`,
    ...(isDocker ? { PAWL_SANDBOX_IMAGE: emptyImage } : {}),
    PAWL_SANDBOX_MOUNTS: isDocker
      ? hostPrograms(`${own}:/opt/bin/codex`, `${folder}:${settings}:rw`)
      : JSON.stringify([path.dirname(own), `${folder}:${folder}:rw`]),
    PAWL_AGENT_CODEX_COMMAND: isDocker ? 'codex' : own,
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(storyOf(ended)).toEqual(['done', '1 checked', 'done', '2 checked']);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  await expectNoProcess(scene);
});
