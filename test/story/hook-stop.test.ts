// `pawl hook stop` in the real Claude Code and codex: sent back twice with what is red, then let go in words; and work that is right
// is not held up.
import { execFile } from 'node:child_process';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { claudePath } from '../helpers/claude-home.ts';
import { expectExit, makeScene, pawlProgram, putPrograms } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const stopHook = { claude: '.claude/settings.json', codex: '.codex/hooks.json' } as const;

/** One task of the agent's with the hook installed, in a repository whose check is red without `word.txt`. */
async function work(cast: 'claude' | 'codex', turns: readonly Turn[]) {
  await using scene = await makeScene({
    cast,
    turns,
    files: {
      'check.sh': 'cat word.txt && test "$(cat word.txt)" = right\n',
      '.pawl/config.yaml': 'checks: [sh check.sh]\n',
    },
  });
  const { repo } = scene;
  const codexHome = scene.env['CODEX_HOME'] ?? scene.home;
  await putPrograms(scene.env, path.join(path.dirname(codexHome), 'bin'), { pawl: pawlProgram() });
  const installed = await expectExit(0, scene.pawl('hook', 'install', cast));
  expect(installed.stdout).toContain('pawl hook stop');
  expect(installed.stderr).toContain('pawl trust --yes');
  expect((await scene.pawl('hook', 'install', cast)).exit).toBe(0);
  const settings = JSON.parse(await readFile(path.join(repo.path, stopHook[cast]), 'utf8'));
  expect(settings.hooks.Stop).toHaveLength(1);
  await repo.commit('the hook');
  const trusted = await scene.pawl('trust', '--yes');
  const [program = '', ...args] = await commandOf(cast, { codexHome, root: repo.path, env: scene.env });
  const running = promisify(execFile)(program, args, { cwd: repo.path, env: scene.env });
  running.child.stdin?.end();
  const { stdout: output } = await running;
  const folder = path.join(scene.home, '.local/state/pawl/hooks');
  const [journal = ''] = await readdir(folder).catch(() => []);
  const kept = journal === '' ? '[]' : await readFile(path.join(folder, journal), 'utf8');
  const decisions = (JSON.parse(kept) as { decision: string }[]).map(({ decision }) => decision);
  return { output, decisions, trusted, status: await repo.git('status', '--porcelain') };
}

async function commandOf(
  cast: 'claude' | 'codex',
  {
    codexHome,
    root,
    env,
  }: Readonly<{ codexHome: string; root: string; env: Readonly<Record<string, string>> }>,
): Promise<readonly string[]> {
  if (cast === 'claude') {
    const options = ['--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'];
    return [claudePath, '-p', 'Write the word.', ...options];
  }
  const trust = `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`;
  await appendFile(path.join(codexHome, 'config.toml'), trust);
  const options = ['--json', '-s', 'danger-full-access', '--dangerously-bypass-hook-trust'];
  return [env['PAWL_AGENT_CODEX_COMMAND'] ?? '', 'exec', ...options, 'Write the word.'];
}

test.each(share(['claude', 'codex'] as const, 2))(
  '%s is sent back twice with the evidence, then let go in words',
  async (cast) => {
    const { output, decisions, trusted } = await work(cast, [
      { when: 'Write the word', steps: [{ bash: 'echo wrong > word.txt' }, { say: 'It is done.' }] },
    ]);
    expect(decisions, `${trusted.stderr}\n${output}`).toEqual(['block', 'block', 'allow']);
    if (cast === 'claude') expect(output).toContain('the checks are red in a clean checkout.\\n\\nwrong');
  },
);

test('work that is right is not held up', async () => {
  const { decisions, status, output } = await work('claude', [
    { when: 'Write the word', steps: [{ bash: 'echo right > word.txt' }, { say: 'It is done.' }] },
  ]);
  expect(decisions, output).toEqual(['allow']);
  expect(status).toBe('?? word.txt');
});

test('in a repository that nobody has trusted, or with a sandbox set, it runs none of its programs', async () => {
  const files = { '.pawl/config.yaml': 'checks: ["true"]\n', 'a.txt': 'a\n' };
  await using scene = await makeScene({ turns: [], files });
  const { repo } = scene;
  await repo.git('config', 'filter.trap.clean', 'touch .git/sprung; cat');
  await repo.write('.gitattributes', '* filter=trap\n');
  await repo.write('a.txt', 'b\n');
  const untrusted = await scene.pawl('hook', 'stop');
  expect(untrusted.stdout).toContain('trusted');
  expect(await repo.exists('.git/sprung')).toBe(false);
  await scene.pawl('trust', '--yes');
  scene.env['PAWL_SANDBOX_KIND'] = 'docker';
  expect((await scene.pawl('hook', 'stop')).stdout).toContain('sandbox.kind is docker');
  expect(await repo.exists('.git/sprung')).toBe(false);
  scene.env['PAWL_SANDBOX_KIND'] = 'none';
  await scene.pawl('hook', 'stop');
  expect(await repo.exists('.git/sprung')).toBe(true);
});
