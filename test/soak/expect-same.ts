// What a test asks of a scenario that was killed everywhere: nothing is other than where nobody was killed.
import { expect } from 'vitest';
import type { EffectKind } from '../../src/effect.ts';
import type { ChainOptions } from './chain.ts';
import type { Scenario } from './stage.ts';
import { formatTried, tryEverything } from './try.ts';

/** Kills the scenario's command everywhere and prints how often; `kinds`: of effects that must have been among them. */
export async function expectSame(
  scenario: Scenario,
  {
    kinds,
    ...options
  }: Omit<ChainOptions, 'shard'> & Readonly<{ chains: number; kinds: readonly EffectKind[] }>,
): Promise<void> {
  const tried = await tryEverything(scenario, options);
  process.stdout.write(`${formatTried(tried)}\n`);
  expect(tried.differences, formatTried(tried)).toEqual([]);
  for (const kind of kinds) expect(tried.killed.some((name) => name.includes(`: ${kind} `))).toBe(true);
}
