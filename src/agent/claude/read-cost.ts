// Parses Claude Code's answer to `get_session_cost` (2.1.330), which is prose: dollars, and rounded token counts per model. A
// rounded figure is read as the smallest value it can stand for.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';

/** The event of the answer's text; none when it names no dollars. */
export function readCost(prose: string): readonly AgentEvent[] {
  const dollars = /cost:\s*\$([\d,]+(?:\.\d+)?)/i.exec(prose)?.[1];
  if (dollars === undefined) return [];
  return [
    { type: 'cost', costUsd: Number(dollars.replaceAll(',', '')), ...defined({ tokens: readTokens(prose) }) },
  ];
}

const figure = String.raw`([\d,.]+)([km]?)`;
const usage = new RegExp(
  `${figure} input, ${figure} output, ${figure} cache read, ${figure} cache write`,
  'g',
);

/** The sum over all models; undefined when none is named. */
function readTokens(prose: string): Tokens | undefined {
  const lines = [...prose.matchAll(usage)].map((match) => {
    const at = (index: number) => leastOf(match[index] ?? '', match[index + 1] ?? '');
    return { input: at(1), output: at(3), cacheRead: at(5), cacheWrite: at(7) };
  });
  if (lines.length === 0) return undefined;
  const sum = (key: keyof Tokens) => lines.reduce((total, line) => total + line[key], 0);
  return {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
  };
}

const units: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** `98.8k` is what 98,750 and more are rounded to; a figure without a unit is exact. */
function leastOf(digits: string, unit: string): number {
  const value = Number(digits.replaceAll(',', ''));
  const size = units[unit];
  if (size === undefined) return value;
  const step = 10 ** -(digits.split('.')[1]?.length ?? 0);
  return Math.max(0, Math.round((value - step / 2) * size));
}
