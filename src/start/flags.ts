// A command's flags that stand for settings, as a layer of the configuration; invalid ones are refused.
import type { SettingsLayer } from '../config/layer.ts';
import { longFlag, type OptionSpec, optionName, runOptions } from './run-options.ts';

/** A flag of its own beats `--set` for the same key. */
export async function readFlags(
  options: Readonly<Record<string, unknown>>,
  specs: readonly OptionSpec[] = runOptions,
): Promise<SettingsLayer> {
  const { readFlagLayer } = await import('../config/text-layer.ts');
  const flags = specs.flatMap((spec) => {
    const value = options[optionName(spec)];
    if (spec.key === undefined || value === undefined) return [];
    return [{ flag: longFlag(spec), key: spec.key, text: String(value) }];
  });
  return readFlagLayer(flags, (options['set'] as readonly string[] | undefined) ?? []);
}

/** Words for the run's next start. The run remembers budgets and branch; options for one start apply only to that. */
export function wordsToRepeat(
  options: Readonly<Record<string, unknown>>,
  specs: readonly OptionSpec[] = runOptions,
): readonly string[] {
  return specs.flatMap((spec) => {
    const { key } = spec;
    const flag = longFlag(spec);
    const value = options[optionName(spec)];
    const isRemembered = key === 'branch' || key?.startsWith('budgets.');
    if (value === undefined || isRemembered || (key === undefined && !lasting.has(flag))) return [];
    if (Array.isArray(value)) return value.flatMap((one) => [flag, String(one)]);
    if (typeof value === 'boolean') return value ? [flag] : [];
    return [flag, String(value)];
  });
}

/** Options without a setting that apply until the run's end. */
const lasting: ReadonlySet<string> = new Set(['--set', '--pr', '--push', '--stack', '--watch']);

/** Throws what is wrong with their values, before anything is asked. */
export async function refuseFlags(
  options: Readonly<Record<string, unknown>>,
  specs: readonly OptionSpec[] = runOptions,
): Promise<void> {
  const { refuseLayer } = await import('../config/load.ts');
  refuseLayer(await readFlags(options, specs));
}

const ofEverySession = [
  'trust',
  'trustHash',
  'json',
  'verbose',
  'quiet',
  'agent',
  'sandbox',
  'maxCost',
  'maxTime',
  'set',
] as const;

export function sharedOptions(...more: readonly string[]): readonly OptionSpec[] {
  const shared: ReadonlySet<string> = new Set([...ofEverySession, ...more]);
  return runOptions.filter((option) => shared.has(optionName(option)));
}
