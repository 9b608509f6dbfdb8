// Finds options that exclude each other, or that need another one, from their declarations alone, before the command is
// loaded.
import { Failure } from '../failure.ts';
import { longFlag, type OptionSpec, optionName } from '../start/option.ts';

/** Why the options cannot be given like this, with which to leave out; undefined where they can. */
export function judgeCombination(
  specs: readonly OptionSpec[],
  options: Readonly<Record<string, unknown>>,
): Failure | undefined {
  const given = specs.filter((spec) => isGiven(spec, options[optionName(spec)]));
  const flags = new Set(given.map(longFlag));
  for (const spec of given) {
    const flag = longFlag(spec);
    for (const [other, hint] of Object.entries(spec.excludes ?? {}))
      if (flags.has(other)) return new Failure('usage', `${flag} and ${other} exclude each other`, { hint });
    for (const [other, hint] of Object.entries(spec.needs ?? {}))
      if (!flags.has(other)) return new Failure('usage', `${flag} means nothing without ${other}`, { hint });
  }
  return undefined;
}

// commander says `archive: true` when --no-archive is absent.
function isGiven(spec: OptionSpec, value: unknown): boolean {
  return longFlag(spec).startsWith('--no-') ? value === false : value !== undefined;
}
