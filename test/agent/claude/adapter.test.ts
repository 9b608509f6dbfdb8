import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgeLogin } from '../../../src/agent/claude/adapter.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const temp = makeTempFolder();
const home = temp.path;
const loggedIn = path.join(home, 'logged-in');
mkdirSync(path.join(loggedIn, '.claude'), { recursive: true });
writeFileSync(path.join(loggedIn, '.claude/.credentials.json'), '');
afterAll(() => temp[Symbol.dispose]());

const key = { ANTHROPIC_API_KEY: 'k' };
const oauth = { CLAUDE_CODE_OAUTH_TOKEN: 't' };
const ofKey = 'API account of ANTHROPIC_API_KEY';
const left = '; ANTHROPIC_API_KEY is set and left out';

type Row = [env: Record<string, string>, apiKey: 'auto' | 'keep' | 'drop', dropped: boolean, billing: string];

test.each<Row>([
  [{}, 'auto', false, 'no login found'],
  [{ ANTHROPIC_API_KEY: '' }, 'auto', false, 'no login found'],
  [key, 'auto', false, ofKey],
  [key, 'keep', false, ofKey],
  [key, 'drop', true, `no login found${left}`],
  [oauth, 'auto', true, 'subscription of CLAUDE_CODE_OAUTH_TOKEN'],
  [{ ...key, ...oauth }, 'auto', true, `subscription of CLAUDE_CODE_OAUTH_TOKEN${left}`],
  [{ ...key, ...oauth }, 'keep', false, ofKey],
  [{ ...key, ANTHROPIC_AUTH_TOKEN: 't' }, 'auto', true, `account of ANTHROPIC_AUTH_TOKEN${left}`],
  [{ ...key, ANTHROPIC_AUTH_TOKEN: 't' }, 'keep', false, 'account of ANTHROPIC_AUTH_TOKEN'],
  [{ ...key, CLAUDE_CODE_USE_BEDROCK: '1' }, 'keep', false, 'Amazon Bedrock'],
  [{ CLAUDE_CODE_USE_BEDROCK: 'false', CLAUDE_CODE_USE_VERTEX: '1' }, 'auto', true, 'Google Vertex AI'],
  [{ CLAUDE_CODE_USE_FOUNDRY: 'true' }, 'auto', true, 'Microsoft Foundry'],
  [{ ...key, ANTHROPIC_BASE_URL: 'https://u:p@gate:84/x' }, 'auto', false, `${ofKey}, by way of gate:84`],
  [{ ...key, ANTHROPIC_BASE_URL: 'https://api.anthropic.com' }, 'auto', false, ofKey],
])('%j with apiKey %s', (env, apiKey, dropped, billing) => {
  const judged = judgeLogin(apiKey, { env, home, platform: 'linux' });
  expect([judged.dropsKey, judged.billing]).toEqual([dropped, billing]);
});

test('a login kept by Claude Code is found in the home and in CLAUDE_CONFIG_DIR', () => {
  const kept = { isFound: true, dropsKey: true, billing: `login kept by Claude Code${left}` };
  const at = (env: Record<string, string>, folder: string) =>
    judgeLogin('auto', { env, home: folder, platform: 'linux' });
  expect(at(key, loggedIn)).toEqual(kept);
  expect(at({ ...key, CLAUDE_CONFIG_DIR: path.join(loggedIn, '.claude') }, home)).toEqual(kept);
  expect(at({ CLAUDE_CONFIG_DIR: '/nowhere' }, loggedIn).isFound).toBe(false);
});

test('on a Mac the keychain may hold a login: said, and the key is kept', () => {
  const onMac = (env: Record<string, string>) => judgeLogin('auto', { env, home, platform: 'darwin' });
  expect(onMac({}).billing).toBe('no login found in sight; the keychain may hold one');
  expect(onMac(key).dropsKey).toBe(false);
});

test('no secret’s value is in what was found', () => {
  const env = {
    ANTHROPIC_API_KEY: 'sekret',
    CLAUDE_CODE_OAUTH_TOKEN: 'sekret',
    ANTHROPIC_AUTH_TOKEN: 'sekret',
    ANTHROPIC_BASE_URL: 'https://a:sekret@b',
  };
  expect(JSON.stringify(judgeLogin('auto', { env, home, platform: 'linux' }))).not.toContain('sekret');
});
