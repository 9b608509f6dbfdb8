// The words of every fact and of every kind of activity, as people read them.
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/event/activity.ts';
import { type Event, type Fact, type FactOf, factName, factSchema } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { foldContext } from '../../../src/report/events/format-check.ts';
import { formatEvent } from '../../../src/report/events/format-event.ts';
import type { RenderContext } from '../../../src/report/events/render-context.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import {
  byPerson,
  fact,
  factSchemas,
  finalized,
  nameOf,
  sampleFacts,
  setAside,
  stampAll,
} from '../../helpers/facts.ts';

function say(event: Event, verbose = true): string {
  return formatEvent(event, { verbose })
    .map((line) => `${line.tone.padEnd(5)} ${renderLine(line)}`)
    .join('\n');
}

function sayAll(events: readonly Event[], verbose = true): string {
  return events.map((event) => say(event, verbose)).join('\n');
}

function act(event: AgentEvent): Event {
  return { type: 'activity', session: 3, task: '2', event };
}

describe('every fact', () => {
  const types = factSchemas.map(nameOf) as (keyof typeof sampleFacts)[];

  it('has a sample, which is valid', () => {
    for (const sample of Object.values(sampleFacts)) expect(factSchema.parse(sample)).toEqual(sample);
  });

  it.each(types)('%s is worded, with every choice of its enumerations', (type) => {
    for (const variant of [fact(type), ...variantsOf(fact(type))])
      expect(say(variant)).toMatch(/^(?!.*(?:undefined|NaN|\[object|null)).*\S/s);
  });
});

/** The fact with each value of each of its top-level enumerations. */
function variantsOf(sample: Fact): readonly Fact[] {
  const schema = factSchemas.find(
    (each) => nameOf(each) === factName(sample) || nameOf(each) === sample.type,
  );
  return Object.entries<object>(schema?.shape ?? {}).flatMap(([key, field]) => {
    const choices = 'options' in field ? (field.options as readonly unknown[]) : [];
    return choices.map((choice) => factSchema.parse({ ...sample, [key]: choice }));
  });
}

const rescue = 'ab'.repeat(20);
const check = (change: Partial<FactOf<'check-ended'>>) =>
  fact('check-ended', { alreadyRed: false, ...change });
const { experiments: _, ...untried } = fact('proof-judged', { task: '2', reasons: ['why'] });
const judged = (word: FactOf<'proof-judged'>['word']) => ({ ...untried, word });
const left = { exit: 0, code: 'tasks-left', text: '1 task is open; the same command continues' };

/** What changes the words of a fact, beside its sample. */
const variants: readonly Fact[] = [
  fact('run-resumed', { after: 'stop', dirt: [] }),
  fact('run-ended', { exit: 0, reasons: [], finished: true }),
  fact('run-ended', { exit: 0, reasons: [left], finished: false }),
  fact('run-ended', { exit: 130, reasons: [{ exit: 130, code: 'interrupted', text: 'interrupted' }] }),
  fact('attempt-started', { attempt: 1 }),
  fact('round-ended', { verdict: 'replan', counts: false }),
  fact('task-closed', { proof: 'passed', pending: { turnedGreen: true } }),
  fact('task-closed', { proof: 'unchecked', reason: 'no check exists for it', files: 1 }),
  judged('proven'),
  judged('unchecked'),
  byPerson('tick'),
  byPerson('answer'),
  setAside('parked'),
  setAside('failed'),
  setAside('open'),
  check({ result: 'timed-out', exitCode: null, when: 'baseline', knownRed: true }),
  check({ result: 'could-not-run', exitCode: 127, when: 'verify', alreadyRed: true }),
  check({ result: 'green', when: 'before' }),
  check({ result: 'green', when: 'before', check: 'task:2:1' }),
  check({ result: 'interrupted', when: 'baseline' }),
  finalized({ result: 'committed', reason: '2 checks green', oid: rescue }),
  finalized({ result: 'failed', reason: 'red: npm test', rescue }),
];

/** Those that say nothing are told with `verbose` alone. */
it('each fact, and what changes its words', () => {
  const told = [...Object.values(sampleFacts), ...variants].map((each) => say(each, false)).filter(Boolean);
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "head  Add user authentication
    plain   branch auth, claude opus
    head  Continuing where the run was cut off
    warn    2 changed files in the tree: src/auth.ts, src/new.ts
    warn  Waiting for the usage limit until Sun 22 Nov, 02:30: 5-hour limit reached
    dim     the run then continues by itself; Ctrl-C stops it, and the same command resumes it
    plain The wait is over; continuing
    plain Plan moved to docs/plans/completed/auth.md
    warn  Note: the clone is shallow
    bad   ✗ Run stopped: a task failed (exit 1)
    bad     task 2 failed: red: npm test
    head  Task 2: Add login
    plain Your changes to the checks of task 2 now apply: package.json
    dim     Attempt 2, because the last one ended: red: npm test
    warn    ↩ correction  session 3 gets this output
    warn    Attempt 1: red: npm test → a fresh attempt follows
    warn    Task 2 is stuck: attempt 2 ended with the same failure as attempt 1 → the next attempt must find the cause first
    good  ✓ Task 2 closed, proven: 2 checks green (3 files, +40 −2, commit 1a2b3c4d5e)
    warn  Task 2 was undone and is open again: the branch went back to its start
    warn  ? Task 2 asks you: Which table holds the users?
    dim     answer with: pawl answer 2 "…"
    plain ✓ Task 2 proven  12 of 14 lines proven · unproven: src/auth.ts:40-41 (executed, not missed) · 1 hunk only removed · 3 hunks without code · its tests: red without the work · 6 runs of the checks, 5s
    bad     ✗ npm test  red in 12s, exit 1 (already red before)
    plain       AssertionError: expected 401 to be 200
    warn    There were commits that pawl did not make (2 commits on auth): their content goes into pawl’s commit; kept as refs/pawl/r/absorbed/001
    bad     Not committed: deploy.pem, because its name looks like a secret’s (*.pem). Ignore it, or list it in commit.include
    warn    Look at this: test skipped in test/auth.test.ts:12: it.skip('logs in', () => {
    bad   Not green at the end: red in a fresh checkout: ./run.sh; only the run’s tree has: lib/
    dim     checks created files that will not be committed: coverage/index.html
    warn    The sandbox blocked paste.example:443: the host is not on the list. To allow it, add paste.example:443 to sandbox.allow in your own settings
    dim     Not saved in the rescue: big.bin (40 MB)
    warn  Plan edit 1 was set aside and the plan restored: task 3 was removed
    dim     it is in plan-001.proposed.md in the run folder; to take it, copy it over the plan while the run is paused or stopped
    warn    codex continues instead of claude, which is at its usage limit (it resets Sun 22 Nov, 02:30)
    warn    A time limit was reached: silence (10m 00s)
    warn    Usage limit (5h) nearly reached, 91% used, resets Sun 22 Nov, 02:30
    dim     ended 1 process left running by session 3: node server.js (88)
    warn    Session 3 ended as crashed, the process ended in the middle of a turn
    head  Review first: quality, testing
    good  Review first: clean (2 reviewers answered, nothing at or above minor)
    plain   Round 1 at 1a2b3c4d5e
    dim     Round 1 ended: HEAD moved; another round follows
    plain   quality has 1 finding
    plain     F1 major src/auth.ts:12 The token is compared with ==
    warn    F1 confirmed: its proof is red (exit code 1)
    plain     F1 fixed: compares in constant time
    plain   F1 is given to a fixer
    good  2 commits became c1c1c1c1c1; the old ones are kept as \`refs/pawl/r1/squashed/001\`
    good  The pull request into main, at 1a2b3c4d5e: https://forge.invalid/pull/7
    bad   CI is red on 1a2b3c4d5e: test
    dim     test: https://forge.invalid/jobs/1
    good  ann is answered: Fixed in 1a2b3c4d5e6f: renamed
    dim     src/auth.ts:3: Rename it.
    head  Question 1: Store
    plain   Where are sessions kept?
    plain   The app has a Redis already.
    good  Answer 1: Redis
    head  Draft 1: 2 tasks, 2 checks of their own
    warn    task 1: \`true\` passes before any work
    plain Draft 1 was commented on
    good  The plan is written: docs/plans/2026-11-22-auth.md
    head  Re-plan 1, at task 2: red: npm test
    dim     …
    dim      ### Task 2: Add login
    bad     -- [ ] POST
    good    +- [ ] GET
    good  Re-plan 1: the plan was changed: tasks added 2a, changed 2
    dim     its work is kept: pawl rescue show 1a2b3c4d5e
    warn  Paused: no session is running and all timers are stopped. You can edit the plan now.
    dim     continue with: pawl continue
    plain   Session 3 was given note 1, note 2
    warn  80% of the budget of this run is spent: at least $16.10 of $20.00
    warn  Task 2 does not land yet: src/api.ts in conflict with task 1
    warn  You have changed src/api.ts: the branch has a newer version, yours stays
    dim     git diff shows the difference
    warn  Not carried: could not read from remote repository
    dim     The run is carried as soon as that works again
    head  Taken up from laptop, which last carried it on Sat 21 Nov, 22:40
    bad   server has taken this run up: it ends here
    warn    Its unfinished work here was taken out of the tree, and is kept
    dim     \`pawl rescue restore 1a2b3c4d5e\` brings it back
    head  Continuing where the run stopped
    good  ✓ Run finished (exit 0)
    good  Run stopped as asked, not finished (exit 0)
    plain   1 task is open; the same command continues
    bad   ✗ Run stopped: interrupted (exit 130)
    warn    Attempt 1: red: npm test → a planner is asked; it does not count as an attempt
    good  ✓ Task 2 closed; its proof follows: 2 checks green (3 files, +40 −2, commit 1a2b3c4d5e)
    warn  ! Task 2 closed UNCHECKED: no check exists for it (1 file, +40 −2, commit 1a2b3c4d5e)
    plain ✓ Task 2 proven
    warn  ! Task 2 unchecked: why
    warn  Task 2 was ticked by hand
    plain Task 2 was answered: accounts
    warn  ? Task 2 asks you: Which table holds the users?
    dim     answer with: pawl answer 2 "…"
    bad   ✗ Task 2 failed: red: npm test
    dim     its work is kept: pawl rescue show 1a2b3c4d5e
    warn  The unfinished work of task 2 was set aside (1a2b3c4d5e)
    dim     the next attempt at that task starts from it
    warn    ! npm test  timed out after 12s on the untouched tree (known red, excused)
    plain       AssertionError: expected 401 to be 200
    bad     ✗ npm test  could not run, exit 127 (a program was not found) on the commit (already red before)
    plain       AssertionError: expected 401 to be 200
    warn    ! npm test  is green before the work, so it proves nothing about it
    good  Finalized in ababababab: 2 checks green
    warn  Not finalized: red: npm test
    dim     its work is kept: pawl rescue show ababababab"
  `);
});

it('names files as their session sees them, and says what a call is for', () => {
  const call = activity['tool-started'];
  const told = after(fact('session-started', { cwd: '/r' }));
  const write = act({ ...call, tool: 'Write', detail: '/r/src/a.ts' });
  expect(formatEvent(write, { ...told, verbose: false })[0]?.text).toBe('Write  src/a.ts');
  const bash = act({ ...call, detail: 'sed -i s/a/b/ /r/x', purpose: 'Rename a' });
  expect(formatEvent(bash, { ...told, verbose: false })[0]?.text).toBe('Bash  Rename a');
  expect(formatEvent(bash, { ...told, verbose: true })[0]?.text).toBe('Bash  sed -i s/a/b/ x');
});

/** What is known after these events of a run. */
function after(...told: readonly Event[]): RenderContext {
  if (told.length === 0) return { verbose: false };
  const events = stampAll([fact('run-started'), fact('plan-read'), ...told]);
  const state = foldRun(events.filter((event) => event.type !== 'activity'));
  return { ...events.reduce(foldContext, { verbose: false }), state };
}

/** What the last event says to one who was told all the others. */
function sayAfter(told: readonly Event[], event: Event, options: { verbose?: boolean; runs?: string } = {}) {
  return formatEvent(event, { ...after(...told), ...options }).map(renderLine);
}

describe('what was told before', () => {
  const [started, plan] = [fact('run-started'), fact('plan-read')];
  const attempt = fact('attempt-started', { reason: 'interrupted' });

  it.each<[string, readonly Event[], string | undefined, string]>([
    ['nothing', [], undefined, 'checks/004-plan-1.log in the run folder'],
    ['the run', [started], undefined, '.git/pawl/runs/20261121-223005-auth/checks/004-plan-1.log'],
    ['the run, seen from beside', [started], '../r', '../r/20261121-223005-auth/checks/004-plan-1.log'],
  ])('%s: names a file of the run', (_name, told, runs, file) => {
    const options = { verbose: true, ...(runs === undefined ? {} : { runs }) };
    expect(sayAfter(told, fact('check-ended'), options).at(-1)).toBe(`    its output: ${file}`);
    const aside = file.replace('checks/004-plan-1.log', 'plan-001.proposed.md');
    expect(sayAfter(told, fact('plan-edit-set-aside'), options)[1]).toContain(
      `it is in ${aside}; to take it`,
    );
  });

  it('its start in this life of the run: the task is named with its attempt only after a stop', () => {
    const told = [plan, fact('task-started')];
    const words = '  Attempt 2, because the last one ended: interrupted';
    expect(sayAfter(told, attempt)).toEqual([words]);
    expect(sayAfter([...told, fact('run-resumed')], attempt)).toEqual(['Task 2: Add login', words]);
  });
});

const activity: { readonly [T in AgentEvent['type']]: Extract<AgentEvent, { type: T }> } = {
  started: { type: 'started', agentSession: 's', model: 'opus', version: '2.1.330' },
  said: { type: 'said', text: 'First I look.\n\n  Then I act.\r\n', main: true, synthetic: false },
  thought: { type: 'thought', main: true },
  'tool-started': { type: 'tool-started', id: 't1', tool: 'Bash', detail: 'npm test', main: true },
  'tool-ended': { type: 'tool-ended', id: 't1', isError: true, main: true },
  heartbeat: { type: 'heartbeat' },
  background: { type: 'background', open: ['npm run dev'] },
  'api-retry': { type: 'api-retry', attempt: 1, max: 10, delayMs: 1100, status: 529, reason: 'overloaded' },
  'model-fallback': { type: 'model-fallback', from: 'opus', to: 'sonnet', reason: 'overloaded' },
  limit: { type: 'limit', status: 'warning', window: '5h', utilization: 0.9, resetsAt: 0 },
  context: { type: 'context', tokens: 82_000, model: 'opus' },
  compacted: { type: 'compacted', before: 160_000, after: 20_000 },
  denied: { type: 'denied', tool: 'WebFetch', reason: 'not allowed' },
  'writes-lost': { type: 'writes-lost' },
  result: { type: 'result', text: 'done', isError: false, reason: 'completed' },
  busy: { type: 'busy' },
  idle: { type: 'idle' },
  cost: { type: 'cost', costUsd: 0.0031 },
  reply: { type: 'reply', requestId: 'r1' },
  noise: { type: 'noise', text: 'npm warn deprecated' },
};

it('words activity', () => {
  expect(sayAll(Object.values(activity).map(act), false)).toMatchInlineSnapshot(`
    "
    plain     First I look.
    plain       Then I act.

    dim       Bash  npm test


    dim       running in the background: npm run dev
    warn      The model did not answer (529 overloaded); retry 1 of 10 in 1s
    warn      The model opus is not available (overloaded); continuing with sonnet


    dim       the agent summarised its conversation
    warn      The agent was not allowed to use WebFetch: not allowed
    warn      the agent lost what it wrote of its conversation





    dim       npm warn deprecated"
  `);
  for (const event of Object.values(activity)) expect(say(act(event)), event.type).not.toBe('');
});

it('shows sub-agents only where asked, and dim', () => {
  const said = act({ ...activity.said, main: false });
  const tool = act({ ...activity['tool-started'], main: false });
  expect(say(said, false)).toBe('');
  expect(say(tool, false)).toBe('');
  expect(formatEvent(said, { verbose: true }).map((line) => line.tone)).toEqual(['dim', 'dim']);
  expect(say(tool)).toBe('dim       (sub-agent) Bash  npm test');
});

it.each([
  ['It works.\n\n<<<PAWL:TASK_DONE 04b4>>> Slugs.\n', ['It works.']],
  ['<<<PAWL:TASK_DONE 04b4>>>', []],
  ['Done.\r\n<<<RALPHEX:ALL_TASKS_DONE>>>', ['Done.']],
  ['Done.\n<<<PAWL:TASK_DONE>>>', ['Done.', '<<<PAWL:TASK_DONE>>>']],
  [
    '<<<PAWL:TASK_DONE 04b4>>> is what I print.\nNot yet.',
    ['<<<PAWL:TASK_DONE 04b4>>> is what I print.', 'Not yet.'],
  ],
  ['I print <<<PAWL:TASK_DONE 04b4>>>', ['I print <<<PAWL:TASK_DONE 04b4>>>']],
])('of %j the marker is kept for verbose', (text, lines) => {
  const said = act({ ...activity.said, text });
  expect(formatEvent(said, { verbose: false }).map((line) => line.text)).toEqual(lines);
  expect(say(said)).toContain('<<<');
});

const answers = '{"answers": [{"finding": "F1", "answer": "fixed", "reason": "said why"}]}';

it.each([
  [`Mended.\n\n\`\`\`json\n${answers}\n\`\`\`\n<<<PAWL:TASK_DONE 04b4>>> mended it`, ['Mended.']],
  [`Mended.\r\n~~~JSON\r\n${answers}\r\n~~~\r\n`, ['Mended.']],
  ['It is wrong.\n```json\n{"findings": []}\n```', ['It is wrong.']],
  ['{"findings":[]}', []],
  ['{"name":"x"}', ['{"name":"x"}']],
  [
    'Asked for:\n```json\n{}\n```\nMine:\n```json\n{"findings": []}',
    ['Asked for:', '```json', '{}', '```', 'Mine:'],
  ],
  ['```json\n{"answers": [{"finding": "F1"}]}\n```', ['```json', '{"answers": [{"finding": "F1"}]}', '```']],
  [
    '```json\n{"findings": []}\n```\nwould be wrong',
    ['```json', '{"findings": []}', '```', 'would be wrong'],
  ],
])('of %j an answer about findings, told as such, is kept for verbose', (text, lines) => {
  const said = act({ ...activity.said, text });
  expect(formatEvent(said, { verbose: false }).map((line) => line.text)).toEqual(lines);
  expect(say(said)).toContain('{');
});

it.each([
  ['[Request interrupted by user]', true, 0],
  ['[Request interrupted by user]', false, 1],
  ['API Error: 529', true, 1],
])('%j, synthetic %s, is %i lines', (text, synthetic, count) => {
  expect(formatEvent(act({ ...activity.said, text, synthetic }), { verbose: false })).toHaveLength(count);
  expect(say(act({ ...activity.said, text, synthetic }))).toContain(text);
});

it('bounds what an agent says', () => {
  const lines = formatEvent(act({ ...activity.said, text: 'x'.repeat(5_000_000) }), { verbose: false });
  expect(lines.map((line) => line.text.length)).toEqual([8000, 52]);
});

it('of many tries at the model tells the first and the last, and no word of the CLI to the model', () => {
  const told = [1, 2, 6, 7].flatMap((attempt) =>
    formatEvent(act({ ...activity['api-retry'], attempt, max: 7 }), { verbose: false }),
  );
  expect(told.map(({ text }) => /retry \d/.exec(text)?.[0])).toEqual(['retry 1', 'retry 7']);
  const text = '[structured-output-enforce] You MUST call the tool.';
  expect(formatEvent(act({ ...activity.said, text, synthetic: true }), { verbose: false })).toEqual([]);
});

it('says whose words are whose where reviewers speak side by side', () => {
  const started = fact('session-started', { session: 3, role: 'review', reviewer: 'quality' });
  const crashed = fact('session-ended', { session: 3 });
  const ended = (verbose: boolean) =>
    formatEvent(crashed, { ...after(started), verbose }).map(({ text }) => text);
  // The review says who did not answer.
  expect(ended(false)).toEqual([]);
  expect(ended(true)).toEqual([expect.stringMatching(/^session-ended {2}session 3 .*outcome crashed/)]);
  const said = { type: 'said', text: 'Looking.', main: true, synthetic: false } as const;
  const event = { type: 'activity', session: 3, event: said } as const;
  const heard = (context: RenderContext) => formatEvent(event, context).map(({ text }) => text);
  expect(heard(after(started))).toEqual(['quality: Looking.']);
  expect(heard({ verbose: false })).toEqual(['Looking.']);
});

it('says which session got what a person noted, at its start or in its turn', () => {
  const told = '  Session 3 was given note 1, note 2';
  expect(sayAfter([], fact('notes-delivered'))).toEqual([told]);
  expect(sayAfter([], fact('session-started', { notes: [1, 2] }))).toEqual([told]);
  expect(sayAfter([], fact('session-started', { notes: [] }))).toEqual([]);
});

describe('what follows from a line is told once', () => {
  const round = fact('round-ended');
  const attempt = fact('attempt-started');

  it('a fresh attempt repeats the reason of a round only where that was told before a stop', () => {
    expect(sayAfter([fact('task-started'), round], attempt)).toEqual(['  Attempt 2']);
    // The question follows.
    expect(sayAfter([], fact('round-ended', { verdict: 'park', counts: false }))).toEqual([]);
    const again = [fact('task-started'), round, fact('run-resumed'), fact('task-started')];
    expect(sayAfter(again, attempt)).toEqual(['  Attempt 2, because the last one ended: red: npm test']);
    const stopped = [fact('task-started'), fact('run-resumed')];
    expect(sayAfter(stopped, attempt)[0]).toMatch(/^Task 2: /);
    expect(sayAfter([...stopped, round], attempt)).toEqual(['  Attempt 2']);
    const ofFix = { task: 'fix-first-1' };
    const fix = [fact('work-planned'), fact('task-started', ofFix), fact('round-ended', ofFix)];
    expect(sayAfter(fix, fact('attempt-started', ofFix))).toEqual(['  Attempt 2']);
  });

  it('a session that is corrected gets the output above, or is told what else is wrong', () => {
    const sent = (reason: string) => sayAfter([], fact('correction-sent', { kind: 'red', reason }));
    expect(sent('red: npm test')).toEqual(['  ↩ correction  session 3 gets this output']);
    expect(sent('F1 is not answered')).toEqual(['  ↩ correction  session 3 is told: F1 is not answered']);
  });

  it('a process that was left is named, not its whole script', () => {
    const processes = [{ pid: 7, command: 'sh -c '.concat('echo x; '.repeat(200)) }];
    const [said = ''] = sayAfter([], fact('leftovers-ended', { processes }));
    expect(said).toMatch(/^ {2}ended 1 process left running by session 3: sh -c echo .{20,90}… \(7\)$/);
  });

  it('the last round of a task that fails, and the end of the run for it, are told by the failure', () => {
    const failed = setAside('failed');
    expect(sayAfter([], { ...round, verdict: 'fail' })).toEqual([]);
    expect(sayAfter([failed], fact('run-ended'))).toEqual(['✗ Run stopped: a task failed (exit 1)']);
  });

  it('a fix is told by its close, and the last round of a review by the end of its stage', () => {
    expect(sayAfter([], fact('work-ended', { result: 'committed' }))).toEqual([]);
    expect(sayAfter([], fact('work-ended', { result: 'nothing' }))).toHaveLength(1);
    expect(sayAfter([], fact('review-round-ended', { verdict: 'end' }))).toEqual([]);
    expect(sayAfter([], fact('review-round-ended', { verdict: 'again' }))).toHaveLength(1);
  });

  it('what was red on the untouched tree means something, unless it is excused', () => {
    const tried = (command: string, change: Partial<FactOf<'check-ended'>> = {}) =>
      fact('check-ended', { check: command, command, when: 'baseline', ...change });
    const ended = fact('phase', { state: 'ended', phase: 'baseline', reason: 'already red: npm test' });
    const excused = [tried('a', { result: 'green' }), tried('b', { knownRed: true })];
    expect(sayAfter(excused, ended)).toEqual([]);
    const means =
      '  Red before any work, and no task closes over a red check: the first one must turn it green, unless the plan marks it (known red): ';
    expect(sayAfter([tried('npm test'), ...excused], ended)).toEqual([`${means}npm test`]);
    const could = tried('c', { result: 'could-not-run' });
    expect(sayAfter([tried('npm test'), could], ended)).toEqual([`${means}npm test, c`]);
  });
});

it('tells of a check that is green where it was red on the same files', () => {
  const tree = fact('tree-written');
  const red = fact('check-ended', { result: 'red' });
  const green = fact('check-ended', { result: 'green' });
  const flaky = '    the same check was red before on exactly the same files: it is flaky';
  expect(sayAfter([tree, red, tree], green).at(-1)).toBe(flaky);
  expect(sayAfter([tree, red, { ...tree, tree: 'other' }], green)).toEqual([]);
});

it('shows whole commands where asked', () => {
  const tool = act({ ...activity['tool-started'], detail: 'x'.repeat(1000) });
  const length = (verbose: boolean) => formatEvent(tool, { verbose })[0]?.text.length;
  expect([length(false), length(true)]).toEqual([6 + 200 + 1, 6 + 1000]);
});

it('leaves out the call by which an answer is given as data', () => {
  const tool = act({ ...activity['tool-started'], tool: 'StructuredOutput' });
  expect([say(tool, false), say(tool)]).toEqual(['', 'dim       StructuredOutput  npm test']);
});
