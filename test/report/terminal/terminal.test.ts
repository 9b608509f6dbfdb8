// The scrolling view on a small fake terminal: what stays, what the status line says, what is cleared.
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/event.ts';
import type { Level, TerminalOptions } from '../../../src/report/terminal/terminal.ts';
import { line } from '../../../src/report/text/line.ts';
import { byPerson, fact, setAside, stateOf } from '../../helpers/facts.ts';
import type { Screen } from '../../helpers/screen.ts';
import { act, ground, setUp, start } from '../fake-terminal.ts';

const tool = act({ type: 'tool-started', id: 't1', tool: 'Bash', detail: 'npm test', main: true });
const said = act({ type: 'said', text: 'I look first.', main: true, synthetic: false });
const opening = [
  fact('run-resumed', { dirt: [], ground }),
  fact('plan-read'),
  fact('phase', { phase: 'tasks' }),
  fact('task-started'),
  fact('attempt-started', { attempt: 1 }),
  fact('session-started'),
];

describe('the rows at the bottom', () => {
  /** Without the rule above them. */
  const rowsOf = (screen: Screen): readonly string[] => {
    const at = screen.rows.findLastIndex((row) => /^─+$/.test(row));
    return screen.rows.slice(at + 1).map((row) => row.replaceAll(/ {2,}/g, '  '));
  };

  it('stand below what was said, and say what goes on', () => {
    const { screen, play } = setUp();
    play(
      ...opening,
      fact('session-cost'),
      fact('limit-seen', { status: 'allowed', window: '5h', utilization: 0.37 }),
      said,
      tool,
    );
    expect(screen.rows.at(-4)).toBe('    Bash  npm test');
    expect(rowsOf(screen)).toEqual([
      '●  2  Add login  Bash npm test  0.0s',
      '██████████▒▒▒▒▒▒▒▒▒▒  1/2  $0.42+ API-equivalent  5h 37%  9s',
    ]);
    expect(screen.isAtStart).toBe(true);
  });

  it('say that closed tasks wait for their experiments', () => {
    const { screen, play } = setUp();
    play(
      ...opening,
      fact('session-ended'),
      fact('task-closed', { task: '2', pending: { turnedGreen: true } }),
    );
    expect(rowsOf(screen)[0]).toBe('●  what the checks prove');
    play(fact('proof-judged', { task: '2' }));
    expect(rowsOf(screen)[0]).toBe('●  Tasks');
  });

  it('count what a run cost before this start, and name its cap', () => {
    const { screen, play, resume } = setUp();
    const past = [
      fact('session-started', { session: 1 }),
      fact('session-ended', { session: 1, costUsd: 1.5, costAtLeast: false }),
      fact('session-started', { session: 2 }),
      fact('session-cost', { session: 2, costUsd: 2 }),
    ];
    resume(...past);
    expect(screen.rows.join('')).toBe('');
    play(...opening, fact('session-cost'), fact('budgets-set'));
    // What a resumed conversation says of itself has its earlier turns in it.
    play(act({ type: 'cost', costUsd: 1.42 }));
    expect(screen.rows.at(-1)).toContain(' $3.92+ of $20.00');
    expect(screen.rows.at(-1)).not.toContain('API');
  });

  it.each([
    ['unknown', { costAtLeast: true }, 'cost unknown'],
    ['a lower bound', { costUsd: 0.5, costAtLeast: true }, '$0.50+'],
    ['final', { costUsd: 0.5, costAtLeast: false }, '$0.50'],
  ])('say of a cost that it is %s', (_, end, words) => {
    const { screen, play } = setUp();
    const { costUsd: __, ...ended } = fact('session-ended');
    play(...opening, { ...ended, ...end });
    expect(rowsOf(screen).at(-1)).toContain(`1/2  ${words}  `);
  });

  it('move on with the clock alone', () => {
    const { screen, clock, play } = setUp();
    play(...opening, tool);
    clock.ms += 61_000;
    clock.tick();
    expect(rowsOf(screen)).toEqual([
      '●  2  Add login  Bash npm test  1m 01s',
      '██████████▒▒▒▒▒▒▒▒▒▒  1/2  1m 07s',
    ]);
  });

  it('name files as the session sees them, and what a call is for', () => {
    const { screen, play } = setUp();
    const call = { type: 'tool-started', id: 't1', tool: 'Bash', main: true } as const;
    play(
      ...opening,
      act({ ...call, tool: 'Write', detail: '/work/repo/src/a.ts' }),
      act({ ...call, detail: 'sed -i /work/repo/src/a.ts', purpose: 'Set the limit' }),
    );
    expect(screen.rows.slice(-5, -3).map((row) => row.trim())).toEqual([
      'Write  src/a.ts',
      'Bash  Set the limit',
    ]);
    expect(rowsOf(screen)[0]).toContain('Bash Set the limit');
  });

  it('count a wait down, and forget it afterwards', () => {
    const { screen, clock, play } = setUp({}, 100);
    play(...opening, fact('waiting', { until: start + 600_000 }));
    const until = new Date(start + 600_000).toISOString().slice(11, 16);
    expect(rowsOf(screen)).toEqual([`██████████▒▒▒▒▒▒▒▒▒▒  1/2  waiting until ${until}, 9m 53s left  6s`]);
    clock.ms = start + 590_000;
    clock.tick();
    expect(screen.rows.at(-1)).toContain(', 10s left');
    play(fact('waited'));
    expect(rowsOf(screen)).toHaveLength(2);
  });

  it('say that the model thinks once a tool has ended', () => {
    const { screen, play } = setUp();
    const other = act({ type: 'tool-ended', id: 't0', isError: false, main: true });
    play(...opening, tool, other, said);
    expect(rowsOf(screen)[0]).toContain('Bash npm test');
    play(act({ type: 'tool-ended', id: 't1', isError: false, main: true }));
    expect(rowsOf(screen)[0]).toBe('●  2  Add login  thinking');
  });

  it('keep a question until it is answered, and say which attempt it is', () => {
    const { screen, play } = setUp();
    play(...opening, setAside('parked'));
    expect(rowsOf(screen)[0]).toMatch(/^\? {2}2 {2}Add login {2}asks you: /);
    play(byPerson('answer'), fact('attempt-started', { attempt: 2 }));
    expect(rowsOf(screen)[0]).toMatch(/^● {2}2 {2}Add login {2}attempt 2: /);
  });

  it('tell when it may be done and what it may cost once two tasks have shown it', () => {
    const { screen, play } = setUp({}, 100);
    const tasks = ['1', '2', '3', '4'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
    const task = (id: string) => [fact('task-started', { task: id }), fact('task-closed', { task: id })];
    play(fact('plan-read', { tasks }), fact('phase', { phase: 'tasks' }), ...task('1'));
    play(fact('session-started'), fact('session-ended', { costUsd: 1, costAtLeast: false }));
    expect(screen.rows.at(-1)).not.toContain('≈');
    play(...task('2'));
    expect(screen.rows.at(-1)).toContain('2/4   done ≈ 22:30   $1.00 (≈ $2.00)');
  });

  it.each([79, 60, 40, 20, 10, 3, 1])('never wrap at %i columns, with wide characters in them', (columns) => {
    const { screen, clock, play } = setUp({}, columns);
    const wide = act({
      type: 'tool-started',
      id: 't',
      tool: 'Bash',
      detail: 'echo 日本語のテスト 👩‍👩‍👧 é́ ok and more and more',
      main: true,
    });
    play(...opening, fact('session-cost'), wide);
    const rows = screen.rows.length;
    for (let second = 0; second < 5; second += 1) {
      clock.ms += 1000;
      clock.tick();
    }
    // A line that wraps leaves its first row behind at each drawing.
    expect(screen.rows).toHaveLength(rows);
    expect([...(screen.rows.at(-1) ?? '')].length).toBeLessThan(columns);
    expect(screen.isAtStart).toBe(true);
  });

  it('are no reason to stop where a terminal says that it has no columns', () => {
    const { play, terminal } = setUp({}, 0);
    play(...opening, tool);
    terminal.close();
  });

  it('are drawn at most five times a second, but again after each line', () => {
    const { screen, clock, tell, play } = setUp();
    play(...opening);
    const writes = screen.writes.length;
    for (let count = 0; count < 100; count += 1) {
      clock.ms += 10;
      tell(act({ type: 'context', tokens: count, model: 'opus' }));
    }
    expect(screen.writes.length - writes).toBeLessThanOrEqual(5);
    clock.ms += 10;
    tell(said);
    expect(screen.rows.at(-4)).toBe('    I look first.');
    expect(rowsOf(screen)).toHaveLength(2);
  });

  it('fit at once when the window gets narrower', () => {
    const { screen, tell, play } = setUp();
    play(...opening, tool);
    screen.columns = 30;
    tell(said);
    expect(screen.rows.at(-4)).toBe('    I look first.');
    expect(screen.rows.slice(-3).every((row) => row.length < 30)).toBe(true);
  });

  it('are gone with the end of the run, before the receipt, with nothing of them left above', () => {
    const { screen, tell, terminal, play } = setUp();
    play(...opening, said, fact('phase', { phase: 'archive' }));
    expect(rowsOf(screen)[0]).toContain('Archive');
    tell(fact('run-ended', { exit: 0, finished: true, reasons: [] }));
    terminal.print([line('good', 'the receipt')]);
    terminal.close();
    expect(screen.rows.slice(-3)).toEqual(['✓ Run finished (exit 0)', 'the receipt', '']);
    expect(screen.rows.join('\n')).not.toMatch(/[─█●]/);
    const writes = screen.writes.length;
    terminal.close();
    expect(screen.writes).toHaveLength(writes);
  });
});

describe('the header', () => {
  const tasksOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...{ id: `${at + 1}`, title: `Task ${at + 1}`, closed: false, steps: 1, manual: [] },
      checks: [`npx vitest run test/${at}.test.ts`],
    }));

  const billing = 'API account of ANTHROPIC_API_KEY, by way of api.internal.example.com:8443';

  it.each([6, 60])('of a plan of %i tasks has five lines, with only what is not as usual', (count) => {
    const { screen, begin, play } = setUp({ times: false });
    begin();
    play(
      fact('run-started', { ground: { ...ground, jobs: 3, billing, trusted: false } }),
      fact('budgets-set'),
      fact('branch-created'),
      fact('plan-read', { tasks: tasksOf(count), checks: ['npm test'] }),
      fact('check-started'),
    );
    expect(screen.rows.slice(0, 5)).toEqual([
      'Plan: Add user authentication  docs/plans/auth.md',
      `  ${count} tasks, 0 closed · ${count + 1} checks · 1 untracked file`,
      '  auth (new) · claude opus, 3 tasks at once',
      '  cap $20.00 · review: none',
      '  ! no sandbox · ! not trusted · ! API by way of api.internal.example.com:8443',
    ]);
  });

  it('of a resumed run says what it is and what is left, and nothing again', () => {
    const { screen, begin, play } = setUp({ isTty: false, times: false });
    begin();
    play(
      fact('run-started', { untracked: [] }),
      fact('plan-read'),
      fact('run-resumed', { dirt: [] }),
      fact('check-started'),
    );
    expect(screen.rows.slice(0, -1)).toEqual([
      'Plan: Add user authentication  docs/plans/auth.md',
      '  2 tasks, 1 closed · 1 manual step for you · 3 checks',
      '',
      'Continuing where the run was cut off',
    ]);
  });
});

