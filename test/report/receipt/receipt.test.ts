// The receipt of runs that ended in every way: what stands first, what is said of each task, what comes next.
import { describe, expect, it, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import type { RunState } from '../../../src/journal/state.ts';
import { shortReceipt, writeReceipt } from '../../../src/report/receipt/receipt.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { byPerson, fact, finalized, finalizing, foldFacts, setAside } from '../../helpers/facts.ts';

function fold(...facts: readonly Fact[]): RunState {
  return foldFacts(facts, 60_000);
}

function receipt(state: RunState, live = false): string {
  return writeReceipt(state, { live });
}

const firstTask = { id: '1', title: 'Add middleware', closed: false, steps: 2, manual: [] };
const plan = fact('plan-read', {
  tasks: [
    firstTask,
    { id: '2', title: 'Add login', closed: false, steps: 3, manual: ['Try it in the staging app'] },
  ],
});
const opening = [fact('run-started'), plan];

function session(number: number, task: string, costUsd = 0.21): readonly Fact[] {
  return [
    fact('session-started', { session: number, task }),
    fact('session-ended', {
      session: number,
      outcome: 'done',
      costUsd,
      costAtLeast: false,
      durationMs: 120_000,
      exitCode: 0,
      signal: null,
    }),
  ];
}

function green(
  task: string,
  change: Partial<ReturnType<typeof fact<'check-ended'>>> = {},
): FactOf<'check-ended'> {
  return fact('check-ended', { task, result: 'green', exitCode: 0, alreadyRed: false, ...change });
}

function closed(task: string, change: Partial<ReturnType<typeof fact<'task-closed'>>> = {}): readonly Fact[] {
  return [
    fact('task-started', { task, red: [] }),
    fact('attempt-started', { task, attempt: 1 }),
    ...session(Number(task), task),
    fact('check-started', { task }),
    green(task),
    fact('task-closed', { task, ...change }),
  ];
}

const ended = fact('run-ended', { exit: 0, reasons: [], finished: true });

function ending(exit: number, code: string, text: string, hint?: string): Fact {
  return fact('run-ended', {
    exit,
    reasons: [{ exit, code, text, ...(hint === undefined ? {} : { hint }) }],
    finished: false,
  });
}

describe('a run that is done', () => {
  const state = fold(
    ...opening,
    green('', { when: 'baseline', command: 'npm run lint', check: 'plan:2', result: 'red', exitCode: 1 }),
    ...closed('1', { summary: 'Added `auth` for @admin, see <b>docs</b>.' }),
    fact('correction-sent', { task: '2' }),
    fact('act-found', { task: '2' }),
    fact('act-found', { task: '2' }),
    fact('file-refused', { task: '2' }),
    fact('tamper-noted', { task: '2' }),
    ...closed('2'),
    fact('plan-edit-set-aside'),
    fact('egress-refused', { times: 10 }),
    fact('intervention'),
    fact('waiting'),
    fact('waited'),
    ended,
  );

  it('as Markdown', () => {
    expect(receipt(state)).toMatchInlineSnapshot(`
      "**Look at: test skipped in test/auth.test.ts:12: it.skip('logs in', () =\\> {**

      **Finished**

      Add user authentication: 2 of 2 tasks proven, on branch \`auth\`

      Sat 21 Nov, 22:30 to 22:57 (27m 00s)

      ## ✓ Task 1: Add middleware — proven

      - 3 files, +40 −2, commit \`1a2b3c4d5e\`
      - In the agent’s words: Added \\\`auth\\\` for \`@admin\`, see \\<b\\>docs\\</b\\>.
      - 1 check green
      - 1 attempt, $0.21, 1m 00s in sessions, 12s in checks

      ## ✓ Task 2: Add login — proven

      - 3 files, +40 −2, commit \`1a2b3c4d5e\`
      - In the agent’s words: Added the route.
      - 1 check green
      - 1 attempt, 1 correction, $0.21, 1m 00s in sessions, 12s in checks
      - There were commits that pawl did not make (2 commits on auth): their content goes into pawl’s commit; kept as refs/pawl/r/absorbed/001
      - Not committed: deploy.pem, because its name looks like a secret’s (\\*.pem). Ignore it, or list it in commit.include
      - Look at this: test skipped in test/auth.test.ts:12: it.skip('logs in', () =\\> {

      ## Proof

      - 1 check stayed green

      ## Left for you: manual steps

      - Try it in the staging app (task 2)

      ## Red before the first task, and not green since

      - \`npm run lint\`: red in 12s, exit 1 on the untouched tree; it says: AssertionError: expected 401 to be 200

      ## Look at this

      - Plan edit 1 was set aside and the plan restored: task 3 was removed
      - it is in plan-001.proposed.md in the run folder; to take it, copy it over the plan while the run is paused or stopped
      - The sandbox blocked paste.example:443 (10 times): the host is not on the list. To allow it, add paste.example:443 to sandbox.allow in your own settings

      ## Cost and time

      - Spent: $0.42 in 2 sessions; 20 input, 10k output, 0 cache read, 0 cache write tokens (what the API would charge; a subscription pays)
      - Time: 26m 00s at work: 2m 00s in sessions, 37s in checks, 23m 23s in pawl itself; besides 1m 00s waiting
      - A person acted once, every 26m 00s at work

      ## Next

      - Review the work: \`git log --stat 1a2b3c4d5e..auth\`
      "
    `);
  });
});

it('an unchecked task is the first line, whatever else happened', () => {
  const state = fold(
    ...opening,
    ...closed('1', { proof: 'unchecked', reason: 'no check exists for it' }),
    byPerson('tick', { task: '2' }),
    fact('run-ended', {
      exit: 4,
      finished: true,
      reasons: [{ exit: 4, code: 'unchecked', text: 'task 1 is unchecked' }],
    }),
  );
  expect(receipt(state).split('\n').slice(0, 7)).toMatchInlineSnapshot(`
    [
      "**UNCHECKED: Task 1 (Add middleware) closed without a check that proves it**",
      "",
      "**Closed by hand, not checked by pawl: Task 2 (Add login)**",
      "",
      "**Finished: something is not proven or the review is not clean; task 1 is unchecked**",
      "",
      "Add user authentication: 0 of 2 tasks proven, 1 UNCHECKED, 1 closed by hand, on branch \`auth\`",
    ]
  `);
  expect(receipt(state)).toContain('Task 1: Add middleware — UNCHECKED');
  expect(receipt(state)).toContain('- Why unchecked: no check exists for it');
  expect(receipt(state)).toContain('Task 2: Add login — closed by hand');
});

it('a failed task says why, where its work lies, and what is not done', () => {
  const state = fold(
    ...opening,
    fact('task-started', { task: '1' }),
    fact('attempt-started', { task: '1', attempt: 3 }),
    ...session(1, '1'),
    fact('session-started', { session: 2, task: '1' }),
    fact('check-ended', { task: '1' }),
    fact('round-ended', { task: '1', attempt: 3, verdict: 'fail' }),
    setAside('failed', { task: '1' }),
    ending(1, 'task-failed', 'task 1 failed: red: npm test'),
  );
  for (const told of [
    '**Not finished: a task failed; task 1 failed: red: npm test**\n',
    '## ✗ Task 1: Add middleware — failed\n\n- Failed: red: npm test\n- Its work is kept: `pawl rescue show 1a2b3c4d5e`\n',
    '- `npm test`: red in 12s, exit 1 (already red before); it says: AssertionError: expected',
    '- 3 attempts, at least $0.21, 5m 00s in sessions, 12s in checks\n',
    '## Not done\n\n- Task 2: Add login\n',
  ])
    expect(receipt(state)).toContain(told);
});

it.each<[Partial<FactOf<'check-ended'>> & { isMended?: true }, number]>([
  [{ result: 'red', when: 'baseline' }, 1],
  [{ result: 'red', when: 'baseline', knownRed: true }, 0],
  [{ result: 'green', when: 'baseline' }, 0],
  [{ result: 'red', when: 'baseline', isMended: true }, 0],
])('a failed task under a baseline that was %o', ({ isMended = false, ...check }, count) => {
  const state = fold(
    ...opening,
    fact('check-ended', { ...check, check: 'plan:1', command: 'npm test' }),
    fact('task-started', { task: '1' }),
    ...(isMended ? [green('1')] : []),
    setAside('failed', { task: '1' }),
    ending(1, 'task-failed', 'task 1 failed: red: npm test'),
  );
  const named = receipt(state).match(
    /^- `npm test`: red .*\. No task closes over it: fix it, or mark it `\(known red\)` in the plan$/gm,
  );
  expect(named ?? []).toHaveLength(count);
});

test('the top and the end, by how the run ended', () => {
  const begun = [
    ...opening,
    fact('task-started', { task: '1' }),
    fact('attempt-started', { task: '1', attempt: 1 }),
  ];
  const others = [setAside('parked', { task: '1' }), setAside('skipped', { task: '2' })];
  const carried = [fact('carry-begun'), fact('carry-failed', { what: 'all' })];
  const reportOnly = fact('run-started', { review: { base: 'aa', reportOnly: true } });
  const raised = '`pawl run --max-cost 30 p.md` continues.';
  const stories: Readonly<Record<string, readonly Fact[]>> = {
    killed: begun,
    'failed, with others that wait for a person': [
      ...[...begun, ...others],
      ending(1, 'task-failed', 'task 3 failed'),
    ],
    'finished, and not carried whole': [...begun, ...carried, ended],
    'out of budget': [...begun, ending(5, 'budget', '$20 of $20 are spent')],
    'out of a budget that says how to go on': [...begun, ending(5, 'budget', '$20 of $20 are spent', raised)],
    refused: [...begun, ending(7, 'agent-refused', 'not logged in', 'Run claude once.')],
    broken: [...begun, ending(8, 'disk', 'no space')],
    'a review that only reports': [reportOnly, plan, ending(4, 'open', 'F1')],
    'one task of two': [...opening, ...closed('1'), ending(0, 'tasks-left', 'one task was asked for')],
  };
  const endOf = (facts: readonly Fact[], live: boolean) => {
    const [top = '', end = ''] = receipt(fold(...facts), live).split('## Next\n\n');
    return `${top.split('\n')[0]}\n${end}`;
  };
  expect(endOf(begun, true)).toBe('**Not finished: pawl is working on it**\n');
  expect(endOf([...begun, fact('waiting')], true)).toBe('**Not finished: waiting**\n');
  const told = Object.entries(stories).map(([name, facts]) => `${name}: ${endOf(facts, false)}`);
  expect(told.join('')).toMatchInlineSnapshot(`
    "killed: **Not finished: pawl was killed, or the machine went down; \`pawl run docs/plans/auth.md\` continues**
    - Continue where it stopped: \`pawl run docs/plans/auth.md\`
    failed, with others that wait for a person: **Not finished: a task failed; task 3 failed**
    - Answer task 1: \`pawl answer 1 "…"\`
    - Work on task 2 again, which was skipped: \`pawl retry 2\`
    - Continue where it stopped: \`pawl run docs/plans/auth.md\`
    - Review the work: \`git log --stat 1a2b3c4d5e..auth\`
    finished, and not carried whole: **Finished**
    - Carry the rest to origin, as soon as that works: \`git push --atomic origin refs/pawl/20261121-223005-auth/carrying:refs/pawl/20261121-223005-auth/carried auth\`
    - Review the work: \`git log --stat 1a2b3c4d5e..auth\`
    out of budget: **Not finished: the budget is spent; $20 of $20 are spent**
    - Raise the budget and continue: \`pawl run --max-cost N docs/plans/auth.md\`
    out of a budget that says how to go on: **Not finished: the budget is spent; $20 of $20 are spent**
    - \`pawl run --max-cost 30 p.md\` continues.
    refused: **Not finished: the agent refused; not logged in**
    - Run claude once.
    - Continue where it stopped: \`pawl run docs/plans/auth.md\`
    broken: **Not finished: the environment failed; no space**
    - Continue where it stopped: \`pawl run docs/plans/auth.md\`
    a review that only reports: **Not finished: something is not proven or the review is not clean; F1**
    - Read what was found: \`pawl report --findings\`
    one task of two: **Not finished: one task was asked for**
    - Review the work: \`git log --stat 1a2b3c4d5e..auth\`
    - Continue: \`pawl run docs/plans/auth.md\`
    "
  `);
});

describe('a finished run says how its work is taken over', () => {
  const worktree = { path: '/t', from: '/r', portOffset: 100 };
  const asked = { exit: 4, code: 'unchecked', text: 'task 1 is unchecked' };
  it.each<[string, readonly Fact[], string | undefined]>([
    [
      'from a branch',
      [...opening, fact('branch-created', { from: 'main' })],
      'Merge it: `git switch main && git merge auth`',
    ],
    [
      'from a branch whose name a shell would take apart',
      [fact('run-started', { branch: 'a;b' }), ...opening.slice(1), fact('branch-created', { from: 'c&d' })],
      "Merge it: `git switch 'c&d' && git merge 'a;b'`",
    ],
    ['from no branch', [...opening, fact('branch-created')], undefined],
    ['on a branch that was there', opening, undefined],
    [
      'in a tree of its own',
      [fact('run-started', { worktree }), ...opening.slice(1)],
      'Merge it into the branch you are on: `git merge auth`',
    ],
    [
      'in a tree of its own, whose plan is in no commit of the person’s',
      [fact('run-started', { worktree }), fact('plan-committed'), ...opening.slice(1)],
      'Merge it into the branch you are on (your uncommitted copy of the plan goes to the stash): `git stash push -u -- :/docs/plans/auth.md && git merge auth`',
    ],
    [
      'but not one to be looked at first',
      [...opening, fact('branch-created', { from: 'main' }), { ...ended, exit: 4, reasons: [asked] }],
      undefined,
    ],
    [
      'but not one that goes on',
      [...opening, fact('branch-created', { from: 'main' }), ending(0, 'tasks-left', 'one was asked for')],
      undefined,
    ],
  ])('%s', (_name, facts, wanted) => {
    const last = facts.at(-1)?.type === 'run-ended' ? [] : [ended];
    expect(/^- (Merge it.*)$/m.exec(receipt(fold(...facts, ...last)))?.[1]).toBe(wanted);
  });
});

it.each([
  ['taken', true],
  ['refused', false],
] as const)('a re-plan that is %s, in both receipts: %s', (result, isTold) => {
  const state = fold(...opening, fact('replan-started'), fact('replan-ended', { result }), ended);
  const short = shortReceipt(state).map(renderLine).join('\n');
  const told = 'Re-plan 1, at task 2: the plan was changed: tasks added 2a, changed 2';
  for (const text of [receipt(state), short])
    expect(text.replaceAll(/\s+/g, ' ').includes(told)).toBe(isTold);
});

it('says once what ended it, and nothing of it to one who was told', () => {
  const state = fold(
    ...opening,
    fact('task-started', { task: '1' }),
    fact('attempt-started', { task: '1', attempt: 1 }),
    fact('round-ended', { task: '1', attempt: 1, verdict: 'stop', reason: 'interrupted' }),
    ending(130, 'interrupted', 'interrupted', 'Look at the log.'),
  );
  const text = receipt(state);
  expect(text.split('\n')[0]).toBe('**Not finished: interrupted**');
  const told = shortReceipt(state, { endTold: true });
  expect(told[0]?.text).toMatch(/^Add user authentication: 0 of 2 tasks/);
  expect(told.map((line) => line.text)).toContain('Look at the log.');
  const [goesOn] = shortReceipt(fold(...opening), { endTold: true, live: true });
  expect(goesOn?.text).toBe('Not finished: pawl is working on it');
});

it.each<[string, Partial<FactOf<'plan-read'>>, number]>([
  ['that the plan has', {}, 1],
  ['of the task', { checks: [], tasks: [{ ...firstTask, checks: ['npm test'] }] }, 1],
  ['that was taken out of the plan', { checks: [] }, 0],
])('a red check %s counts, ticked or not', (_what, change, count) => {
  const red = fact('check-ended', { task: '1', when: 'after', command: 'npm test' });
  const begun = [...opening, fact('task-started', { task: '1' }), red, { ...plan, ...change } as Fact];
  const failed = receipt(fold(...begun, setAside('failed', { task: '1' })));
  expect(failed.match(/^- `npm test`: red/gm) ?? []).toHaveLength(count);
  const ticked = receipt(fold(...begun, byPerson('tick', { task: '1' })));
  expect(ticked.match(/RED, and ticked by hand: Task 1/g) ?? []).toHaveLength(count);
});

describe('a run that stopped in the middle of a task', () => {
  const change = { files: 1, insertions: 4, deletions: 0 };
  const none = { files: 0, insertions: 0, deletions: 0 };
  const stopped = (what: Partial<FactOf<'run-ended'>>, ...facts: readonly Fact[]) =>
    fold(...opening, ...facts, fact('run-ended', { exit: 130, reasons: [], ...what }));
  const begun = fact('task-started', { task: '1', tree: 'aa' });
  const where = '- Its work is in the working tree, uncommitted: `git status`';

  it.each([
    [{ difference: none }, 'no file changed'],
    [
      { difference: none, uncommitted: change },
      'nothing committed; 1 file, +4 −0 in the working tree, uncommitted',
    ],
    [
      { difference: change, uncommitted: change },
      '1 file, +4 −0 committed; 1 file, +4 −0 in the working tree, uncommitted',
    ],
  ])('%j: %s', (what, says) => {
    expect(receipt(stopped(what))).toContain(`\n\n${says}; Sat 21 Nov, 22:30`);
  });

  it('says where its work is, if there is any, and nobody is at it', () => {
    expect(receipt(stopped({}, begun))).toContain(where);
    expect(receipt(fold(...opening, begun))).toContain(where);
    const worktree = { path: '/state/a b', from: '/repo', portOffset: 100 };
    const elsewhere = fold(fact('run-started', { worktree }), plan, begun, fact('run-ended', { exit: 130 }));
    expect(receipt(elsewhere)).toContain(
      "- Its work is in the run’s own working tree, uncommitted: `git -C '/state/a b' status`",
    );
    expect(receipt(fold(...opening, begun), true)).not.toContain(where);
    const idle = fact('round-ended', { task: '1', tree: 'aa' });
    expect(receipt(stopped({}, begun, idle))).not.toContain(where);
    // A budget may be spent before its first session.
    expect(receipt(stopped({ exit: 5, tree: 'aa' }, begun))).not.toContain(where);
    expect(receipt(stopped({ exit: 5, tree: 'bb' }, begun))).toContain(where);
  });

  it.each([
    [[true], '1 attempt'],
    [[true, false], '1 attempt, 1 more that did not count'],
  ])('attempts that count: %j, as words: %s', (counts, says) => {
    const rounds = counts.flatMap((each, at) => [
      fact('attempt-started', { task: '1', attempt: at + 1 }),
      fact('round-ended', { task: '1', verdict: 'again', counts: each }),
    ]);
    expect(receipt(stopped({}, begun, ...rounds))).toContain(`\n- ${says}`);
  });

  it('shows no commits where there are none', () => {
    const [failed] = [setAside('failed', { task: '1', rescue: undefined })];
    const look = 'Review the work';
    expect(receipt(stopped({ exit: 1, difference: none }, begun, failed))).not.toContain(look);
    expect(receipt(stopped({ exit: 1, difference: change }, begun, failed))).toContain(look);
  });
});

const closedFirst = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, closed: task.id === '1' })) };
const note = byPerson('steer', { said: 'be kind' });
const acted = fact('act-found', { task: 'fix-first-1', act: 'edited-check', detail: 'run.sh was changed' });
const saved = fact('rescue-saved', { oid: 'aa11', notHeld: [{ file: 'big.bin', why: '40 MB' }] });
const { costUsd: _, ...unknownCost } = fact('session-ended', { session: 1, costAtLeast: true });
const hint = 'To accept it: `pawl run --require passed a.md`.';
const green1 = green('1');

