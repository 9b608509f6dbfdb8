// Every wait has a clock: the table of all clocks and bounded waits, their defaults, and the test in which each rings.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMs } from '../../src/agent/session/session-state.ts';
import { fixed } from '../../src/config/fixed.ts';
import { configSchema } from '../../src/config/schema.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Setting, or constant → its default in milliseconds (a count for `backoffs`), and the test, by file and words of its, that makes it ring. */
const table: Readonly<Record<string, readonly [number | undefined, file: string, name: string]>> = {
  'startMs.firstEventMs': [90 * second, 'story/nights.test.ts', 'a program that never speaks is ended'],
  'clocks.silence': [10 * minute, 'story/nights.test.ts', 'a model that never answers'],
  'startMs.apiMs': [
    15 * minute,
    'story/nights.test.ts',
    'a model that goes silent in the middle of an answer',
  ],
  'startMs.toolMs': [60 * minute, 'story/nights.test.ts', 'a tool call that never ends'],
  'clocks.session': [4 * hour, 'story/clocks.test.ts', 'own timeout ends the session'],
  'clocks.check': [30 * minute, 'story/liars-checks.test.ts', 'cannot run, or that hangs, is not green'],
  'clocks.ci': [2 * hour, 'story/forge.test.ts', 'a job without an end'],
  'fixed.trialMs': [
    5 * minute,
    'phase/planning/dialogue-checks.test.ts',
    'a check that is only tried has a smaller clock',
  ],
  'fixed.gitMs': [2 * minute, 'git/run/repo.test.ts', 'one that hangs is ended by its clock'],
  'fixed.commitMs': [15 * minute, 'story/clocks.test.ts', 'commit: a hook that hangs stops the run'],
  'limits.maxWait': [6 * hour, 'story/limits.test.ts', 'one beyond limits.maxWait ends with exit 6'],
  'fixed.nearMs': [15 * minute, 'agent/fallback.test.ts', 'a near reset is waited for'],
  'fixed.backoffMs': [5 * minute, 'story/limits.test.ts', 'an API that stays overloaded is backed off from'],
  'fixed.backoffs': [5, 'work/wait/wait.test.ts', 'crashes in a row end it'],
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

test.each(Object.entries(table))(
  '%s has its default, and rings in a test',
  (setting, [standard, file, name]) => {
    const [group = '', key = ''] = setting.split('.');
    const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      ...configSchema.parse({}),
      fixed,
      startMs,
    } as never;
    const values = groups[group] ?? {};
    expect(values[key]).toBe(standard);
    expect(readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')).toContain(name);
  },
);
