// What the receipt says of tasks that were worked on at once.
import { expect, test } from 'vitest';
import { eventVersion, type Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { writeReceipt } from '../../src/report/receipt/receipt.ts';
import { fact } from '../helpers/facts.ts';

/** Facts a minute apart, each with its lane. */
function receipt(...facts: readonly (readonly [lane: number | undefined, fact: Fact])[]): string {
  const plan = fact('plan-read', {
    tasks: ['1', '2', '3'].map((id) => ({ id, title: `Part ${id}`, closed: false, steps: 1, manual: [] })),
  });
  const rows: typeof facts = [[undefined, fact('run-started')], [undefined, plan], ...facts];
  const state = foldRun(
    rows.map(([lane, of], at) => ({
      ...of,
      v: eventVersion,
      at: new Date(at * 60_000).toISOString(),
      ...(lane === undefined ? {} : { lane }),
    })),
  );
  if (!state) throw new Error('no start');
  return writeReceipt(state);
}

const begun = (task: string) => fact('task-started', { task, vacuous: [], red: [] });
const works = (task: string, session: number) => fact('session-started', { task, session });
const closed = (task: string) => fact('task-closed', { task });
const ended = fact('run-ended', { exit: 0, reasons: [], finished: true, retryable: false });
const sectionOf = (text: string) => /## Side by side\n\n([\s\S]*?)\n\n/.exec(text)?.[1];

test('what it brought, the order of landing, and what did not land at once', () => {
  const text = receipt(
    [1, begun('1')],
    [2, begun('2')],
    [1, works('1', 1)],
    [2, works('2', 2)],
    [3, begun('3')],
    [2, fact('session-ended', { session: 2 })],
    [2, closed('2')],
    [1, fact('lane-caught-up', { task: '1', lane: 1 })],
    [1, fact('landing-given-back', { task: '1', lane: 1, files: ['src/api.ts', 'a~b_c'], landed: ['2'] })],
    [3, fact('landing-waited', { task: '3', lane: 3, ms: 60_000 })],
    // Asked about once more.
    [1, fact('landing-given-back', { task: '1', lane: 1, files: ['src/api.ts', 'a~b_c'], landed: ['2'] })],
    [1, fact('session-ended', { session: 1 })],
    [1, closed('1')],
    [3, fact('lane-caught-up', { task: '3', lane: 3 })],
    [3, fact('landing-given-back', { task: '3', lane: 3, why: 'red', files: [], landed: ['2', '1'] })],
    [3, closed('3')],
    [undefined, fact('landing-kept', { files: ['notes.txt'] })],
    [undefined, ended],
  );
  expect(sectionOf(text)).toMatchInlineSnapshot(`
    "- 11m 00s of work in 19m 00s, in 3 lanes; caught up 2 times, 1 conflict, 1 red once merged, 1m 00s of waiting to land
    - Landed in this order: tasks 2 (lane 2), 1 (lane 1), 3 (lane 3)
    - Task 1 did not land at once: in conflict over \`src/api.ts\`, \`a~b_c\` with task 2 (2 times)
    - Task 3 did not land at once: red once merged with tasks 2 and 1
    - Your changes to \`notes.txt\` stayed; the branch has more"
  `);
});

test('where the work of an open task stands', () => {
  const opened = fact('lane-opened', { lane: 2, folder: '/state/a b' });
  const text = receipt([undefined, opened], [2, begun('1')], [undefined, { ...ended, finished: false }]);
  expect(text).toContain("- Its work is in its lane, uncommitted: `git -C '/state/a b' status`");
});

test('nothing for tasks that were worked on one after the other', () => {
  expect(sectionOf(receipt([undefined, begun('1')], [undefined, closed('1')], [undefined, ended]))).toBe(
    undefined,
  );
});