describe('checks that are green', () => {
  it('share a line until something else happens, and red ones stand alone', () => {
    const { screen, play } = setUp({ isTty: false, times: false });
    const green = (command: string) =>
      fact('check-ended', { command, result: 'green', when: 'after', durationMs: 2000, exitCode: 0 });
    play(
      fact('task-started'),
      green('npx tsc --noEmit'),
      fact('check-started'),
      green('npx vitest run test/a/theme.test.ts'),
      fact('check-ended', { command: 'npm run lint', result: 'red', when: 'after', says: 'no semicolon' }),
      green('make all'),
      fact('task-closed'),
    );
    expect(screen.rows.slice(1, 5)).toEqual([
      '  ✓ npx tsc --noEmit 2s  ✓ npx vitest run test/a/theme.t… 2s',
      '  ✗ npm run lint  red in 12s, exit 1 (already red before)',
      '      no semicolon',
      '  ✓ make all 2s',
    ]);
  });

  it('and one that fails as before says so, and nothing again', () => {
    const { screen, play } = setUp({ isTty: false, times: false });
    const red = (fingerprint: string) =>
      fact('check-ended', {
        result: 'red',
        when: 'after',
        says: fingerprint,
        fingerprint,
        alreadyRed: false,
      });
    play(fact('plan-read'), fact('task-started'), red('no a'), red('no a'), red('no b'));
    expect(screen.rows.slice(-6, -1)).toEqual([
      '  ✗ npm test  red in 12s, exit 1',
      '      no a',
      '  ✗ npm test  red in 12s, exit 1, as before',
      '  ✗ npm test  red in 12s, exit 1',
      '      no b',
    ]);
  });

  it('are counted for each lane apart', () => {
    const { screen, play } = setUp({ isTty: false, times: false });
    const green = (lane: number) => ({
      ...fact('check-ended', {
        task: `${lane}`,
        result: 'green',
        when: 'after',
        durationMs: 1000,
        exitCode: 0,
      }),
      lane,
    });
    const begun = [1, 2].map((lane) => ({ ...fact('task-started', { task: `${lane}` }), lane }));
    const closing: Event = { ...fact('closing', { task: '1' }), ...{ lane: 1 } };
    play(...begun, green(1), green(2), green(1), closing);
    expect(screen.rows.slice(-2)).toEqual(['1 ▸   ✓ npm test 1s  ✓ npm test 1s', '']);
  });
});

