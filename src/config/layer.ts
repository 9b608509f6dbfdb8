// One source of settings: keys, values, and where each is written.

import type { z } from 'zod';
import { acpNames } from '../agent-name.ts';
import { nearest } from '../nearest.ts';
import { type Key, keys } from './setting-keys.ts';

/** In order of precedence. */
export const layerNames = ['flag', 'environment', 'plan', 'project', 'user', 'default'] as const;

export type LayerName = (typeof layerNames)[number];

/** `file`: a path, or a flag's or variable's name; lines and columns from 1. */
export type Origin = Readonly<{ layer: LayerName; file?: string; line?: number; column?: number }>;

/** Valid, as people write it. */
export type LayerSetting = Readonly<{ key: string; value: unknown; origin: Origin }>;

export type Problem = Readonly<{ origin: Origin; text: string }>;

export type SettingsLayer = Readonly<{ settings: readonly LayerSetting[]; problems: readonly Problem[] }>;

const wanted: Readonly<Record<Key['kind'], string>> = {
  text: 'text',
  list: 'a list of texts',
  map: 'a map, as in YAML: {name: value}',
  number: 'a number',
  switch: 'true or false',
  choice: 'one of',
  time: 'a time with its unit, e.g. 90s, 10m or 4h',
};

function formatKind(key: Key): string {
  return key.kind === 'choice' ? `one of ${key.choices.join(', ')}` : wanted[key.kind];
}

export function judgeValue(key: Key, value: unknown, origin: Origin): LayerSetting | Problem {
  const result = key.schema.safeParse(value);
  if (result.success && value !== undefined) return { key: key.name, value, origin };
  const got = key.secret ? 'this' : typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
  const [issue] = result.error?.issues.filter(({ path }) => path.length === 0) ?? [];
  return {
    origin,
    text: `${key.name} takes ${formatKind(key)}${boundOf(issue, value)}, not ${got}. ${key.meaning}`,
  };
}

/** As the rest of a sentence. */
function boundOf(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  if (issue?.code === 'invalid_format') return issue.message === wanted.time ? '' : ` ${issue.message}`;
  if (issue?.code === 'invalid_type' && issue.expected === 'int') return ' without a fraction';
  if (issue?.code !== 'too_small' || typeof value !== 'number') return '';
  return `, ${issue.message.replace(/^.*expected number to be /, '')}`;
}

export function formatUnknownKey(name: string): string {
  const instead = replacementOf(name);
  if (instead !== undefined) return `there is no setting ${name} any more: ${instead}`;
  const all = keys.map((key) => key.name);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const sameEnd = all.filter((key) => key.endsWith(`.${last}`));
  const meant = nearest(name, [...sections(), ...all]) ?? (sameEnd.length === 1 ? sameEnd[0] : undefined);
  return `there is no setting ${name}${meant ? `; did you mean ${meant}?` : ''}`;
}

export function makeLayer(judged: readonly (LayerSetting | Problem)[]): SettingsLayer {
  return {
    settings: judged.filter((one): one is LayerSetting => 'key' in one),
    problems: judged.filter((one): one is Problem => 'text' in one),
  };
}

function sections(): string[] {
  const found = keys.flatMap(({ name }) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(found)];
}

/** Removed, because they have one right value. */
const fixedForAll = new Set([
  ...['task.correctUnder', 'task.cutOffs', 'task.repeats', 'replans', 'rescue.include', 'review.jobs'],
  ...['clocks.tool', 'clocks.firstEvent', 'clocks.api', 'clocks.trial', 'clocks.git', 'clocks.commit'],
  ...['limits.near', 'limits.backoff', 'limits.backoffs', 'carry.every', 'carry.patience', 'journal.keep'],
  ...['fleet.heartbeat', 'fleet.minDiskGb', 'sandbox.pids', 'sandbox.cpus'],
]);

/** A name that ends in a dot stands for all below it. */
const removed: Readonly<Record<string, string>> = {
  'fleet.account':
    'machines share no money and no usage window; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.share': 'machines share no money; `--max-cost` and `budgets.day` cap what each spends',
  'fleet.labels': 'a worker takes what `fleet.repos` allows',
  'fleet.patience': 'no session asks the database any more',
  allowUnchecked: '`require: unchecked` says it',
  'agent.claude.effort': 'write it behind the model: `agent.claude.model: opus:high`',
  'agent.codex.effort': 'write it behind the model: `agent.codex.model: gpt-5:high`',
  'agent.codex.protocol': 'pawl speaks with the app server; update codex if it has none',
  'agent.codex.sandbox': '`sandbox.kind: process` confines every agent',
  'sandbox.dockerfile': 'build it yourself, and name the image: `sandbox.image`',
  'sandbox.buildNetwork': 'build the image yourself, and name it: `sandbox.image` (docker/README.md)',
  'commit.allow': '`commit.include` names them',
  'commit.maxFileMb': 'it is ten; `commit.include` names files that may be larger',
  'limits.startBelow': 'a session that meets the limit is waited for, and continued',
  'fleet.key': 'plans of one repository and base branch run one after another',
  'telemetry.endpoint': 'set OTEL_EXPORTER_OTLP_ENDPOINT',
  'carry.namespace': 'runs are carried under refs/pawl/',
  replanPolicy: 'a planner may not weaken the plan; edit the plan yourself',
  'roles.replan': '`roles.plan` is the model of re-planning, too',
  'commit.author': 'set GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, or git config user.name',
  keepAwake: 'a run keeps the machine awake where the system can',
  updateNotice: 'your package manager tells of newer versions',
  ...Object.fromEntries(
    acpNames.map((name) => [
      `agent.${name}.`,
      `write it as agents: { ${name}: { command, args, env, mode, model } }`,
    ]),
  ),
  'agent.roleFallback.': 'agent.fallback is the list for all roles',
};

function replacementOf(name: string): string | undefined {
  if (fixedForAll.has(name)) return 'it is the same for everybody';
  const found = Object.keys(removed).find((each) =>
    each.endsWith('.') ? `${name}.`.startsWith(each) : name === each,
  );
  return found === undefined ? undefined : removed[found];
}
