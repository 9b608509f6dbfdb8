import { describe, expect, test } from 'vitest';
import { readRalphexConfig } from '../../../src/cli/migrate/read-folder.ts';
import { translateSetting } from '../../../src/cli/migrate/settings.ts';

const stages = (external: object) => ({
  'review.stages': ['first', { name: 'external', ...external }, 'final'],
});
const codex = { reviewers: ['external'], agent: 'codex', optional: true };
const script = { external_review_tool: 'custom', custom_review_script: './look.sh' };

describe('a setting of ralphex becomes', () => {
  test.each<[string, string, Readonly<Record<string, string>>, unknown]>([
    ['claude_command', './mine', {}, { 'agent.claude.command': './mine' }],
    ['claude_command', 'claude', {}, expect.stringContaining('default')],
    ['claude_args', '--dangerously-skip-permissions --verbose', {}, expect.stringContaining('itself')],
    [
      'claude_args',
      '--verbose --add-dir ../x',
      {},
      { 'agent.claude.permissions': 'dontAsk', 'agent.claude.args': ['--add-dir', '../x'] },
    ],
    ['claude_args', '--say "open', {}, expect.stringContaining('quotes')],
    [
      'task_model',
      'opus:high',
      { review_model: 'y' },
      { 'roles.task': 'opus:high', 'roles.plan': 'opus:high' },
    ],
    ['review_model', ':low', {}, { 'roles.review': ':low', 'roles.fix': ':low' }],
    ['codex_model', 'gpt-5.5', {}, expect.stringContaining('default')],
    ['codex_enabled', 'false', {}, { 'review.stages': ['first', 'final'] }],
    ['external_review_tool', 'none', {}, { 'review.stages': ['first', 'final'] }],
    ['custom_review_script', './look.sh', script, stages({ script: './look.sh' })],
    ['max_external_iterations', '4', {}, stages({ ...codex, rounds: 4 })],
    [
      'finalize_enabled',
      'true',
      { 'prompts/finalize': 'Tidy.' },
      { 'finalize.prompt': 'Do what is said above.' },
    ],
    ['finalize_enabled', 'true', {}, { 'finalize.squash': true }],
    ['move_plan_on_completion', 'false', {}, { archive: false }],
    ['task_retry_count', '0', {}, { 'task.attempts': 1 }],
    ['task_retry_count', 'many', {}, expect.stringContaining('does not take')],
    ['session_timeout', '90m', {}, { 'clocks.session': '90m' }],
    ['idle_timeout', 'soon', {}, expect.stringContaining('does not take')],
    ['commit_trailer', 'Co-Authored-By: Bo <b@x>', {}, { 'commit.coAuthor': 'Bo <b@x>' }],
    ['notify_slack_token', 'xoxb-1', {}, expect.stringContaining('notify.urls')],
    ['constructor', 'x', {}, expect.any(String)],
  ])('%s = %s %j', (key, value, others, becomes) => {
    expect(translateSetting(key, value, new Map(Object.entries({ ...others, [key]: value })))).toEqual(
      becomes,
    );
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