it('knows what was told also where little is said', () => {
  const { screen, play } = setUp({ isTty: false, runs: '../runs', level: 'verbose' });
  play(fact('run-started'), fact('check-ended'));
  expect(screen.writes.join('')).toContain('its output: ../runs/20261121-223005-auth/checks/');
});

describe.each([45, 80, 120, 200])('at %i columns', (columns) => {
  const text = 'The quick brown fox jumps over the lazy dog, '.repeat(8).trim();
  const words = text.split(' ');

  it.each<[string, Event, number]>([
    ['a fact', fact('noticed', { text }), 2],
    ['what an agent says', act({ type: 'said', text, main: true, synthetic: false }), 4],
    ['an item of a list', act({ type: 'said', text: `- ${text}`, main: true, synthetic: false }), 6],
  ])('%s is broken between words and stays below its begin', (_name, event, hang) => {
    const { screen, play, terminal } = setUp({ times: false }, columns);
    play(fact('check-started'), event);
    terminal.close();
    const rows = screen.rows.slice(0, -1);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
    for (const row of rows.slice(1)) expect(row).toMatch(new RegExp(`^ {${hang}}\\S`));
    expect(rows.join(' ').split(/\s+/)).toEqual(expect.arrayContaining(words));
    expect(rows.flatMap((row) => row.match(/[\w,]+/g) ?? []).slice(-words.length)).toEqual(words);
  });
});

