import { expect, test } from 'vitest';
import { formatEvent } from '../../src/report/events/format-event.ts';
import { formatNextPlan, formatQueueEnd } from '../../src/report/events/format-queue.ts';
import { renderLine } from '../../src/report/text/line.ts';
import { fact } from '../helpers/facts.ts';

const text = (lines: ReturnType<typeof formatQueueEnd>) =>
  `\n${lines.map((line) => `${line.tone}: ${renderLine(line)}`).join('\n')}`;

test('facts of a run in a queue', () => {
  const facts = [
    fact('queued'),
    fact('work-set-aside'),
    fact('work-set-aside', { task: '2' }),
    fact('work-set-aside', { fenced: true }),
    fact('work-brought-back'),
    fact('work-brought-back', { left: [] }),
  ];
  expect(text(facts.flatMap((each) => formatEvent(each, { verbose: true })))).toMatchInlineSnapshot(`
    "
    dim: Queue of docs/plans/auth.md, docs/plans/cache.md, from main
    warn: Uncommitted work was set aside (1a2b3c4d5e), so that the next plan starts on a clean tree
    dim:   this run gets it back when it is started again
    warn: The unfinished work of task 2 was set aside (1a2b3c4d5e)
    dim:   the next attempt at that task starts from it
    warn:   Its unfinished work here was taken out of the tree, and is kept
    dim:   \`pawl rescue restore 1a2b3c4d5e\` brings it back
    plain: The work that was set aside (1a2b3c4d5e) is back in the tree
    warn:   not restored, because they were changed meanwhile: src/auth.ts
    plain: The work that was set aside (1a2b3c4d5e) is back in the tree"
  `);
  expect(formatEvent(fact('queued'), { verbose: false })).toEqual([]);
});

test('the next plan', () => {
  const at = { number: 2, of: 3, base: 'main' };
  expect(
    text([false, true].flatMap((resumes) => formatNextPlan('b.md', { ...at, resumes }))),
  ).toMatchInlineSnapshot(`
    "
    plain: 
    head: Plan 2 of 3: b.md, starting from main
    plain: 
    head: Plan 2 of 3: b.md, continuing on its own branch"
  `);
});

test('the end: a line for each plan', () => {
  const ends = [
    { plan: 'docs/a.md', branch: 'a', skipped: true },
    { plan: 'b.md', branch: 'b', exit: 0, finished: true },
    { plan: 'c.md', branch: 'c', exit: 4, finished: true },
    { plan: 'd.md', branch: 'd', exit: 1, finished: false },
    { plan: 'e.md', branch: 'e', exit: 0, finished: false },
    { plan: 'f.md', exit: 2, refusal: 'the tree has changes: x' },
    { plan: 'g.md' },
  ];
  expect(text(formatQueueEnd(ends))).toMatchInlineSnapshot(`
    "
    plain: 
    warn: Queue: 3 of 7 plans finished
    dim:   docs/a.md  finished earlier, branch a
    good:   b.md       done, branch b
    warn:   c.md       something is not proven or the review is not clean, branch c
    bad:   d.md       not finished: a task failed (exit 1), branch d
    warn:   e.md       not finished: tasks are left (exit 0), branch e
    bad:   f.md       not started: the tree has changes: x
    warn:   g.md       not started
    dim:   the same command continues with the plans that are left"
  `);
  expect(text(formatQueueEnd(ends.slice(0, 2)))).toMatchInlineSnapshot(`
    "
    plain: 
    good: Queue: 2 of 2 plans finished
    dim:   docs/a.md  finished earlier, branch a
    good:   b.md       done, branch b"
  `);
});
