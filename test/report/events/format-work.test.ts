// What is said of the finalizing, while it goes on and in the receipt.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { formatEvent } from '../../../src/report/events/format-event.ts';
import { toLines } from '../../../src/report/text/block.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { reportRun } from '../../../src/report/view/report-run.ts';
import { fact, finalized, finalizing, stampAll } from '../../helpers/facts.ts';

const rescue = 'ab'.repeat(20);
test('what becomes of the commits, and how it ended', () => {
  const facts = [
    finalizing,
    fact('run-squashed'),
    finalized({ result: 'committed', reason: '2 checks green', oid: rescue }),
    finalized({ result: 'nothing', reason: 'no file had to be changed' }),
    finalized({ result: 'failed', reason: 'red: npm test', rescue }),
  ];
  const lines = facts
    .flatMap((fact) => formatEvent(fact, { verbose: false }))
    .map((line) => `${line.tone}: ${renderLine(line)}`);
  expect(`\n${lines.join('\n')}`).toMatchInlineSnapshot(`
    "
    plain:   One session finalizes the work
    good: 2 commits became c1c1c1c1c1; the old ones are kept as refs/pawl/r1/squashed/001
    good: Finalized in ababababab: 2 checks green
    plain: Finalized: no file had to be changed
    warn: Not finalized: red: npm test
    dim:   its work is kept: pawl rescue show ababababab"
  `);
});

test('the receipt tells how it stands', () => {
  const stories: readonly (readonly Fact[])[] = [
    [],
    [finalizing],
    [fact('run-squashed')],
    [finalizing, finalized({ result: 'failed', reason: 'red: npm test', rescue })],
    [finalizing, finalized({ result: 'committed', reason: '2 checks green', oid: rescue })],
  ];
  const told = stories.map((facts) => {
    const state = foldRun(stampAll([fact('run-started'), ...facts]));
    if (!state) throw new Error('no run');
    return toLines(reportRun(state).sections.find(({ title }) => title === 'Finalized')?.blocks ?? [])
      .map((line) => `${line.tone}: ${renderLine(line)}`)
      .join('\n');
  });
  expect(`\n${told.join('\n--\n')}`).toMatchInlineSnapshot(`
    "

    --
    warn:   Not finished
    --
    plain:   2 commits became c1c1c1c1c1; the old ones: refs/pawl/r1/squashed/001
    --
    warn:   Failed: red: npm test; everything is as it was before
    plain:   Its work is kept: pawl rescue show ababababab
    --
    good:   2 checks green, commit ababababab"
  `);
});
