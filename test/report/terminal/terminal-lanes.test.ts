// The scrolling view of a run in lanes, on a small fake terminal: whose each line is, and what stands at the bottom.
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/event/activity.ts';
import { type Event, eventVersion } from '../../../src/event.ts';
import { foldFact, withState } from '../../../src/journal/fold.ts';
import { createTerminal, type TerminalOptions } from '../../../src/report/terminal/terminal.ts';
import { fact } from '../../helpers/facts.ts';
import { Screen } from '../../helpers/screen.ts';

const start = Date.UTC(2026, 10, 21, 22, 30);

function setUp(change: Partial<TerminalOptions> = {}, columns = 90) {
  const screen = new Screen(columns);
  let now = start;
  const terminal = createTerminal({
    stream: screen.stream,
    isTty: true,
    columns: () => screen.columns,
    colour: false,
    level: 'normal',
    times: false,
    now: () => now,
    every: () => () => {},
    ...change,
  });
  const at = new Date(start).toISOString();
  const past = foldFact(undefined, { ...fact('run-started'), v: eventVersion, at });
  const hear = withState(terminal.report, past);
  const play = (lane: number | undefined, ...events: readonly Event[]): void => {
    for (const event of events) {
      now += 1000;
      const at = new Date(now).toISOString();
      hear({ ...event, v: eventVersion, at, ...(lane === undefined ? {} : { lane }) });
    }
  };
  return { screen, terminal, play };
}

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
  fact('task-started', { task, title: `Part ${task}`, vacuous: [] }),
  fact('attempt-started', { task, attempt: 1 }),
  fact('session-started', { task, session }),
];
const act = (session: number, event: AgentEvent): Event => ({ type: 'activity', session, event });
const tool = (session: number, detail: string) =>
  act(session, { type: 'tool-started', id: `t${session}`, tool: 'Edit', detail, main: true });
const said = (session: number, text: string) =>
  act(session, { type: 'said', text, main: true, synthetic: false });

/** Three tasks under way: one edits, one has its check run, one waits to land. */
function playThree(play: ReturnType<typeof setUp>['play']): void {
  play(undefined, ...opening);
  play(1, ...begin('2', 1));
  play(2, ...begin('3', 2), said(2, 'I look first.'));
  play(3, ...begin('4', 3));
  play(1, tool(1, 'src/a.ts'));
  play(2, fact('turn-ended', { session: 2 }), fact('check-started', { task: '3', command: 'npm test' }));
  play(3, fact('turn-ended', { session: 3 }));
}

describe('the lines at the bottom', () => {
  it('are one for each lane, and one for the run', () => {
    const { screen, play } = setUp();
    playThree(play);
    expect(screen.rows.slice(-4)).toEqual([
      expect.stringMatching(/^● {2}2 {2}Part 2 +Edit src\/a\.ts +3s$/),
      expect.stringMatching(/^● {2}3 {2}Part 3 +npm test +1s$/),
      expect.stringMatching(/^● {2}4 {2}Part 4 +waiting to land +0\.0s$/),
      '█████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  1/4   16s',
    ]);
    expect(screen.isAtStart).toBe(true);
  });

  it('go when a lane has nothing to do, and come again', () => {
    const { screen, play } = setUp();
    playThree(play);
    play(2, fact('check-ended', { task: '3' }), fact('task-closed', { task: '3' }));
    expect(screen.rows.slice(-3)).toEqual([
      expect.stringContaining('●  2'),
      expect.stringContaining('●  4'),
      expect.stringContaining(' 2/4 '),
    ]);
    play(1, fact('session-ended', { session: 1 }), fact('round-ended', { task: '2', verdict: 'again' }));
    play(1, fact('attempt-started', { task: '2', attempt: 2, reason: 'red' }));
    play(1, fact('session-started', { task: '2', session: 4 }));
    expect(screen.rows.at(-3)).toMatch(/^● {2}2 .* attempt 2: thinking/);
    play(undefined, fact('phase', { phase: 'review' }));
    expect(screen.rows.at(-2)).toMatch(/^● +Review/);
  });

  it('are no more than leave half of the terminal', () => {
    const { screen, play } = setUp({ rows: () => 8 });
    playThree(play);
    expect(screen.rows.slice(-3)).toEqual([
      expect.stringContaining('●  2'),
      '   and 2 more',
      expect.stringContaining(' 1/4 '),
    ]);
  });

  it('give way to a wait of the whole run', () => {
    const { screen, play } = setUp();
    playThree(play);
    play(undefined, fact('waiting'));
    expect(screen.rows.at(-1)).toMatch(/ 1\/4 {3}waiting until /);
    expect(screen.rows.join('\n')).not.toContain('●');
    play(undefined, fact('waited'));
    expect(screen.rows.at(-4)).toContain('●  2');
  });

  it('leave nothing behind when more is said', () => {
    const { screen, play } = setUp();
    playThree(play);
    play(2, said(2, 'And now the rest.'));
    expect(screen.rows.filter((row) => row.startsWith('●  2'))).toHaveLength(1);
    expect(screen.rows.filter((row) => row.includes('And now the rest.'))).toHaveLength(1);
    play(undefined, fact('run-ended', { exit: 0 }));
    expect(screen.rows.some((row) => row.includes('1/4'))).toBe(false);
  });

  it('fit', () => {
    const { screen, play } = setUp({}, 30);
    playThree(play);
    play(1, tool(1, 'a/very/long/folder/with/a/file.ts'));
    expect(Math.max(...screen.rows.slice(-4).map((row) => row.length))).toBeLessThan(30);
  });
});

describe('who speaks', () => {
  const told = ({ screen }: ReturnType<typeof setUp>) => screen.rows.filter((row) => row !== '').join('\n');

  it('stands in front of each line that does not begin with its task', () => {
    const made = setUp({ isTty: false });
    playThree(made.play);
    made.play(2, fact('check-ended', { task: '3', command: 'npm test' }));
    made.play(2, fact('task-closed', { task: '3' }));
    made.play(3, fact('landing-given-back', { task: '4', lane: 3, why: 'conflict', files: ['a.ts'] }));
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
    made.play(undefined, ...opening, ...begin('2', 1), said(1, 'I look first.'));
    expect(told(made)).not.toContain('▸');
  });

  it('is plain where the locale has no more', () => {
    const made = setUp({ isTty: false, unicode: false });
    playThree(made.play);
    expect(told(made)).toContain('3 >     I look first.');
  });

  it('a title is said once in each lane', () => {
    const made = setUp({ isTty: false });
    made.play(undefined, ...opening);
    made.play(1, ...begin('2', 1));
    made.play(2, ...begin('3', 2));
    made.play(1, fact('attempt-started', { task: '2', attempt: 2, reason: 'red' }));
    expect(told(made).match(/Part 2/g)).toHaveLength(1);
  });
});

it('tells of what sets lanes up only where it failed', () => {
  const { screen, play } = setUp();
  play(undefined, ...opening);
  const setUpIn = (lane: number, result: 'green' | 'red') => {
    const what = { check: 'setup', command: 'npm ci', when: 'setup' } as const;
    play(
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
  const { screen, play } = setUp({}, 120);
  play(undefined, ...opening);
  const red = { task: '2', when: 'after', result: 'red', alreadyRed: false } as const;
  for (const check of ['task:2:1', 'task:3:1'])
    play(1, fact('check-ended', { ...red, check, command: check }));
  const told = screen.rows.filter((row) => row.includes('✗'));
  expect(told.map((row) => row.includes('of task 3'))).toEqual([false, true]);
});
