// Other agents than Claude Code in both sandboxes: the real programs on the scripted model, which is reached by the sandbox's
// own way out alone. Those over ACP in a soak, where they are in test/.agents.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AcpCast, acpPath, installedCasts } from '../helpers/acp-home.ts';
import { honest, letterPlan } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, type Scene } from '../helpers/pawl.ts';
import { emptyImage, hostPrograms, makeEmptyImage } from '../helpers/sandbox-image.ts';
import { isSoak, share } from '../helpers/share.ts';

const program = path.join(import.meta.dirname, '..', '.agents', 'codex');
/** Where codex's settings lie in a container. */
const settings = '/opt/pawl/settings';
const kinds = [
  ...(has('a container engine (docker)') ? (['docker'] as const) : []),
  ...(has('bubblewrap (bwrap)') ? (['process'] as const) : []),
];
type Kind = (typeof kinds)[number];

/** What is seen inside, beside the usual: `at`, programs and settings. */
const confine = (scene: Scene, kind: Kind, at: readonly string[]) => {
  if (kind === 'docker') makeEmptyImage();
  Object.assign(scene.env, {
    PAWL_SANDBOX_KIND: kind,
    PAWL_SANDBOX_ALLOW: new URL(scene.openModel?.url ?? '').host,
    PAWL_SANDBOX_MOUNTS: kind === 'docker' ? hostPrograms(...at) : JSON.stringify(at),
    ...(kind === 'docker' ? { PAWL_SANDBOX_IMAGE: emptyImage } : {}),
  });
};

describe.each(share(kinds, 2))('in the sandbox: %s', (kind) => {
  test('codex works', async () => {
    await using scene = await makeNight({
      ...{ cast: 'codex', plan: letterPlan('a', 'b'), turns: honest('a', 'b') },
    });
    const env = scene.env;
    const folder = env['CODEX_HOME'] ?? '';
    const own = realpathSync(program);
    const isDocker = kind === 'docker';
    const seen = isDocker ? settings : folder;
    confine(scene, kind, [isDocker ? `${own}:/opt/bin/codex` : path.dirname(own), `${folder}:${seen}:rw`]);
    Object.assign(env, {
      PAWL_SANDBOX_ENV: `CODEX_HOME=${seen}`,
      PAWL_AGENT_CODEX_COMMAND: isDocker ? 'codex' : own,
    });
    await expectWork(scene);
  });

  test('a fallback whose program is not there is told before anything is done', async () => {
    await using scene = await makeNight({ cast: 'codex', plan: letterPlan('a') });
    const isDocker = kind === 'docker';
    confine(scene, kind, isDocker ? [`${realpathSync(program)}:/opt/bin/codex`] : []);
    Object.assign(scene.env, {
      ...(isDocker ? { PAWL_AGENT_CODEX_COMMAND: 'codex' } : {}),
      PAWL_AGENT_FALLBACK: 'qwen',
      PAWL_AGENTS: '{qwen: {command: no-such-agent}}',
    });
    const ended = await expectExit(7, scene.run());
    expect(ended.stderr).toMatch(
      /no-such-agent (was not found|is missing in the image)[\s\S]*agent\.fallback/,
    );
    expect(ended.events).toEqual([]);
  });

  test.runIf(isSoak).each(installedCasts)('%s works', async (cast) => {
    await using scene = await makeNight({ cast, plan: letterPlan('a', 'b') });
    // The empty image has no certificates, without which copilot takes no proxy.
    const certificates = kind === 'docker' ? ['/etc/ssl'] : [];
    confine(scene, kind, [packagesOf(cast), ...settingsOf(cast, scene), ...certificates]);
    scene.env[`PAWL_AGENT_${cast.toUpperCase()}_COMMAND`] = realpathSync(acpPath(cast));
    await expectWork(scene);
  });
});

async function expectWork(scene: Scene): Promise<void> {
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['done', '1 proven', 'done', '2 proven']);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  await expectNoProcess(scene);
}

/** The folder of all packages that belong to the program. */
function packagesOf(cast: AcpCast): string {
  const real = realpathSync(acpPath(cast));
  return real.slice(0, real.indexOf('/node_modules/') + '/node_modules'.length);
}

/** The home inside is an empty one: who has settings in a file is shown it, the file alone, since others are written beside it. */
function settingsOf(cast: AcpCast, { home }: Scene): readonly string[] {
  const file = { opencode: '.config/opencode/opencode.json', kimi: '.kimi-code/config.toml' }[cast as string];
  return file === undefined ? [] : [`${home}/${file}:/home/pawl/${file}`];
}
