// The order of test files: what takes longest begins first, so that no worker is left alone with it at the end.
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Stories before all others, and of those the ones that kill pawl hundreds of times; else as vitest has it, by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => weightOf(b) - weightOf(a));
  }
}

function weightOf({ moduleId, project }: TestSpecification): number {
  if (project.name !== 'story') return 0;
  return path.basename(moduleId).startsWith('kill-at') ? 2 : 1;
}