/** What follows the start and the plan, what is said once, and what is not. */
it.each<[what: string, facts: readonly Fact[], says: string, saysNot?: string]>([
  [
    'tasks ticked before the run, beside those that it closed',
    [fact('plan-read'), ...closed('2'), ending(0, 'done', 'done')],
    'Add user authentication: 1 of 2 tasks proven, 1 closed before, on branch `auth`',
  ],
  [
    'a task ticked before the run, which is neither proven nor left',
    [closedFirst, ended],
    '## Not done\n\n- Task 2: Add login',
    'Task 1',
  ],
  [
    'what sessions of no task did again and again',
    [acted, acted, acted, ending(4, 'review', 'not clean')],
    'run.sh was changed',
  ],
  ['a note that waits for a session', [note], 'No session was given note 1 yet: be kind'],
  ['a note that none will get any more', [note, ended], 'No session was given note 1: be kind'],
  [
    'an unknown cost, never as a zero',
    [fact('session-started', { session: 1, task: '1' }), unknownCost, ended],
    '- Spent: cost unknown',
    '$0',
  ],
  [
    'what the rescue of a failed task does not hold',
    [saved, setAside('failed', { task: '2', rescue: 'aa11' })],
    'Not kept: big.bin (40 MB)',
  ],
  [
    'nothing of what another rescue does not hold',
    [saved, setAside('failed', { task: '2', rescue: 'bb22' })],
    '## ✗ Task 2: Add login — failed',
    'big.bin',
  ],
  [
    'a check of its own that was red before the work, though what landed came in between',
    [
      fact('check-ended', { ...green1, when: 'before', result: 'red' }),
      fact('task-started', { task: '1', red: [green1.check] }),
      fact('lane-catching-up', { task: '1', conflicts: [], landed: ['2'] }),
      fact('lane-caught-up', { task: '1' }),
      green1,
      fact('task-closed', { task: '1' }),
      ended,
    ],
    '- 1 check red before, green now\n',
    'stayed green',
  ],
  [
    'a check that a task turned green and a later one ran again, once',
    [
      fact('check-ended', { ...green1, when: 'before', result: 'red' }),
      fact('task-started', { task: '1', red: [green1.check] }),
      green1,
      fact('task-closed', { task: '1' }),
      fact('task-started', { task: '2', red: [] }),
      green('2'),
      green('2', { check: 'plan:2', command: 'npm run lint' }),
      fact('task-closed', { task: '2' }),
      ended,
    ],
    '- 1 check red before, green now\n- 1 check stayed green\n',
  ],
  [
    'a check that an edit of the plan put in the place of a red one',
    [
      fact('check-ended', { ...green1, command: 'npm tset', when: 'before', result: 'red' }),
      fact('task-started', { task: '1', red: [green1.check] }),
      green1,
      fact('task-closed', { task: '1' }),
      ended,
    ],
    '- 1 check stayed green\n',
    'red before',
  ],
  [
    'a question, as it was put',
    [setAside('parked', { task: '1', reason: 'Which *my_table*, _x?' })],
    '- It asks: Which \\*my_table\\*, \\_x?\n',
  ],
  [
    'work of a failed task that another machine’s take-over put aside',
    [
      fact('task-started', { task: '1' }),
      setAside('failed', { task: '1', rescue: undefined }),
      fact('carry-work-aside', { rescue: 'aa11bb22cc33' }),
    ],
    'Its work is kept: `pawl rescue show aa11bb22cc33`',
    'Its work is in',
  ],
  [
    'optional steps',
    [fact('plan-read', { tasks: [{ ...firstTask, optional: ['Write a benchmark'] }] })],
    '## Optional steps, not waited for\n\n- Write a benchmark (task 1)\n',
  ],
  ['a finalizing that goes on', [finalizing], '## Finalized\n\n- Not finished\n'],
  [
    'a finalizing that failed, and where its work is',
    [finalizing, finalized({ result: 'failed', reason: 'red: npm test', rescue: 'ab'.repeat(20) })],
    '- Not finalized: red: npm test\n- its work is kept: pawl rescue show ababababab\n',
  ],
  [
    'a finalizing that was committed',
    [finalizing, finalized({ result: 'committed', reason: '2 checks green', oid: 'ab'.repeat(20) })],
    '## Finalized\n\n- Finalized in ababababab: 2 checks green\n',
  ],
  [
    'what a finalizing took from a test',
    [finalizing, fact('tamper-noted', { task: 'finalize' }), finalized({ result: 'committed' })],
    "- Look at this: test skipped in test/auth.test.ts:12: it.skip('logs in', () =\\> {\n",
  ],
  [
    'no check as red that work after the tasks turned green',
    [
      green('', { when: 'baseline', result: 'red', exitCode: 1 }),
      finalizing,
      green('finalize'),
      finalized({ result: 'committed' }),
      ended,
    ],
    '## Finalized',
    'Red before the first task',
  ],
  [
    'commits that became one, and where the old ones are',
    [fact('run-squashed')],
    '- 2 commits became c1c1c1c1c1; the old ones are kept as `refs/pawl/r1/squashed/001`\n',
  ],
  ['no finalizing where there was none', [ended], '**Finished**', '## Finalized'],
  [
    'the command of a hint, without a full stop behind it',
    [...closed('1'), ending(4, 'not-proven', 'passed', hint)],
    '- To accept it: `pawl run --require passed a.md`\n',
  ],
])('tells of %s', (_what, facts, says, saysNot = '\0') => {
  const text = receipt(fold(...opening, ...facts));
  expect(text.split(says)).toHaveLength(2);
  expect(text).not.toContain(saysNot);
});
