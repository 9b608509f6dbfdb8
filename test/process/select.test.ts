import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProcessRow } from '../../src/process/process-table.ts';
import { parentsFirst, selectRows } from '../../src/process/select.ts';

type Short = [pid: number, ppid: number, session: number, entry?: string];

function table(...rows: Short[]): ProcessRow[] {
  return rows.map(([pid, ppid, session, entry]) => ({
    pid,
    ppid,
    session,
    startTime: '1',
    hasEntry: (text, whole) => (whole ? entry === text : (entry?.startsWith(text) ?? false)),
    isStarting: () => false,
    command: () => 'x',
  }));
}

const whole = [{ text: 'M=a/1', whole: true }];

describe('who belongs to a mark', () => {
  const cases: [string, ProcessRow[], Partial<Parameters<typeof selectRows>[1]>, number[]][] = [
    ['nobody', table([10, 1, 10]), {}, []],
    ['whole entries only', table([10, 1, 10, 'M=a/1'], [11, 1, 11, 'M=a/10']), {}, [10]],
    [
      'a prefix, where asked',
      table([10, 1, 10, 'M=a/1'], [11, 1, 11, 'M=a/10'], [12, 1, 12, 'M=ab/1']),
      { marks: [{ text: 'M=a/', whole: false }] },
      [10, 11],
    ],
    [
      'descendants without the mark',
      table([10, 1, 10, 'M=a/1'], [11, 10, 11], [12, 11, 12]),
      {},
      [10, 11, 12],
    ],
    [
      'descendants listed before their parents',
      table([5, 6, 5], [6, 10, 6], [10, 1, 10, 'M=a/1']),
      {},
      [5, 6, 10],
    ],
    ['orphans of a session that a marked one leads', table([10, 1, 10, 'M=a/1'], [11, 1, 10]), {}, [10, 11]],
    [
      'not the session a marked one was born into',
      table([10, 1, 9, 'M=a/1'], [11, 1, 9], [9, 1, 9]),
      {},
      [10],
    ],
    ['a root without the mark, and its tree', table([10, 1, 10], [11, 10, 11]), { root: 10 }, [10, 11]],
    [
      'the session of a root that is gone',
      table([11, 1, 10], [12, 11, 12], [13, 1, 13]),
      { root: 10 },
      [11, 12],
    ],
    [
      'not pawl, though it carries the mark',
      table([10, 1, 10, 'M=a/1'], [50, 10, 10, 'M=a/1']),
      { spared: [50] },
      [],
    ],
    [
      'not what pawl descends from, nor by its session',
      table([1, 0, 1, 'M=a/1'], [40, 1, 40], [50, 40, 40], [60, 50, 60, 'M=a/1']),
      { spared: [50] },
      [60],
    ],
    ['parents that go round in a circle', table([10, 11, 10, 'M=a/1'], [11, 10, 11]), {}, [10, 11]],
  ];
  test.each(cases)('%s', (_, rows, more, expected) => {
    const found = selectRows(rows, { marks: whole, spared: [], ...more });
    expect(found.map(({ pid }) => pid)).toEqual(expected);
  });
});

describe('parents first', () => {
  test('whatever the order and the tree', () => {
    const tree = fc.array(fc.nat(), { maxLength: 40 }).chain((picks) => {
      const rows = picks.map((pick, at) => ({ pid: at + 2, ppid: at === 0 ? 1 : (pick % (at + 1)) + 1 }));
      return fc.shuffledSubarray(rows, { minLength: rows.length });
    });
    fc.assert(
      fc.property(tree, (rows) => {
        const ordered = parentsFirst(rows);
        expect(new Set(ordered)).toEqual(new Set(rows));
        const places = new Map(ordered.map(({ pid }, at) => [pid, at]));
        for (const [at, { ppid }] of ordered.entries()) expect(places.get(ppid) ?? -1).toBeLessThan(at);
      }),
    );
  });

  test('a chain of 20,000 and a circle', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => ({ pid: at + 2, ppid: at + 1 })).reverse();
    expect(parentsFirst(chain)[0]?.pid).toBe(2);
    expect(
      parentsFirst([
        { pid: 2, ppid: 3 },
        { pid: 3, ppid: 2 },
      ]),
    ).toHaveLength(2);
  });
});
