// What the settings of ralphex (c36bfdc) become, as a table by key. Pure.
import { judgeValue } from '../../config/layer.ts';
import { findKey } from '../../config/setting-keys.ts';

/** `prompts/finalize` is set if a person wrote that prompt. */
export type RalphexValues = ReadonlyMap<string, string>;

/** Settings of pawl by name, or a text: why there are none. */
export type Translated = Readonly<Record<string, unknown>> | string;

type Rule = (value: string, all: RalphexValues) => Translated;

const isTrue = (value = '') => /^(?:1|t|true|y|yes|on)$/i.test(value);
const as =
  (...names: readonly string[]): Rule =>
  (value) =>
    Object.fromEntries(names.map((name) => [name, value]));
const stages: Rule = (_, all) => ({ 'review.stages': reviewStages(all) });

const rules: Readonly<Record<string, Rule>> = {
  claude_command: as('agent.claude.command'),
  claude_args: (value) => {
    if (/["'\\]/.test(value)) return 'it has quotes: put the words into agent.claude.args yourself';
    const words = value.split(/\s+/).filter((word) => word !== '');
    const left = words.filter((word) => !own.has(word));
    // pawl's default is to permit everything.
    const asks = words.includes('--dangerously-skip-permissions')
      ? {}
      : { 'agent.claude.permissions': 'dontAsk' };
    const made = { ...asks, ...(left.length > 0 ? { 'agent.claude.args': left } : {}) };
    return Object.keys(made).length > 0 ? made : 'pawl itself gives these options';
  },
  plan_model: as('roles.plan'),
  task_model: (value, all) => ({
    'roles.task': value,
    ...(all.get('plan_model') ? {} : { 'roles.plan': value }),
    ...(all.get('review_model') ? {} : { 'roles.review': value, 'roles.fix': value }),
  }),
  review_model: as('roles.review', 'roles.fix'),
  executor: (value) => ({ 'agent.name': value === 'codex' ? 'codex' : 'claude' }),
  codex_command: as('agent.codex.command'),
  codex_model: (value, all) => {
    const effort = all.get('codex_reasoning_effort');
    return { 'agent.codex.model': effort ? `${value}:${effort}` : value };
  },
  codex_reasoning_effort: (value, all) =>
    all.get('codex_model') ? 'it is written behind codex_model' : { 'agent.codex.model': `:${value}` },
  codex_enabled: stages,
  external_review_tool: stages,
  custom_review_script: stages,
  max_external_iterations: stages,
  finalize_enabled: (value, all) =>
    !isTrue(value)
      ? 'it is the default'
      : all.has('prompts/finalize')
        ? { 'finalize.prompt': 'Do what is said above.' }
        : { 'finalize.squash': true },
  preserve_anthropic_api_key: (value) => ({ 'agent.claude.apiKey': isTrue(value) ? 'keep' : 'drop' }),
  move_plan_on_completion: (value) => ({ archive: isTrue(value) }),
  task_retry_count: (value) => ({ 'task.attempts': Number(value) + 1 }),
  max_iterations: (value) => ({ 'budgets.maxSessions': Number(value) }),
  session_timeout: as('clocks.session'),
  idle_timeout: as('clocks.silence'),
  commit_trailer: (value) => {
    const [, name] = /^co-authored-by:\s*(.+)$/i.exec(value) ?? [];
    return name ? { 'commit.coAuthor': name } : 'of trailers pawl writes only Co-Authored-By, and its own';
  },
  use_worktree: () => 'it is an option of each run: pawl run PLAN --worktree',
  plans_dir: () => 'new plans are written to docs/plans; name others by their path',
  vcs_command: () => 'pawl works with git only',
  default_branch: () =>
    'a run is reviewed from the commit it began at; for a branch: pawl review --base NAME',
};

const own = new Set([
  ...['--verbose', '--print', '-p', '--dangerously-skip-permissions'],
  ...['--output-format', '--input-format', 'stream-json', 'text'],
]);

/** Of ralphex, in any version: having them in a file is no decision. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  claude_command: ['claude'],
  codex_command: ['codex'],
  codex_model: ['gpt-5.2-codex', 'gpt-5.3-codex', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol'],
  codex_reasoning_effort: ['high', 'xhigh'],
  codex_enabled: ['true'],
  external_review_tool: ['codex'],
  task_retry_count: ['1'],
  max_iterations: ['50'],
  max_external_iterations: ['0'],
  plans_dir: ['docs/plans'],
  vcs_command: ['git'],
};

/** A value that pawl would refuse becomes a text. */
export function translateSetting(key: string, value: string, all: RalphexValues): Translated {
  if (key.startsWith('notify_'))
    return 'messages leave this machine: put notify.urls into your own settings (docs/messages.md)';
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (!rule) return 'pawl has nothing for it, or does it by itself';
  if (value === '') return 'it has no value';
  if (defaults[key]?.includes(value)) return 'it is ralphex’s default; pawl has its own';
  const made = rule(value, all);
  if (typeof made === 'string') return made;
  const [problem] = Object.entries(made).flatMap(([name, each]) => {
    const setting = findKey(name);
    const judged = setting && judgeValue(setting, each, { layer: 'project' });
    return judged && 'text' in judged ? [judged.text] : [];
  });
  return problem === undefined ? made : `pawl does not take the value: ${problem}`;
}

/** ralphex always reviews, but no other agent looks at work by codex. */
export function reviewStages(all: RalphexValues): readonly unknown[] {
  const tool = all.get('external_review_tool') ?? 'codex';
  const script = all.get('custom_review_script');
  const isNone = all.get('executor') === 'codex' || all.get('codex_enabled') === 'false' || tool === 'none';
  if (isNone || (tool === 'custom' && !script)) return ['first', 'final'];
  const rounds = Number(all.get('max_external_iterations') ?? 0);
  const bound = rounds > 0 ? { rounds } : {};
  if (tool === 'custom') return ['first', { name: 'external', script, ...bound }, 'final'];
  const external = { name: 'external', reviewers: ['external'], agent: 'codex', optional: true, ...bound };
  return ['first', rounds > 0 ? external : 'external', 'final'];
}
