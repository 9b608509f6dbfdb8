import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../src/plan/parse.ts';
import { explainNoWidth, findRivals, formatRivals } from '../../../src/plan/width/lint-width.ts';
import { scheduleTasks } from '../../../src/plan/width/schedule.ts';

/** A plan of tasks 1, 2, … with so many open steps and these lines. */
const plan = (...tasks: readonly (readonly [steps: number, ...lines: string[]])[]) =>
  parsePlan(
    tasks
      .map(([steps, ...lines], at) => {
        const boxes = Array.from({ length: steps }, () => '- [ ] s');
        return [`### Task ${at + 1}: t`, ...lines.map((line) => `- ${line}`), ...boxes, ''].join('\n');
      })
      .join('\n'),
    'x.md',
  );

const none = 'depends: none';
const diamond = plan([2, none], [3, 'depends: 1'], [4, 'depends: 1'], [1, 'depends: 2, 3']);

describe('scheduleTasks', () => {
  test('a diamond: what is worked on when, and the longest way', () => {
    expect(scheduleTasks(diamond, { jobs: 4 })).toEqual({
      stretches: [
        { from: 0, to: 2, tasks: ['1'] },
        { from: 2, to: 5, tasks: ['3', '2'] },
        { from: 5, to: 6, tasks: ['3'] },
        { from: 6, to: 7, tasks: ['4'] },
      ],
      length: 7,
      work: 10,
      widest: 2,
      longestWay: ['1', '3', '4'],
      wayLength: 7,
    });
  });

  test('one job takes as long as the work', () => {
    expect(scheduleTasks(diamond, { jobs: 1 })).toMatchObject({ length: 10, work: 10, widest: 1 });
  });

  test('what is excluded, and what waits for it, is not played', () => {
    expect(scheduleTasks(diamond, { jobs: 2, excluded: new Set(['3']) })).toMatchObject({
      length: 5,
      work: 5,
      longestWay: ['1', '2'],
    });
  });

  test('a plan without open tasks takes no time', () => {
    const done = parsePlan('### Task 1: t\n- [x] s\n', 'x.md');
    expect(scheduleTasks(done, { jobs: 2 })).toMatchObject({ stretches: [], length: 0, longestWay: [] });
  });

  test('phases that only their steps tell apart stay stories when they are done', () => {
    const stories = [1, 2, 3].map((id) => `## ${id}. Part\n- [ ] T${id} [US${id}] s\n`).join('');
    const last = '## 4. Polish\n- [ ] T9 s\n';
    expect(scheduleTasks(parsePlan(stories + last, 'tasks.md'), { jobs: 2 })).toMatchObject({ length: 3 });
  });

  test('property: never more at once than jobs, never sooner than the longest way or the work allow', () => {
    const tasks = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat({ max: 11 }), { maxLength: 2 })),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(tasks, fc.integer({ min: 1, max: 6 }), (some, jobs) => {
        const made = plan(
          ...some.map(([steps, depends], at): [number, string] => {
            const before = depends.filter((id) => id < at).map((id) => id + 1);
            return [steps, `depends: ${before.length > 0 ? before.join(', ') : 'none'}`];
          }),
        );
        const { length, work, widest, wayLength, stretches } = scheduleTasks(made, { jobs });
        expect(widest).toBeLessThanOrEqual(jobs);
        expect(work).toBe(some.reduce((sum, [steps]) => sum + steps, 0));
        expect(length).toBeGreaterThanOrEqual(Math.max(wayLength, work / jobs));
        // What list scheduling is known never to exceed.
        expect(length).toBeLessThanOrEqual(work / jobs + wayLength);
        expect(new Set(stretches.flatMap((stretch) => stretch.tasks)).size).toBe(some.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('findRivals', () => {
  test.each<[string, ReturnType<typeof plan>, readonly string[]]>([
    ['none in a chain', plan([1, 'files: a/a'], [1, 'files: a/a']), []],
    [
      'files in common',
      plan([1, none, 'files: src/a.ts'], [1, none, 'files: src/a.ts'], [1, none, 'files: src/*.ts']),
      [
        'tasks 1 and 2 both change `src/a.ts`',
        'tasks 1 and 3 change `src/a.ts` and `src/*.ts`, which can mean one file',
        'tasks 2 and 3 change `src/a.ts` and `src/*.ts`, which can mean one file',
      ],
    ],
    [
      'not those that wait for each other, be it by way of a third',
      plan([1, none, 'files: a/a'], [1, 'depends: 1'], [1, 'depends: 2', 'files: a/a']),
      [],
    ],
    [
      'one that must be alone',
      plan([1, none], [1, none, 'exclusive: true']),
      ['task 2 says `exclusive: true`'],
    ],
  ])('%s', (_, some, told) => {
    expect(findRivals(some).map(formatRivals)).toEqual(told);
  });

  test('no more than are asked for', () => {
    const many = plan(...Array.from({ length: 9 }, (): [number, string, string] => [1, none, 'files: a/a']));
    expect(findRivals(many)).toHaveLength(36);
    expect(findRivals(many, { most: 3 })).toHaveLength(3);
  });
});

describe('explainNoWidth', () => {
  test.each<[string, ReturnType<typeof plan>, string | undefined]>([
    ['a diamond has width', diamond, undefined],
    ['one open task needs no remark', plan([1]), undefined],
    [
      'a chain by its order',
      plan([1, 'files: a/a'], [1, 'files: b/b']),
      'no `depends:` says what a task needs, so each waits for the one before it. Write in each task `- depends: 1, 2` with what it needs, or `- depends: none`, and `- files:` with what it changes',
    ],
    [
      'phases in a row',
      parsePlan('## 1. a\n- [ ] s\n## 2. b\n- [ ] s\n', 'tasks.md'),
      'no `depends:` says what a task needs, so each waits for the one before it. Write below each heading `- depends: 1, 2` with what it needs, or `- depends: none`, and `- files:` with what it changes',
    ],
    [
      'a chain by depends',
      plan([1], [1, 'depends: 1'], [1, 'depends: 2']),
      'by its `depends:` each task waits for the one before it: name only what it needs',
    ],
    [
      'the same files everywhere',
      plan([1, none, 'files: a/a'], [1, none, 'files: a/a']),
      'tasks 1 and 2 both change `a/a`: let each task change its own files',
    ],
    [
      'all that must be alone',
      plan([1, none, 'exclusive: true'], [1, none]),
      'task 1 says `exclusive: true`: remove that if it is not needed',
    ],
  ])('%s', (_, some, why) => {
    expect(explainNoWidth(some)).toBe(why);
  });

  test('all change what checks are made of', () => {
    expect(explainNoWidth(plan([1, none], [1, none]), { aloneFor: () => 'package.json' })).toBe(
      'task 1 may change `package.json`, on which the checks depend, so it must be alone: leave that file to a separate task',
    );
  });
});
