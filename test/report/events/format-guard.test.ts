import { expect, test } from 'vitest';
import { formatEvent } from '../../../src/report/events/format-event.ts';
import { type Line, renderLine } from '../../../src/report/text/line.ts';
import { fact, setAside } from '../../helpers/facts.ts';

const text = (lines: readonly Line[]) =>
  `\n${lines.map((line) => `${line.tone}: ${renderLine(line)}`).join('\n')}`;

test('work that is set aside and brought back', () => {
  const facts = [
    setAside('open', { task: '2' }),
    fact('carry-work-aside'),
    fact('carry-work-back'),
    fact('carry-work-back', { left: [] }),
  ];
  expect(text(facts.flatMap((each) => formatEvent(each, { verbose: true })))).toMatchInlineSnapshot(`
    "
    warn: The unfinished work of task 2 was set aside (1a2b3c4d5e)
    dim:   the next attempt at that task starts from it
    warn:   Its unfinished work here was taken out of the tree, and is kept
    dim:   \`pawl rescue restore 1a2b3c4d5e\` brings it back
    plain: The work that was set aside (1a2b3c4d5e) is back in the tree
    warn:   not restored, because they were changed meanwhile: src/auth.ts
    plain: The work that was set aside (1a2b3c4d5e) is back in the tree"
  `);
});
