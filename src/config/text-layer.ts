// Settings given as text: `PAWL_*` variables and `--set key=value`.
import { parse } from 'yaml';
import { defined } from '../defined.ts';
import { nearest } from '../nearest.ts';
import { orElse } from '../or-else.ts';
import type { Plan } from '../plan/plan.ts';
import {
  formatUnknownKey,
  judgeValue,
  type LayerSetting,
  makeLayer,
  type Origin,
  type Problem,
  type SettingsLayer,
} from './layer.ts';
import { readModel } from './schema.ts';
import { findKey, type Key, keys } from './setting-keys.ts';

/** What pawl sets for the processes it starts, and its debug log. */
const reserved = new Set([
  ...['PAWL_SESSION', 'PAWL_CHECK', 'PAWL_WATCHDOG', 'PAWL_PORT_OFFSET'],
  ...['PAWL_DEBUG', 'PAWL_FLEET_JOB', 'PAWL_FORGE_TOKEN'],
]);

/** `agent.claude.apiKey` is `PAWL_AGENT_CLAUDE_API_KEY`. Messages' addresses contain secrets, and are usually set so. */
export function envName(key: string): string {
  if (key === 'notify.urls') return 'PAWL_NOTIFY';
  const words = key
    .split('.')
    .map((part) => part.replaceAll('-', '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
  return `PAWL_${words.join('_').toUpperCase()}`;
}

const byVariable = new Map(keys.map((key) => [envName(key.name), key]));

export function isSetting(variable: string): boolean {
  return variable.startsWith('PAWL_') && !reserved.has(variable);
}

/** An empty variable sets nothing; an unknown `PAWL_*` is a problem. */
export function readEnvLayer(env: Readonly<Record<string, string | undefined>>): SettingsLayer {
  const judged = Object.entries(env).flatMap(([name, text]): (LayerSetting | Problem)[] => {
    if (!isSetting(name) || text === undefined || text === '') return [];
    const origin: Origin = { layer: 'environment', file: name };
    const key = byVariable.get(name);
    if (key) return [judgeValue(key, readText(key, text), origin)];
    const meant = nearest(name, [...byVariable.keys()]);
    return [{ origin, text: `this variable names no setting${meant ? `; did you mean ${meant}?` : ''}` }];
  });
  return makeLayer(judged);
}

export type Flag = Readonly<{ flag: string; key: string; text: string }>;

/** Flags of their own take precedence over `--set`. */
export function readFlagLayer(flags: readonly Flag[], sets: readonly string[] = []): SettingsLayer {
  return makeLayer([
    ...sets.map(readSet),
    ...flags.map(({ flag, key, text }) => judgeText(key, text, { layer: 'flag', file: flag })),
  ]);
}

function readSet(word: string): LayerSetting | Problem {
  const origin: Origin = { layer: 'flag', file: '--set' };
  const at = word.indexOf('=');
  if (at < 1) return { origin, text: `“${word}” is not key=value` };
  return judgeText(word.slice(0, at).trim(), word.slice(at + 1), origin);
}

function judgeText(name: string, text: string, origin: Origin): LayerSetting | Problem {
  const key = findKey(name);
  return key ? judgeValue(key, readText(key, text), origin) : { origin, text: formatUnknownKey(name) };
}

function readText(key: Key, text: string): unknown {
  const trimmed = text.trim();
  if (key.kind === 'string' || key.kind === 'enum' || key.kind === 'time') return trimmed;
  if (key.kind === 'boolean') return { true: true, false: false, '1': true, '0': false }[trimmed] ?? trimmed;
  if (key.kind === 'number') return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (trimmed.startsWith('[') || key.kind === 'record') return orElse(() => parse(trimmed), trimmed);
  return trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

type Settings = Plan['settings'];
type Judged = LayerSetting | Problem;

const settingOf: Readonly<Record<string, string>> = {
  attempts: 'task.attempts',
  require: 'require',
  branch: 'branch',
  review: 'review.stages',
};

/** `model` and `effort` are its task sessions', unless `roles` says it. */
export function readPlanLayer(settings: Settings, file: string): SettingsLayer {
  const judge = (name: string | undefined, value: unknown, word: string, part = ''): readonly Judged[] => {
    if (name === undefined) return [];
    const entry = settings.get(word);
    const { line, column } = entry?.inner?.get(part) ?? entry?.place ?? {};
    const origin: Origin = { layer: 'plan', file, ...defined({ line, column }) };
    const key = findKey(name);
    return [key ? judgeValue(key, value, origin) : { origin, text: formatUnknownKey(name) }];
  };
  const word = settings.has('model') ? 'model' : 'effort';
  const value = settings.get(word)?.value;
  const model = word === 'model' ? value : '';
  const effort = settings.get('effort')?.value;
  const lacksEffort = typeof model === 'string' && readModel(model).effort === undefined;
  const task = lacksEffort && typeof effort === 'string' ? `${model}:${effort}` : value;
  const ofTasks = settings.has(word) ? judge('roles.task', task, word) : [];
  const others = [...settings].flatMap(([key, entry]) =>
    key === 'roles' || key === 'budgets'
      ? partsOf(entry.value ?? {}).flatMap(([part, one]) => judge(`${key}.${part}`, one, key, part))
      : judge(settingOf[key], entry.value, key),
  );
  return makeLayer([...ofTasks, ...others]);
}

/** What is no map is a part that no setting is. */
function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return value instanceof Object ? Object.entries(value) : [[String(value), value]];
}
