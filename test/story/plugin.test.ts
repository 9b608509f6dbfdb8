// The plugin for Claude Code, by the real CLI and without a network: valid, installed from a folder such as the npm package
// is, and switched off in the sessions that pawl starts.
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { plainClaude } from '../agent/session/session-setup.ts';
import { claudeEnvironment, claudePath } from '../helpers/claude-home.ts';
import { inSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Programs of a home where nothing answers: each call must do without a network. */
function makeCli(home: string) {
  const env = claudeEnvironment({ home, apiUrl: 'http://127.0.0.1:9', auth: 'key' });
  return {
    run: async (...words: string[]) =>
      (await promisify(execFile)(claudePath, words, { env, cwd: home })).stdout,
    /** What a session tells of itself before it asks the model. */
    begin: async (words: readonly string[]) => {
      const child = spawn(claudePath, words, { env, cwd: home, stdio: ['pipe', 'pipe', 'ignore'] });
      const message = { type: 'user', message: { role: 'user', content: 'Hello.' } };
      child.stdin.end(`${JSON.stringify(message)}\n`);
      for await (const line of createInterface(child.stdout)) {
        const told = JSON.parse(line) as { subtype?: string; skills?: readonly string[] };
        if (told.subtype !== 'init') continue;
        child.kill('SIGKILL');
        return told.skills?.filter((name) => name.startsWith('pawl:'));
      }
      throw new Error('the session told nothing of itself');
    },
  };
}

inSoak('the plugin is valid, can be installed, and a session of pawl has none of its skills', async () => {
  using home = makeTempFolder();
  const cli = makeCli(home.path);
  for (const what of [root, path.join(root, 'claude')])
    expect(await cli.run('plugin', 'validate', '--strict', what)).toContain('Validation passed');
  await cli.run('plugin', 'marketplace', 'add', root);
  await cli.run('plugin', 'install', 'pawl@pawl');
  expect(JSON.parse(await cli.run('plugin', 'list', '--json'))).toMatchObject([
    { id: 'pawl@pawl', enabled: true },
  ]);
  const own = ['--print', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  expect(await cli.begin(own)).toEqual(['pawl:adopt', 'pawl:look', 'pawl:plan', 'pawl:run']);
  const { args } = plainClaude({ command: claudePath }).command({ promptFile: '', trusted: true });
  expect(await cli.begin(args)).toEqual([]);
});
