// Two projects: `unit` (pure tables, real git, no whole runs) and `story` (whole runs, the real CLI among them). They share
// the workers: three more than processors, since stories wait for programs a lot. Files share a worker's modules, so that
// they are loaded a few times and not two hundred: what a test sets in a module, it sets back.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FlakyTests } from './helpers/flaky-tests.ts';
import { UntriedReporter } from './helpers/untried.ts';

/** Libraries as they are shipped: what they assert for their own developers is not what pawl meets. Vite adds their condition to any that are configured. */
const asShipped = {
  name: 'as-shipped',
  configResolved: ({ ssr }: { ssr: { resolve?: { conditions?: string[] } } }) => {
    const conditions = ssr.resolve?.conditions ?? [];
    if (ssr.resolve) ssr.resolve.conditions = conditions.filter((name) => !name.includes('development'));
  },
};

/** Stories before all others, so that no worker is left alone with a long one at the end; else vitest's order, by what they took last or by size. */
class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [stories, others] = ['story', 'unit'].map((name) =>
      sorted.filter(({ project }) => project.name === name),
    );
    return [...(stories ?? []), ...(others ?? [])];
  }
}

const shared = {
  maxWorkers: availableParallelism() + 3,
  isolate: false,
  /** Many tests start dozens of programs, on a machine that others share: a red one is played once more, and named at the end. */
  retry: 1,
};

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: 'test/helpers/build-once.ts',
    reporters: ['default', new FlakyTests(), new UntriedReporter()],
    sequence: { sequencer: StoriesFirst },
    projects: [
      {
        plugins: [asShipped],
        test: {
          name: 'unit',
          env: { TZ: 'UTC' },
          include: ['test/**/*.test.ts'],
          exclude: ['test/story/**', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...shared,
        },
      },
      {
        plugins: [asShipped],
        test: {
          name: 'story',
          include: ['test/story/**/*.test.ts'],
          // Against one that hangs. None has a limit of its own: machines differ by a factor of ten.
          testTimeout: 900_000,
          hookTimeout: 300_000,
          ...shared,
        },
      },
    ],
  },
});
