// The CLI's environment inherits nothing that could reach a real account or a network.
import { expect, test } from 'vitest';
import { claudeEnvironment } from './claude-home.ts';
import { makeTempFolder } from './temp-folder.ts';

test("the CLI's environment is its own", async () => {
  using home = makeTempFolder();
  process.env['CLAUDE_CODE_TEST_LEAK'] = 'x';
  process.env['ANTHROPIC_API_KEY'] = 'real';
  process.env['https_proxy'] = 'http://127.0.0.1:9';
  try {
    const given = { home: home.path, apiUrl: 'http://127.0.0.1:1' };
    const key = claudeEnvironment({ ...given, auth: 'key' });
    const oauth = claudeEnvironment({ ...given, auth: 'oauth' });
    expect(key).toMatchObject({
      HOME: home.path,
      ANTHROPIC_BASE_URL: given.apiUrl,
      ANTHROPIC_API_KEY: 'dummy',
    });
    expect(oauth).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: 'dummy' });
    for (const name of ['CLAUDE_CODE_TEST_LEAK', 'https_proxy']) expect(key).not.toHaveProperty([name]);
    expect(oauth).not.toHaveProperty('ANTHROPIC_API_KEY');
  } finally {
    delete process.env['CLAUDE_CODE_TEST_LEAK'];
    delete process.env['ANTHROPIC_API_KEY'];
    delete process.env['https_proxy'];
  }
});
