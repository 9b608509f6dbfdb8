// Every wait has a clock: the table of all clocks and bounded waits, and the test in which each rings.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMs } from '../../src/agent/session/session-state.ts';
import { configSchema } from '../../src/config/schema.ts';

/** Setting or constant → the test, by file and words of its, that makes it ring. */
const table: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'startMs.firstEventMs': ['story/nights.test.ts', 'a program that never speaks is ended'],
  'clocks.silence': ['story/nights.test.ts', 'a model that never answers'],
  'startMs.apiMs': ['story/nights.test.ts', 'a model that goes silent in the middle of an answer'],
  'startMs.toolMs': ['story/nights.test.ts', 'a tool call that never ends'],
  'clocks.session': ['story/clocks.test.ts', 'own timeout ends the session'],
  'clocks.check': ['story/liars-checks.test.ts', 'cannot run, or that hangs, is not green'],
  'clocks.ci': ['story/forge.test.ts', 'a job without an end'],
  'fixed.trialMs': [
    'phase/planning/dialogue-checks.test.ts',
    'a check that is only tried has a smaller clock',
  ],
  'fixed.gitMs': ['git/run/repo.test.ts', 'one that hangs is ended by its clock'],
  'fixed.commitMs': ['story/clocks.test.ts', 'commit: a hook that hangs stops the run'],
  'limits.maxWait': ['story/limits.test.ts', 'one beyond limits.maxWait ends with exit 6'],
  'fixed.nearMs': ['agent/fallback.test.ts', 'a near reset is waited for'],
  'fixed.backoffMs': ['story/limits.test.ts', 'an API that stays overloaded is backed off from'],
  'fixed.backoffs': ['work/wait/wait.test.ts', 'crashes in a row end it'],
};

test('the table holds every clock and every bound of a wait', () => {
  const { clocks, limits } = configSchema.in.shape;
  const names = [
    ...Object.keys(clocks.unwrap().shape).map((name) => `clocks.${name}`),
    ...Object.keys(limits.unwrap().shape).map((name) => `limits.${name}`),
    ...Object.keys(startMs).map((name) => `startMs.${name}`),
    ...['trialMs', 'gitMs', 'commitMs', 'nearMs', 'backoffMs', 'backoffs'].map((name) => `fixed.${name}`),
  ];
  expect(Object.keys(table).sort()).toEqual(names.sort());
});

test.each(Object.entries(table))('%s rings in a test', (_, [file, name]) => {
  expect(readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')).toContain(name);
});
