// Merges layers into one configuration. Budgets only get tighter.

import path from 'node:path';
import { isBelow } from '../below.ts';
import { defined } from '../defined.ts';
import { parseDuration } from '../duration.ts';
import type { BudgetName, Cap, Caps } from '../event/caps.ts';
import { type LayerName, type LayerSetting, layerNames, type Origin } from './layer.ts';
import { findKey, type Key, keys } from './setting-keys.ts';

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
export function sizeOf(key: Key, { value }: LayerSetting): number {
  if (findKey(key.name)?.kind === 'time') return parseDuration(String(value)) ?? Number.POSITIVE_INFINITY;
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
  const isAsked = ({ origin }: LayerSetting) => origin.layer === 'flag';
  return {
    settings: capsOf(
      all.filter((setting) => !isAsked(setting)),
      root,
    ),
    asked: capsOf(all.filter(isAsked), root),
  };
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
