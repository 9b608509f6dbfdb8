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

const marked = (pid: number, ppid = 1, session = pid): Short => [pid, ppid, session, 'M=a/1'];
const plain = (pid: number, ppid = 1, session = pid): Short => [pid, ppid, session];
const longer: Short = [11, 1, 11, 'M=a/10'];
const aboveUs = [marked(1, 0), plain(40), plain(50, 40, 40)];

test.each<[string, readonly Short[], Partial<Parameters<typeof selectRows>[1]>, number[]]>([
  ['nobody', [plain(10)], {}, []],
  ['whole entries only', [marked(10), longer], {}, [10]],
  ['descendants without the mark', [marked(10), plain(11, 10), plain(12, 11)], {}, [10, 11, 12]],
  ['descendants listed before their parents', [plain(5, 6), plain(6, 10), marked(10)], {}, [5, 6, 10]],
  ['orphans of a session that a marked one leads', [marked(10), plain(11, 1, 10)], {}, [10, 11]],
  ['not the session one was born into', [marked(10, 1, 9), plain(11, 1, 9), plain(9)], {}, [10]],
  ['a root without the mark, and its tree', [plain(10), plain(11, 10)], { root: 10 }, [10, 11]],
  [
    'the session of a root that is gone',
    [plain(11, 1, 10), plain(12, 11), plain(13)],
    { root: 10 },
    [11, 12],
  ],
  ['not pawl, though it carries the mark', [marked(10), marked(50, 10, 10)], { spared: [50] }, []],
  ['not what pawl descends from', [...aboveUs, marked(60, 50)], { spared: [50] }, [60]],
  ['parents that go round in a circle', [marked(10, 11), plain(11, 10)], {}, [10, 11]],
])('who belongs to a mark: %s', (_, rows, more, expected) => {
  const found = selectRows(table(...rows), {
    isMarked: (row) => row.hasEntry('M=a/1', true),
    spared: [],
    ...more,
  });
  expect(found.map(({ pid }) => pid)).toEqual(expected);
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
