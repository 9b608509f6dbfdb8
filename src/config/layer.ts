// One source of settings: keys, values, and where each is written; several merged; and the caps of a run from all.
import path from 'node:path';
import type { z } from 'zod';
import { acpNames } from '../agent-name.ts';
import { isBelow } from '../below.ts';
import { defined } from '../defined.ts';
import { parseDuration } from '../duration.ts';
import type { BudgetName, Cap, Caps } from '../event/caps.ts';
import { nearest } from '../nearest.ts';
import { findKey, type Key, keys, sections } from './setting-keys.ts';

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
  string: 'text',
  array: 'a list of texts',
  record: 'a map, as in YAML: {name: value}',
  number: 'a number',
  boolean: 'true or false',
  enum: 'one of',
  time: 'a time with its unit, e.g. 90s, 10m or 4h',
};

export function judgeValue(key: Key, value: unknown, origin: Origin): LayerSetting | Problem {
  const result = key.schema.safeParse(value);
  if (result.success && value !== undefined) return { key: key.name, value, origin };
  const kind = `${wanted[key.kind]} ${key.choices.join(', ')}`.trimEnd();
  const got = key.secret ? 'this' : typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
  const [issue] = result.error?.issues.filter(({ path }) => path.length === 0) ?? [];
  return {
    origin,
    text: `${key.name} takes ${kind}${boundOf(issue, value)}, not ${got}. ${key.meaning}`,
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
  const replacement = Object.entries(instead).find(([each]) => `${name}.`.startsWith(`${each}.`))?.[1];
  if (replacement !== undefined) return `there is no setting ${name}: ${replacement}`;
  const all = keys.map((key) => key.name);
  const below = all.filter((key) => key.startsWith(`${name}.`));
  if (below.length > 0) return `${name} is a group of settings: ${below.join(', ')}`;
  const last = name.slice(name.lastIndexOf('.') + 1);
  const sameEnd = all.filter((key) => key.endsWith(`.${last}`));
  const meant = nearest(name, [...sections, ...all]) ?? sameEnd.join(' or ');
  return `there is no setting ${name}${meant ? `; did you mean ${meant}?` : ''}`;
}

export function makeLayer(judged: readonly (LayerSetting | Problem)[]): SettingsLayer {
  return {
    settings: judged.filter((one): one is LayerSetting => 'key' in one),
    problems: judged.filter((one): one is Problem => 'text' in one),
  };
}

/** What replaces a setting that was removed, or that people try. */
const instead: Readonly<Record<string, string>> = {
  allowUnchecked: '`require: unchecked` says it',
  'agent.claude.effort': 'write it behind the model: `agent.claude.model: opus:high`',
  'agent.codex.sandbox': '`sandbox.kind: process` confines every agent',
  'agent.codex.effort': 'write it behind the model: `agent.codex.model: gpt-5:high`',
  'agent.roleFallback': 'agent.fallback is the list for all roles',
  'commit.allow': '`commit.include` names them',
  'commit.author': 'set GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, or git config user.name',
  'commit.maxFileMb': 'it is ten; `commit.include` names files that may be larger',
  'fleet.account': '`--max-cost` and `budgets.day` cap what each machine spends',
  'fleet.labels': 'a worker takes what `fleet.repos` allows',
  'fleet.share': '`--max-cost` and `budgets.day` cap what each machine spends',
  'roles.replan': '`roles.plan` is the model of re-planning, too',
  'sandbox.buildNetwork': 'build the image yourself, and name it: `sandbox.image`',
  'sandbox.dockerfile': 'build it yourself, and name the image: `sandbox.image`',
  'telemetry.endpoint': 'set OTEL_EXPORTER_OTLP_ENDPOINT',
  ...Object.fromEntries(
    acpNames.map((name) => [
      `agent.${name}`,
      `write it as agents: { ${name}: { command, args, env, mode, model } }`,
    ]),
  ),
};

/** `notices`: about settings that lost. */
export type Merged = Readonly<{ settings: ReadonlyMap<string, LayerSetting>; notices: readonly string[] }>;

export function mergeSettings(all: readonly LayerSetting[]): Merged {
  const settings = new Map<string, LayerSetting>();
  const notices: string[] = [];
  for (const key of keys) {
    const found = lastOfEachLayer(all.filter((setting) => setting.key === key.name));
    const first = found[0];
    if (!first) continue;
    const winner = key.tightens ? found.reduce((a, b) => (sizeOf(key, b) < sizeOf(key, a) ? b : a)) : first;
    settings.set(key.name, winner);
    if (winner !== first) {
      notices.push(
        `${key.name} ${String(first.value)} (${formatOrigin(first.origin)}) is looser than ${String(winner.value)} ` +
          `(${formatOrigin(winner.origin)}); budgets only tighten, so ${String(winner.value)} holds`,
      );
    }
  }
  return { settings, notices };
}

export function nest(settings: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of settings) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let at = root;
    for (const part of parts) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return root;
}

/** Such as `--set`, `PAWL_BRANCH`, `/home/a/.config/pawl/config.yaml:3`. */
export function formatOrigin(origin: Origin): string {
  if (origin.file === undefined) return origin.layer;
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}

function lastOfEachLayer(found: readonly LayerSetting[]): LayerSetting[] {
  const byLayer = new Map<LayerName, LayerSetting>(found.map((setting) => [setting.origin.layer, setting]));
  return layerNames.flatMap((name) => byLayer.get(name) ?? []);
}

/** Times are in milliseconds. */
function sizeOf(key: Key, { value }: LayerSetting): number {
  if (key.kind === 'time') return parseDuration(String(value)) ?? Number.POSITIVE_INFINITY;
  return Number(value);
}

export const budgetKeys: Readonly<Record<BudgetName, string>> = {
  cost: 'budgets.maxCost',
  day: 'budgets.day',
  tokens: 'budgets.maxTokens',
  time: 'budgets.maxTime',
  sessions: 'budgets.maxSessions',
};

/** Files below `root` are named relative to it. */
export function readCaps(all: readonly LayerSetting[], root: string): Caps {
  const { asked = [], settings = [] } = Object.groupBy(all, ({ origin }) =>
    origin.layer === 'flag' ? 'asked' : 'settings',
  );
  return { settings: capsOf(settings, root), asked: capsOf(asked, root) };
}

function capsOf(settings: readonly LayerSetting[], root: string): readonly Cap[] {
  const merged = mergeSettings(settings).settings;
  return Object.entries(budgetKeys).flatMap(([budget, name]) => {
    const [key, setting] = [findKey(name), merged.get(name)];
    if (!key || !setting) return [];
    return [{ budget: budget as BudgetName, cap: sizeOf(key, setting), from: placeOf(setting, root) }];
  });
}

function placeOf({ origin }: LayerSetting, root: string): string {
  const { file } = origin;
  const inside = file !== undefined && isBelow(file, root) ? path.relative(root, file) : file;
  return formatOrigin({ ...origin, ...defined({ file: inside }) });
}
