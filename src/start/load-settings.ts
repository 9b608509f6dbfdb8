// A command's settings: of all layers, among them the flags that stand for settings.
import type { SettingsLayer } from '../config/layer.ts';
import { type ConfigSources, type LoadedConfig, loadConfig, refuseLayer } from '../config/load.ts';
import { readFlagLayer } from '../config/text-layer.ts';
import { reviewOptions } from './command-options.ts';
import { isTrusted } from './consent.ts';
import type { CliContext } from './context.ts';
import { findPlace } from './locate.ts';
import { listOptions, longFlag, type OptionTable, optionName, runOptions } from './run-options.ts';

export function rootOf({ cwd }: Pick<CliContext, 'cwd'>): string {
  return findPlace(cwd)?.root ?? cwd;
}

/** By default the repository's own file counts if it is trusted. */
export function loadSettings(context: CliContext, more: Partial<ConfigSources> = {}): LoadedConfig {
  const { env, folders } = context;
  const root = more.root ?? rootOf(context);
  return loadConfig({ env, folders, root, trusted: more.trusted ?? isTrusted(context, root), ...more });
}

type GivenOptions = Readonly<Record<string, unknown>>;

/** A flag of its own beats `--set` for the same key. */
export function readFlags(options: GivenOptions, table: OptionTable = runOptions): SettingsLayer {
  const flags = listOptions(table).flatMap((spec) => {
    const value = options[optionName(spec)];
    if (spec.key === undefined || value === undefined) return [];
    return [{ flag: longFlag(spec), key: spec.key, text: String(value) }];
  });
  return readFlagLayer(flags, (options['set'] as readonly string[] | undefined) ?? []);
}

/** Throws what is wrong with their values, before anything is asked. */
export function refuseFlags(options: GivenOptions, table: OptionTable = runOptions): void {
  refuseLayer(readFlags(options, table));
}

/** Words for the run's next start. The run remembers budgets and branch; options for one start apply only to that. */
export function wordsToRepeat(options: GivenOptions): readonly string[] {
  return listOptions({ ...runOptions, ...reviewOptions }).flatMap((spec) => {
    const { key } = spec;
    const flag = longFlag(spec);
    const value = options[optionName(spec)];
    if (value === undefined || (key === undefined ? !lasting.has(flag) : isRemembered(key))) return [];
    if (Array.isArray(value)) return value.filter((one) => !isRemembered(one)).flatMap((one) => [flag, one]);
    if (typeof value === 'boolean') return value ? [flag] : [];
    return [flag, String(value)];
  });
}

/** A setting's name, perhaps with a value behind it. */
const isRemembered = (setting: string) => /^(?:branch(?:=|$)|budgets\.)/.test(setting);

/** Options without a setting that apply until the run's end. */
const lasting: ReadonlySet<string> = new Set(['--set', '--pr', '--push', '--stack', '--watch', '--fail-on']);
