import { expect, test } from 'vitest';
import { formatNextPlan, formatQueueEnd, formatQueueFact } from '../../src/report/events/format-queue.ts';
import { renderLine } from '../../src/report/text/line.ts';
import { fact } from '../helpers/facts.ts';

const text = (lines: ReturnType<typeof formatQueueEnd>) =>
  `\n${lines.map((line) => `${line.tone}: ${renderLine(line)}`).join('\n')}`;

test('facts of a run in a queue', () => {
  const facts = [
    fact('queued'),
    fact('work-set-aside'),
    fact('work-set-aside', { task: '2' }),
    fact('work-brought-back'),
    fact('work-brought-back', { left: [] }),
  ];
  expect(text(facts.flatMap((each) => formatQueueFact(each, { verbose: true })))).toMatchInlineSnapshot(`
    "
    dim: Queue of docs/plans/auth.md, docs/plans/cache.md, from main
    warn: What is not committed is set aside as 1a2b3c4d5e: the next plan finds a clean tree
    dim:   the next start of this run brings it back
    warn: The work of task 2 is set aside as 1a2b3c4d5e: another task comes first
    dim:   the task’s next attempt brings it back
    plain: What was set aside as 1a2b3c4d5e is back in the tree
    warn:   others changed src/auth.ts meanwhile, which stay as they are
    plain: What was set aside as 1a2b3c4d5e is back in the tree"
  `);
  expect(formatQueueFact(fact('queued'), { verbose: false })).toEqual([]);
});

test('the next plan', () => {
  const at = { number: 2, of: 3, base: 'main' };
  expect(
    text([false, true].flatMap((resumes) => formatNextPlan('b.md', { ...at, resumes }))),
  ).toMatchInlineSnapshot(`
    "
    head: Plan 2 of 3: b.md, beginning on main
    head: Plan 2 of 3: b.md, going on on its own branch"
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
    warn: Queue: 3 of 7 plans finished
    dim:   docs/a.md  was finished before, branch a
    good:   b.md       done, branch b
    warn:   c.md       something is unchecked or not clean, branch c
    bad:   d.md       not finished: a task failed (exit 1), branch d
    warn:   e.md       not finished: tasks are left (exit 0), branch e
    bad:   f.md       not started: the tree has changes: x
    warn:   g.md       not started
    dim:   the same command goes on with what is left, and skips what is finished"
  `);
  expect(text(formatQueueEnd(ends.slice(0, 2)))).toMatchInlineSnapshot(`
    "
    good: Queue: 2 of 2 plans finished
    dim:   docs/a.md  was finished before, branch a
    good:   b.md       done, branch b"
  `);
});
