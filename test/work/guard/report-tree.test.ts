// What a review that only reports says of files that a reviewer changed.
import { expect, test } from 'vitest';
import { formatReportChanges } from '../../../src/work/guard/report-tree.ts';

const clean = { file: 'a.ts', mine: false };
const mine = { file: 'b.ts', mine: true };
const restore = 'a.ts; git restore brings back what is committed';
const compare = 'b.ts had uncommitted changes, which git restore would lose: compare in your editor';

test.each([
  ['that were as committed', [clean], restore],
  ['with uncommitted changes', [mine], compare],
  ['of both kinds', [mine, clean], `${restore}; ${compare}`],
])('files %s', (_name, changes, wanted) => {
  expect(formatReportChanges(changes)).toBe(wanted);
});
