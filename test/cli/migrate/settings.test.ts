import { describe, expect, test } from 'vitest';
import { readRalphexConfig } from '../../../src/cli/migrate/read-folder.ts';
import { translateSetting } from '../../../src/cli/migrate/settings.ts';

/** What the line `key = value` becomes beside these others. */
function translate(key: string, value: string, others: Readonly<Record<string, string>> = {}) {
  const all: Readonly<Record<string, string>> = { ...others, [key]: value };
  const values = { get: (name: string) => all[name], home: '/home/ann', isProject: false };
  const { fate, set } = translateSetting(key, value, values);
  return set === undefined ? fate : [fate, set];
}

const script = { external_review_tool: 'custom', custom_review_script: '~/look.sh' };
const stages = (external: object) => ({
  'review.stages': ['first', { name: 'external', ...external }, 'final'],
});
const codex = { reviewers: ['external'], agent: 'codex', optional: true };

describe('a setting of ralphex becomes', () => {
  test.each([
    ['claude_command', '~/bin/claude', {}, ['taken', { 'agent.claude.command': '/home/ann/bin/claude' }]],
    [
      'claude_command',
      'x/gemini-as-claude.sh',
      {},
      ['taken', { 'agent.claude.command': 'x/gemini-as-claude.sh' }],
    ],
    [
      'claude_command',
      './mine',
      {},
      ['changed', { 'agent.claude.command': './mine', 'agent.claude.input': 'text' }],
    ],
    ['claude_command', 'claude', {}, 'not needed'],
    ['claude_args', '--dangerously-skip-permissions --print', {}, 'not needed'],
    [
      'claude_args',
      '--dangerously-skip-permissions --model=opus --add-dir "a b"',
      {},
      ['taken', { 'agent.claude.model': 'opus', 'agent.claude.args': ['--add-dir', 'a b'] }],
    ],
    ['claude_args', '--verbose', {}, ['changed', { 'agent.claude.permissions': 'dontAsk' }]],
    [
      'claude_args',
      '--permission-mode acceptEdits',
      {},
      ['changed', { 'agent.claude.permissions': 'acceptEdits' }],
    ],
    ['claude_args', '--permission-mode plan', {}, 'no counterpart'],
    ['claude_args', '--say "open', {}, 'no counterpart'],
    [
      'task_model',
      'opus:high',
      {},
      [
        'taken',
        {
          'roles.task': 'opus:high',
          'roles.plan': 'opus:high',
          'roles.review': 'opus:high',
          'roles.fix': 'opus:high',
        },
      ],
    ],
    ['task_model', 'opus', { plan_model: 'x', review_model: 'y' }, ['taken', { 'roles.task': 'opus' }]],
    ['review_model', ':low', {}, ['taken', { 'roles.review': ':low', 'roles.fix': ':low' }]],
    ['executor', 'codex', {}, ['taken', { 'agent.name': 'codex' }]],
    ['codex_model', 'gpt-5.5', {}, 'not needed'],
    ['codex_model', 'other', {}, ['taken', { 'agent.codex.model': 'other' }]],
    [
      'codex_sandbox',
      'workspace-write',
      { executor: 'codex' },
      ['taken', { 'agent.codex.sandbox': 'workspace-write' }],
    ],
    ['codex_enabled', 'false', {}, ['taken', { 'review.stages': ['first', 'final'] }]],
    ['external_review_tool', 'none', {}, ['taken', { 'review.stages': ['first', 'final'] }]],
    ['custom_review_script', '~/look.sh', script, ['taken', stages({ script: '/home/ann/look.sh' })]],
    ['custom_review_script', '~/look.sh', {}, 'not needed'],
    ['max_external_iterations', '4', {}, ['taken', stages({ ...codex, rounds: 4 })]],
    ['max_external_iterations', '4', { executor: 'codex' }, 'not needed'],
    [
      'finalize_enabled',
      'true',
      { 'prompts/finalize': 'Tidy.' },
      ['taken', { 'finalize.prompt': 'Do what is said above.' }],
    ],
    ['finalize_enabled', 'true', {}, ['changed', { 'finalize.squash': true }]],
    ['preserve_anthropic_api_key', 'true', {}, ['taken', { 'agent.claude.apiKey': 'keep' }]],
    ['move_plan_on_completion', 'false', {}, ['taken', { archive: false }]],
    ['task_retry_count', '0', {}, ['taken', { 'task.attempts': 1 }]],
    ['task_retry_count', 'many', {}, 'no counterpart'],
    ['max_iterations', '7', {}, ['changed', { 'budgets.maxSessions': 7 }]],
    ['session_timeout', '1h30m', {}, ['taken', { 'clocks.session': '90m' }]],
    ['session_timeout', '0s', {}, 'no counterpart'],
    ['idle_timeout', 'soon', {}, 'no counterpart'],
    ['wait_on_limit', '0s', {}, ['changed', { 'limits.maxWait': '0s' }]],
    ['wait_on_limit', '1h', {}, 'not needed'],
    ['commit_trailer', 'Co-Authored-By: Bo <b@x>', {}, ['taken', { 'commit.coAuthor': 'Bo <b@x>' }]],
    ['vcs_command', 'hg2git.sh', {}, 'no counterpart'],
    ['claude_limit_patterns', 'a,b', {}, 'not needed'],
    ['color_info', '#808080', {}, 'no counterpart'],
    ['taks_model', 'x', {}, 'no counterpart'],
    ['constructor', 'x', {}, 'no counterpart'],
    ['default_branch', '', {}, 'not needed'],
    [
      'notify_telegram_token',
      '1:a',
      { notify_channels: 'telegram', notify_telegram_chat: '@me' },
      ['changed', { 'notify.urls': ['tgram://1:a/%40me'] }],
    ],
    [
      'notify_slack_channel',
      '#dev',
      { notify_channels: 'slack', notify_slack_token: 'xoxb-1' },
      ['changed', { 'notify.urls': ['slack://xoxb-1/dev'] }],
    ],
    [
      'notify_channels',
      'webhook, custom',
      { notify_webhook_urls: 'https://a.org/x, http://b', notify_custom_script: '~/tell' },
      ['changed', { 'notify.urls': ['jsons://a.org/x', 'json://b', 'command: ~/tell'] }],
    ],
    [
      'notify_channels',
      'email',
      {
        notify_smtp_host: 'm.org',
        notify_smtp_username: 'u',
        notify_smtp_password: 'p@',
        notify_smtp_starttls: 'true',
        notify_email_from: 'a@b',
        notify_email_to: 'c@d',
      },
      ['changed', { 'notify.urls': ['mailtos://u:p%40@m.org?smtp=m.org&from=a%40b&to=c%40d'] }],
    ],
    ['notify_channels', 'telegram', {}, 'no counterpart'],
    ['notify_smtp_port', '25', {}, 'not needed'],
    [
      'notify_on_complete',
      'false',
      {},
      [
        'taken',
        {
          'notify.on': [
            'needs-input',
            'stuck',
            'failed',
            'budget',
            'limit',
            'agent-switched',
            'review',
            'crash',
          ],
        },
      ],
    ],
  ] as const)('%s = %s %j', (key, value, others, becomes) => {
    expect(translate(key, value, others)).toEqual(becomes);
  });
});

test('lines are read as ralphex reads them', () => {
  const text =
    '\uFEFF# note\r\n; note\na = 1\nb: "two = 2"\nc=\n a = 3 # no note\nno setting\n[other]\nd = 4\n';
  expect(readRalphexConfig(text)).toEqual([
    { key: 'a', value: '3 # no note', line: 6 },
    { key: 'b', value: 'two = 2', line: 4 },
    { key: 'c', value: '', line: 5 },
  ]);
});
