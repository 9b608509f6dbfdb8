// Two projects: `unit` (pure tables, real git, no whole runs) and `story` (whole runs, the real CLI among them).
import { defineConfig } from 'vitest/config';

/** Hundreds of starts of pawl need not compile its sources each. */
const env = { NODE_COMPILE_CACHE: new URL('../node_modules/.cache/pawl-tests', import.meta.url).pathname };

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/story/**', '**/node_modules/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'story',
          include: ['test/story/**/*.test.ts'],
          env,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
    ],
  },
});
