// The last line of `npm test`: what was not tried, since this machine lacks something or since only the soak plays it.
import type { Reporter, TestModule } from 'vitest/node';
import { findLacks, type Need } from './needs.ts';

/** The line; empty when all was tried. */
export function tellUntried(skipped: number, lacks: readonly Need[], isAll: boolean): string {
  const lacking = lacks.length > 0 ? [`what needs ${lacks.join(', ')}, which this machine lacks`] : [];
  const left = isAll ? [] : ['what `npm run soak` adds to the stories'];
  const all = [...lacking, ...left];
  return skipped === 0 || all.length === 0 ? '' : `Not tried: ${all.join('; ')}.\n`;
}

/** Says the line when all tests are over. */
export class UntriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]).length;
    process.stdout.write(tellUntried(skipped, findLacks(), process.env['SOAK'] !== undefined));
  }
}
