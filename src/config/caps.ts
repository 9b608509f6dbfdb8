// The caps of a run from all layers: the settings' and those a person asks for by flag. Which one applies is decided with
// the journal, since a person's cap survives restarts.

import path from 'node:path';
import { defined } from '../defined.ts';
import type { BudgetName, Cap, Caps } from '../event/caps.ts';
import type { LayerSetting } from './layer.ts';
import { formatOrigin, mergeSettings, sizeOf } from './merge.ts';
import { findKey } from './setting-keys.ts';

/** The setting that caps a budget. */
export const budgetKeys: Readonly<Record<BudgetName, string>> = {
  cost: 'budgets.maxCost',
  day: 'budgets.day',
  tokens: 'budgets.maxTokens',
  time: 'budgets.maxTime',
  sessions: 'budgets.maxSessions',
};

/** The caps in the layers' settings; files below `root` are named relative to it. */
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
  const inside = file?.startsWith(root + path.sep) ? path.relative(root, file) : file;
  return formatOrigin({ ...origin, ...defined({ file: inside }) });
}