it('parts tasks and phases by an empty line', () => {
  const { screen, play } = setUp({ isTty: false, times: false });
  play(
    fact('phase', { phase: 'tasks' }),
    fact('task-started'),
    fact('task-closed'),
    fact('task-started', { task: '3', title: 'Next' }),
    setAside('failed', { task: '3' }),
  );
  expect(screen.rows.map((row) => row.slice(0, 17))).toEqual([
    'Task 2: Add login',
    '✓ Task 2 closed, ',
    '',
    'Task 3: Next',
    '✗ Task 3 failed: ',
    '  its work is kep',
    '',
  ]);
});

describe('a start that is refused', () => {
  const reason = {
    exit: 2,
    code: 'dirty',
    text: 'index.js changed since the run stopped.',
    hint: 'Commit it.',
  };
  const refused = fact('run-ended', { exit: 2, finished: false, reasons: [reason] });

  it('says what, why and what to do, and nothing else', () => {
    const { screen, play, terminal } = setUp({ isTty: false, times: false });
    const events = [fact('run-started'), fact('run-resumed'), fact('plan-read'), refused];
    play(...events);
    const state = stateOf(...events.slice(1));
    terminal.finish?.(state);
    expect(screen.rows).toEqual([
      '✗ Not started (exit 2)',
      '  index.js changed since the run stopped.',
      '  Commit it.',
      '',
    ]);
  });

  it('after it came to do something tells all', () => {
    const { screen, play, terminal } = setUp({ isTty: false, times: false });
    const events = [fact('run-started'), fact('plan-read'), fact('check-ended'), refused];
    play(...events);
    const state = stateOf(...events.slice(1));
    terminal.finish?.(state);
    expect(screen.rows[0]).toBe('Plan: Add user authentication  docs/plans/auth.md');
    expect(screen.rows).toContain('All of it: pawl report');
  });
});

