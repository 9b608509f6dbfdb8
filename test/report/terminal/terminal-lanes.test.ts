// The scrolling view of a run in lanes, on a small fake terminal: whose each line is, and what stands at the bottom.
import { describe, expect, it } from 'vitest';
import type { TerminalOptions } from '../../../src/report/terminal/terminal.ts';
import { fact } from '../../helpers/facts.ts';
import { act, setUp as makeTerminal } from '../fake-terminal.ts';

const setUp = (change: Partial<TerminalOptions> = {}, columns = 90) =>
  makeTerminal({ times: false, ...change }, columns);

const plan = fact('plan-read', {
  tasks: ['1', '2', '3', '4'].map((id) => ({
    id,
    title: `Part ${id}`,
    closed: id === '1',
    steps: 1,
    manual: [],
  })),
});
const opening = [plan, fact('run-resumed', { dirt: [] }), fact('phase', { phase: 'tasks' })];
const begin = (task: string, session: number) => [
  fact('task-started', { task, title: `Part ${task}` }),
  fact('attempt-started', { task, attempt: 1 }),
  fact('session-started', { task, session }),
];
const tool = (session: number, detail: string) =>
  act({ type: 'tool-started', id: `t${session}`, tool: 'Edit', detail, main: true }, { session });
const said = (session: number, text: string) =>
  act({ type: 'said', text, main: true, synthetic: false }, { session });

/** Three tasks under way: one edits, one has its check run, one waits to land. */
function playThree({ play, playIn }: ReturnType<typeof setUp>): void {
  play(...opening);
  playIn(1, ...begin('2', 1));
  playIn(2, ...begin('3', 2), said(2, 'I look first.'));
  playIn(3, ...begin('4', 3));
  playIn(1, tool(1, 'src/a.ts'));
  playIn(2, fact('turn-ended', { session: 2 }), fact('check-started', { task: '3', command: 'npm test' }));
  playIn(3, fact('turn-ended', { session: 3 }));
}

describe('the lines at the bottom', () => {
  it('are one for each lane, and one for the run', () => {
    const made = setUp();
    const { screen } = made;
    playThree(made);
    expect(screen.rows.slice(-4)).toEqual([
      expect.stringMatching(/^● {2}2 {2}Part 2 +Edit src\/a\.ts +3s$/),
      expect.stringMatching(/^● {2}3 {2}Part 3 +npm test +1s$/),
      expect.stringMatching(/^● {2}4 {2}Part 4 +waiting to land +0\.0s$/),
      '█████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  1/4   16s',
    ]);
    expect(screen.isAtStart).toBe(true);
  });

  it('go when a lane has nothing to do, and come again', () => {
    const made = setUp();
    const { screen, play, playIn } = made;
    playThree(made);
    playIn(2, fact('check-ended', { task: '3' }), fact('task-closed', { task: '3' }));
    expect(screen.rows.slice(-3)).toEqual([
      expect.stringContaining('●  2'),
      expect.stringContaining('●  4'),
      expect.stringContaining(' 2/4 '),
    ]);
    playIn(1, fact('session-ended', { session: 1 }), fact('round-ended', { task: '2', verdict: 'again' }));
    playIn(1, fact('attempt-started', { task: '2', attempt: 2, reason: 'red' }));
    playIn(1, fact('session-started', { task: '2', session: 4 }));
    expect(screen.rows.at(-3)).toMatch(/^● {2}2 .* attempt 2: thinking/);
    play(fact('phase', { phase: 'review' }));
    expect(screen.rows.at(-2)).toMatch(/^● +Review/);
  });

  it('are no more than leave half of the terminal', () => {
    const made = setUp({ rows: () => 8 });
    const { screen } = made;
    playThree(made);
    expect(screen.rows.slice(-3)).toEqual([
      expect.stringContaining('●  2'),
      '   and 2 more',
      expect.stringContaining(' 1/4 '),
    ]);
  });

  it('give way to a wait of the whole run', () => {
    const made = setUp();
    const { screen, play } = made;
    playThree(made);
    play(fact('waiting'));
    expect(screen.rows.at(-1)).toMatch(/ 1\/4 {3}waiting until /);
    expect(screen.rows.join('\n')).not.toContain('●');
    play(fact('waited'));
    expect(screen.rows.at(-4)).toContain('●  2');
  });
});

describe('who speaks', () => {
  const told = ({ screen }: ReturnType<typeof setUp>) => screen.rows.filter((row) => row !== '').join('\n');

  it('stands in front of each line that does not begin with its task', () => {
    const made = setUp({ isTty: false });
    playThree(made);
    made.playIn(2, fact('check-ended', { task: '3', command: 'npm test' }));
    made.playIn(2, fact('task-closed', { task: '3' }));
    made.playIn(3, fact('landing-given-back', { task: '4', lane: 3, why: 'conflict', files: ['a.ts'] }));
    expect(told(made)).toMatchInlineSnapshot(`
      "Plan: Add user authentication  docs/plans/auth.md
        4 tasks, 1 closed · 2 checks · 1 untracked file
      Continuing where the run was cut off
      Task 2: Part 2
      Task 3: Part 3
      3 ▸     I look first.
      Task 4: Part 4
      2 ▸     Edit  src/a.ts
      3 ▸   ✗ npm test  red in 12s, exit 1 (already red before)
      3 ▸       AssertionError: expected 401 to be 200
      ✓ Task 3 closed, proven: 2 checks green (3 files, +40 −2, commit 1a2b3c4d5e)
      Task 4 does not land yet: a.ts in conflict with task 1"
    `);
  });

  it('stands in front of nothing where tasks are worked on one after the other', () => {
    const made = setUp({ isTty: false });
    made.play(...opening, ...begin('2', 1), said(1, 'I look first.'));
    expect(told(made)).not.toContain('▸');
  });

  it('a title is said once in each lane', () => {
    const made = setUp({ isTty: false });
    made.play(...opening);
    made.playIn(1, ...begin('2', 1));
    made.playIn(2, ...begin('3', 2));
    made.playIn(1, fact('attempt-started', { task: '2', attempt: 2, reason: 'red' }));
    expect(told(made).match(/Part 2/g)).toHaveLength(1);
  });
});

it('tells of what sets lanes up only where it failed', () => {
  const { screen, play, playIn } = setUp();
  play(...opening);
  const setUpIn = (lane: number, result: 'green' | 'red') => {
    const what = { check: 'setup', command: 'npm ci', when: 'setup' } as const;
    playIn(
      lane,
      fact('check-started', what),
      fact('check-ended', { ...what, result, exitCode: 1, says: 'no' }),
    );
  };
  setUpIn(1, 'green');
  setUpIn(2, 'green');
  setUpIn(3, 'red');
  const told = screen.rows.filter((row) => row.includes('npm ci'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('✗ worktree.setup: npm ci  red');
});

it('says whose check it is that is red on merged work', () => {
  const { screen, play, playIn } = setUp({}, 120);
  play(...opening);
  const red = { task: '2', when: 'after', result: 'red', alreadyRed: false } as const;
  for (const check of ['task:2:1', 'task:3:1'])
    playIn(1, fact('check-ended', { ...red, check, command: check }));
  const told = screen.rows.filter((row) => row.includes('✗'));
  expect(told.map((row) => row.includes('of task 3'))).toEqual([false, true]);
});
