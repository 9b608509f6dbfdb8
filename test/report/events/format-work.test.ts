// What the receipt says of the finalizing.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { toLines } from '../../../src/report/text/block.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { reportRun } from '../../../src/report/view/report-run.ts';
import { fact, finalized, finalizing, foldFacts } from '../../helpers/facts.ts';

const rescue = 'ab'.repeat(20);

test('the receipt tells how it stands', () => {
  const stories: readonly (readonly Fact[])[] = [
    [],
    [finalizing],
    [fact('run-squashed')],
    [finalizing, finalized({ result: 'failed', reason: 'red: npm test', rescue })],
    [finalizing, finalized({ result: 'committed', reason: '2 checks green', oid: rescue })],
  ];
  const told = stories.map((facts) => {
    const state = foldFacts([fact('run-started'), ...facts]);
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
