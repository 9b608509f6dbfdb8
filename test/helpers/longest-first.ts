// The order of test files: what takes longest begins first, so that no worker is left alone with it at the end.
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files whose stories take longest. */
const long = ['kill-at', 'demo', 'web', 'seam', 'grounds-alike', 'dead-lock'];

/** Stories before all others, and of those the long ones; else as vitest has it, by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => weightOf(b) - weightOf(a));
  }
}

function weightOf({ moduleId, project }: TestSpecification): number {
  if (project.name !== 'story') return 0;
  return long.includes(path.basename(moduleId, '.test.ts')) ? 2 : 1;
}