describe('without a terminal', () => {
  it('writes lines alone: no status, no control character', () => {
    const { screen, terminal, play } = setUp({ isTty: false });
    play(
      ...opening,
      said,
      act({
        type: 'said',
        text: '\x1b[2J\x1b]0;title\x07gone\u202e \x9b31mred\r\nnext\0',
        main: true,
        synthetic: false,
      }),
    );
    terminal.close();
    const all = screen.writes.join('');
    expect(all).toMatch(/^[^\x00-\x09\x0b-\x1f\x7f-\x9f]*$/);
    expect(all).toMatch(/^22:30:\d\d {5}gone red\n22:30:\d\d {5}next\n/m);
    expect(all).not.toContain('█');
  });

  it.each<[Level, number]>([
    ['quiet', 1],
    ['normal', 4],
    ['verbose', 6],
  ])('%s says %i lines', (level, count) => {
    const { screen, play } = setUp({ isTty: false, level });
    play(
      fact('task-started', { red: [] }),
      fact('session-started'),
      said,
      act({ type: 'said', text: 'of a sub-agent', main: false, synthetic: false }),
      tool,
      fact('task-closed'),
    );
    expect(screen.writes.join('').split('\n').slice(0, -1)).toHaveLength(count);
  });

  it.each<[string, Partial<TerminalOptions>, number, boolean]>([
    ['in a pipe', { isTty: false }, 80, true],
    ['in a pipe, not wanted', { isTty: false, times: false }, 80, false],
    ['on a wide terminal', {}, 100, true],
    ['on a narrow one', {}, 99, false],
    ['on a narrow one, wanted', { times: true }, 60, true],
    ['on a wide one, not wanted', { times: false }, 200, false],
  ])('%s: the time of day stands before each line', (_name, change, columns, isTimed) => {
    const { screen, play } = setUp(change, columns);
    play(fact('waiting'), said);
    const lines = screen.rows.filter((row) => /Waiting|the run then|I look/.test(row));
    expect(lines).toHaveLength(3);
    expect(lines.map((row) => /^22:30:0\d /.test(row))).toEqual(Array(3).fill(isTimed));
  });

  it('paints where colour is wanted', () => {
    const { screen, play } = setUp({ isTty: false, colour: true });
    play(fact('task-closed'));
    expect(screen.writes[0]).toMatch(
      /^\x1b\[2m22:30:01 \x1b\[22m\x1b\[32m✓ \x1b\[39mTask 2 closed, \x1b\[32mproven\x1b\[39m\x1b\[2m: .*\x1b\[22m\n$/,
    );
  });
});

it('takes 40,000 activities with flat memory', () => {
  const bytes = { written: 0 };
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      bytes.written += text.length;
      done();
    },
  });
  const { tell, terminal, clock, play } = setUp({ stream });
  play(...opening);
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 20_000; count += 1) {
    const id = `t${count}`;
    clock.ms += 10;
    tell(act({ type: 'tool-started', id, tool: 'Bash', detail: `step ${count}`, main: true }));
    tell(act({ type: 'tool-ended', id, isError: false, main: true }));
  }
  terminal.close();
  expect(bytes.written).toBeGreaterThan(1_000_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});
