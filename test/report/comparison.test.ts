// Runs side by side as people read them: what is unknown, what has not begun, and what other people's words may do to a table.
import { expect, test } from 'vitest';
import type { Contender } from '../../src/journal/contender.ts';
import type { Tally } from '../../src/journal/tally.ts';
import { formatComparison, formatLeft, writeComparison } from '../../src/report/compare/comparison.ts';

const ms = { working: 60_000, checking: 2_000, waiting: 0, paused: 0, stopped: 0, own: 500 };
const tally = (change: Partial<Tally['spent']> = {}): Tally => ({
  sessions: 2,
  attempts: 2,
  corrections: 1,
  spent: { sessions: 2, atLeast: false, ...change },
  ms,
});

const finished: Contender = {
  name: 'claude:opus',
  standing: 'finished',
  run: '20260102-031000-login',
  plan: '/state/login.md',
  branch: 'compare/login-1/1-claude-opus',
  exit: 0,
  tasks: { closed: 2, total: 2, unchecked: 1 },
  checks: { green: 4, red: 1 },
  tally: tally({ costUsd: 0.42, tokens: { input: 10, output: 2_000, cacheRead: 100_000, cacheWrite: 0 } }),
  atWorkMs: 63_000,
  interventions: 0,
  difference: { files: 3, insertions: 40, deletions: 2 },
  review: { shared: true, found: { critical: 0, major: 1, minor: 2, note: 0 } },
};

const untold: Contender = {
  ...finished,
  name: 'script',
  standing: 'stopped',
  why: 'task 2 failed: red: npm test',
  worktree: '/state/worktrees/login-1/2/login',
  tally: tally(),
  review: { shared: true, missing: 'a reviewer did not answer' },
};

const { difference: _, ...cut } = untold;

test('runs of several plans say which', () => {
  const runs = ['docs/plans/a.md', 'docs/plans/b.md'].map((plan) => ({ ...finished, plan }));
  const plans = (contenders: readonly Contender[]) =>
    formatComparison({ contenders })
      .map(({ text }) => text)
      .filter((text) => text.startsWith('plan '));
  expect(plans(runs)).toEqual([expect.stringMatching(/^plan +docs\/plans\/a\.md +docs\/plans\/b\.md$/)]);
  expect(plans([finished, finished])).toEqual([]);
});

test('on a terminal: unknown is unknown, and what has not begun has nothing', () => {
  const contenders: readonly Contender[] = [
    finished,
    cut,
    { name: 'codex', standing: 'refused', why: 'codex is not installed' },
  ];
  const lines = formatComparison({ plan: 'login.md', base: 'a'.repeat(40), contenders });
  expect(lines.map(({ text }) => text).join('\n')).toMatchInlineSnapshot(`
    "login.md, from commit aaaaaaaaaa
                                       claude:opus                         script    codex
    end                                   finished                        stopped  refused
    tasks closed               2 of 2, 1 unchecked            2 of 2, 1 unchecked        –
    attempts                                     2                              2        –
    corrections                                  1                              1        –
    checks green                                 4                              4        –
    checks red                                   1                              1        –
    cost                                     $0.42                        unknown        –
    tokens                                    102k                        unknown        –
    of these output                             2k                        unknown        –
    time at work                            1m 03s                         1m 03s        –
    time waiting                              0.0s                           0.0s        –
    interventions                                0                              0        –
    files changed                                3                        unknown        –
    lines                                   +40 −2                        unknown        –
    findings                      1 major, 2 minor                        unknown        –
    branch           compare/login-1/1-claude-opus  compare/login-1/1-claude-opus        –
    script: task 2 failed: red: npm test
    codex: codex is not installed
    script: findings unknown: a reviewer did not answer"
  `);
});

test('as Markdown, with nothing in a cell that counts as Markdown', () => {
  const odd = {
    ...finished,
    name: 'acp:a|b<img>',
    review: { shared: false, missing: 'the run had no review' },
  };
  expect(writeComparison({ contenders: [finished, odd] })).toMatchInlineSnapshot(`
    "## Runs compared

    |  | claude:opus | acp:a\\|b\\<img\\> |
    | --- | ---: | ---: |
    | end | finished | finished |
    | tasks closed | 2 of 2, 1 unchecked | 2 of 2, 1 unchecked |
    | attempts | 2 | 2 |
    | corrections | 1 | 1 |
    | checks green | 4 | 4 |
    | checks red | 1 | 1 |
    | cost | $0.42 | $0.42 |
    | tokens | 102k | 102k |
    | of these output | 2k | 2k |
    | time at work | 1m 03s | 1m 03s |
    | time waiting | 0.0s | 0.0s |
    | interventions | 0 | 0 |
    | files changed | 3 | 3 |
    | lines | +40 −2 | +40 −2 |
    | findings | 1 major, 2 minor | unknown |
    | branch | compare/login-1/1-claude-opus | compare/login-1/1-claude-opus |

    - acp:a\\|b\\<img\\>: findings unknown: the run had no review
    "
  `);
});

test('runs with reviews of their own are told, not those without any', () => {
  const found = { critical: 0, major: 1, minor: 0, note: 0 };
  const own = { ...finished, name: 'codex', review: { shared: false, found } };
  const none = { ...finished, name: 'script', review: { shared: false, missing: 'the run had no review' } };
  expect(writeComparison({ contenders: [finished, own, none] })).toContain(
    '- 1 run had a review of its own: findings of different reviewers',
  );
  expect(writeComparison({ contenders: [own, own, none] })).toContain('- 2 runs had reviews of their own');
});

test('what is left is named with what removes it', () => {
  const lines = formatLeft({ contenders: [finished, untold, { name: 'codex', standing: 'waiting' }] });
  expect(lines.slice(2).flatMap(({ commands = [] }) => commands)).toEqual([
    'git branch -D compare/login-1/1-claude-opus',
    'pawl discard --yes /state/login.md',
  ]);
  expect(formatLeft({ contenders: [{ name: 'codex', standing: 'waiting' }] })).toEqual([]);
});
