// What each setting of ralphex (c36bfdc) becomes in pawl, as a table by key. Pure.

import { judgeValue } from '../../config/layer.ts';
import { findKey } from '../../config/setting-keys.ts';
import { parseDuration } from '../../duration.ts';
import { translateCommand, translateCommandArgs } from './command-settings.ts';
import { notifyRules } from './notify-settings.ts';
import { reviewRules } from './review-settings.ts';
import {
  changed,
  isTrue,
  missing,
  notNeeded,
  type Rule,
  type Translated,
  taken,
  type Values,
} from './translated.ts';

const stream = notNeeded(
  'pawl reads the agent’s events, with reset times and error codes, instead of its words',
);
const colours = missing('colors are fixed; NO_COLOR=1 turns them off');

const rules: Readonly<Record<string, Rule>> = {
  claude_command: translateCommand,
  claude_args: translateCommandArgs,
  plan_model: (value) => taken({ 'roles.plan': value }),
  task_model: (value, all) => {
    const also = (key: string, roles: readonly string[]) => (all.get(key) ? [] : roles);
    const roles = ['roles.task', ...also('plan_model', ['roles.plan']), ...also('review_model', reviewRoles)];
    return taken(Object.fromEntries(roles.map((role) => [role, value])));
  },
  review_model: (value) => taken(Object.fromEntries(reviewRoles.map((role) => [role, value]))),
  executor: (value) => taken({ 'agent.name': value === 'codex' ? 'codex' : 'claude' }),
  pass_claude_md: () =>
    notNeeded('pawl passes the repository’s guide on to agents that do not read it themselves'),
  codex_command: (value) => taken({ 'agent.codex.command': value }),
  codex_model: (value) => taken({ 'agent.codex.model': value }),
  codex_reasoning_effort: (value) => taken({ 'agent.codex.effort': value }),
  codex_timeout_ms: () => notNeeded('clocks.session (4h) and clocks.silence (10m) hold for reviewers too'),
  codex_sandbox: (value, all) =>
    value === 'workspace-write' && all.get('executor') === 'codex'
      ? taken({ 'agent.codex.sandbox': value })
      : notNeeded('reviewers cannot write, and `--sandbox docker` or `process` confines sessions that may'),
  ...reviewRules,
  preserve_anthropic_api_key: (value) => taken({ 'agent.claude.apiKey': isTrue(value) ? 'keep' : 'drop' }),
  move_plan_on_completion: (value) => taken({ archive: isTrue(value) }),
  use_worktree: (value) =>
    isTrue(value)
      ? missing('it is an option of each run: pawl run PLAN --worktree')
      : notNeeded('it is the default'),
  iteration_delay_ms: () => notNeeded('pawl waits until a session’s processes are gone, not for a time'),
  task_retry_count: (value) =>
    taken(
      { 'task.attempts': Number(value) + 1 },
      'sessions in all, each with up to task.corrections (2) besides',
    ),
  max_iterations: (value) =>
    changed({ 'budgets.maxSessions': Number(value) }, 'it counts sessions of reviewers and fixers too'),
  session_timeout: (value) => clock('clocks.session', value),
  idle_timeout: (value) => clock('clocks.silence', value),
  plans_dir: (value) =>
    value.replace(/^\.\/|\/$/g, '') === 'docs/plans'
      ? notNeeded('it is the default')
      : missing('new plans are written to docs/plans; name others by their path: pawl run PATH'),
  default_branch: () =>
    notNeeded('a run is reviewed from the commit it began at; for a branch: pawl review --base NAME'),
  watch_dirs: () => notNeeded('pawl web shows the runs of all repositories'),
  vcs_command: (value) =>
    value === 'git' ? notNeeded('it is the default') : missing('pawl works with git only'),
  git_backend: () => notNeeded('pawl runs git itself'),
  commit_trailer: (value) => {
    const [, name] = /^co-authored-by:\s*(.+)$/i.exec(value) ?? [];
    return name
      ? taken({ 'commit.coAuthor': name })
      : missing('of trailers pawl writes only Co-Authored-By (commit.coAuthor), and its own');
  },
  wait_on_limit: (value) =>
    goDuration(value) === 0
      ? changed({ 'limits.maxWait': '0s' }, 'pawl stops at a limit, with exit code 6, and can be resumed')
      : notNeeded('pawl waits for the reset time that the agent names, up to limits.maxWait (6h)'),
  ...notifyRules,
};

const reviewRoles = ['roles.review', 'roles.fix'];

/** Default values of ralphex, in any of its versions: having them in a file is not a decision. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  claude_command: ['claude'],
  claude_args: ['--dangerously-skip-permissions --output-format stream-json --verbose'],
  codex_command: ['codex'],
  codex_model: ['gpt-5.2-codex', 'gpt-5.3-codex', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol'],
  codex_reasoning_effort: ['high', 'xhigh'],
  codex_sandbox: ['read-only'],
  codex_enabled: ['true'],
  external_review_tool: ['codex'],
  iteration_delay_ms: ['2000'],
  task_retry_count: ['1'],
  max_iterations: ['50'],
  max_external_iterations: ['0'],
  review_patience: ['0'],
  plans_dir: ['docs/plans'],
  vcs_command: ['git'],
  notify_on_error: ['true'],
  notify_on_complete: ['true'],
  notify_timeout_ms: ['10000'],
};

/** What one setting becomes. A value that pawl would refuse is missing, with the reason. */
export function translateSetting(key: string, value: string, all: Values): Translated {
  if (/^(claude|codex)_(error|limit|retry)_patterns$/.test(key)) return stream;
  if (key.startsWith('color_')) return colours;
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (!rule) return missing('ralphex has no such setting');
  if (value === '') return notNeeded('it has no value');
  if (defaults[key]?.includes(value)) return notNeeded('it is ralphex’s default; pawl has its own');
  const made = rule(value, all);
  const problem = Object.entries(made.set ?? {}).flatMap(([name, each]) => problemOf(name, each))[0];
  return problem === undefined ? made : missing(`pawl does not take the value: ${problem}`);
}

function problemOf(name: string, value: unknown): readonly string[] {
  const key = findKey(name);
  if (!key) return [`there is no setting ${name}`];
  const judged = judgeValue(key, value, { layer: 'project' });
  return 'text' in judged ? [judged.text] : [];
}

function clock(name: string, value: string): Translated {
  const ms = goDuration(value);
  if (ms === undefined) return missing('it is not a time');
  if (ms > 0) return taken({ [name]: formatTime(ms) });
  return missing(`${name} cannot be turned off; it is ${findKey(name)?.default as string} by default`);
}

/** Milliseconds of a Go duration: `1h30m`. */
function goDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const parts = text.match(/\d+(?:\.\d+)?(?:ms|h|m|s)/g) ?? [];
  if (parts.length === 0 || parts.join('') !== text) return undefined;
  return parts.reduce((sum, part) => sum + (parseDuration(part) ?? 0), 0);
}

function formatTime(ms: number): string {
  const unit = (
    [
      ['h', 3_600_000],
      ['m', 60_000],
      ['s', 1_000],
    ] as const
  ).find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}
