import { describe, expect, test } from 'vitest';
import { foldRun } from '../../../src/journal/fold.ts';
import { parseJournal } from '../../../src/journal/read-journal.ts';
import { whyResumed } from '../../../src/phase/open/begin-run.ts';
import { type Claim, judgeClaim, type OnBranch } from '../../../src/start/fleet/claim.ts';
import { endOf, isJobOf, judgeStart } from '../../../src/start/fleet/judge-life.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const run = { run: 'r', host: 'laptop', plan: 'p.md', branch: 'p', ended: false, job: 'j1', jobs: ['j1'] };
const done = { kind: 'done' as const, exit: 0, says: '' };
const root = '/life';

describe('what a start of a job does where', () => {
  type Given = Omit<Parameters<typeof judgeStart>[1], 'claim'> & Readonly<{ claim?: Claim }>;
  const claimed = { says: 'run r', helps: 'stop it' };
  test.each<[string, Given, string]>([
    ['nothing was ever begun', { found: undefined, lives: [], result: undefined }, 'begin'],
    [
      'an earlier life left a clone without its run',
      { found: undefined, lives: [{ root, standing: undefined }], result: undefined },
      'begin',
    ],
    ['its run is on the remote', { found: run, lives: [], result: undefined }, 'take'],
    [
      'another took its run, and gave it back',
      { found: run, lives: [{ root, standing: 'take' }], result: undefined },
      'take',
    ],
    [
      'its run goes on in an earlier clone',
      { found: run, lives: [{ root, standing: 'here' }], result: undefined },
      'here',
    ],
    [
      'its run has ended in an earlier clone, which the remote was not told',
      { found: run, lives: [{ root, standing: 'untold' }], result: undefined },
      'here',
    ],
    [
      'a pawl works in an earlier clone',
      { found: run, lives: [{ root, standing: 'live' }], result: undefined },
      'wait',
    ],
    [
      'a pawl works in an earlier clone, which the remote does not know yet',
      { found: undefined, lives: [{ root, standing: 'live' }], result: undefined },
      'wait',
    ],
    ['its run is over', { found: run, lives: [], result: done }, 'done'],
    [
      'a person took its run home',
      { found: { run: 'r', host: 'laptop', jobs: ['j1'] }, lives: [], result: undefined },
      'elsewhere',
    ],
    [
      'its run goes on for a later job',
      { found: { ...run, job: 'j2', jobs: ['j1', 'j2'] }, lives: [], result: undefined },
      'elsewhere',
    ],
    [
      'an open run of its plan was worked on for others only',
      { found: { ...run, job: 'j2', jobs: ['j2'] }, lives: [], result: undefined },
      'take',
    ],
    [
      'its branch is another’s',
      { found: undefined, lives: [], result: undefined, claim: { kind: 'theirs', ...claimed } },
      'parted',
    ],
    [
      'a person took its plan up while it was in the queue',
      { found: undefined, lives: [], result: undefined, claim: { kind: 'elsewhere', ...claimed } },
      'elsewhere',
    ],
    [
      'a run of its plan is worked on for another job',
      { found: undefined, lives: [], result: undefined, claim: { kind: 'busy', ...claimed } },
      'wait',
    ],
  ])('%s', (_, given, wanted) => {
    const start = judgeStart('j1', { claim: { kind: 'free' }, ...given });
    expect(start.kind === 'over' ? start.result.kind : start.kind).toBe(wanted);
  });
});

const untold = { run: 'r', plan: 'p.md', host: 'laptop', isAtWork: false };
const theirs = { ...untold, base: 'main' };

test.each<[string, OnBranch, Claim['kind']]>([
  ['nothing is', { run: undefined, isAhead: false }, 'free'],
  ['commits of others are', { run: undefined, isAhead: true }, 'theirs'],
  ['its run is, which stands still', { run: theirs, isAhead: true }, 'goesOn'],
  ['its run is, by a pawl that did not tell its base', { run: untold, isAhead: true }, 'goesOn'],
  [
    'its run is, and a person works on it',
    { run: { ...theirs, isAtWork: true }, isAhead: true },
    'elsewhere',
  ],
  [
    'its run is, worked on for another job',
    { run: { ...theirs, isAtWork: true, job: 'j2' }, isAhead: true },
    'busy',
  ],
  [
    'a run of the plan from another base is',
    { run: { ...theirs, base: 'release' }, isAhead: true },
    'theirs',
  ],
  ['a run of another plan is', { run: { ...theirs, plan: 'x/p.md' }, isAhead: false }, 'theirs'],
])('a job whose branch is on the remote, where %s', (_, on, wanted) => {
  expect(judgeClaim({ plan: 'p.md', base: 'main', branch: 'p' }, on).kind).toBe(wanted);
});

test('a plan that is done is not told to delete its work', () => {
  const finished = { run: 'r', plan: 'p.md', host: 'box' };
  const claim = judgeClaim(
    { plan: 'p.md', base: 'main', branch: 'p' },
    { run: undefined, isAhead: true, finished },
  );
  expect(claim).toMatchObject({
    kind: 'theirs',
    says: expect.stringContaining('p.md is done: its work is on p'),
  });
  expect(JSON.stringify(claim)).not.toContain('--delete');
});

test('a finished run that a person took home is still the run of its job', () => {
  expect([isJobOf({ jobs: ['j1'] }, 'j1'), isJobOf({ jobs: ['j2'] }, 'j1')]).toEqual([true, false]);
});

const at = '2026-01-01T00:00:00.000Z';
const { 'run-started': started, 'carry-begun': begun, 'run-ended': ended, fenced } = sampleFacts;

function stateOf(...facts: readonly object[]) {
  const lines = [started, ...facts].map((fact) => `${JSON.stringify({ v: 3, at, ...fact })}\n`).join('');
  const state = foldRun(parseJournal(lines, 'journal'));
  if (!state) throw new Error('it is a run');
  return state;
}

describe('a life that ended with', () => {
  const open = stateOf(begun);
  const drained = stateOf(begun, { ...ended, exit: 143, finished: false, reasons: [] });
  const failed = stateOf(begun, {
    ...{ ...ended, exit: 1, finished: false },
    reasons: [{ exit: 1, code: 'failed', text: 'task 1 failed' }],
  });
  const finished = stateOf(begun, { ...ended, exit: 0, finished: true, reasons: [] });
  const taken = stateOf(begun, fenced);
  const says = (text: string) => ({ says: text, fenced: false, uncarried: false });
  test.each<[string, Parameters<typeof endOf>, ReturnType<typeof endOf>]>([
    [
      '0',
      [{ exit: 0, stderr: '' }, open, finished],
      { exit: 0, ...says(`its work is on ${started.branch}`) },
    ],
    [
      '8 before it opened its run: what an earlier life wrote is not its end',
      [{ exit: 8, stderr: 'pawl: no space' }, drained, drained],
      { exit: 8, ...says('no space') },
    ],
    [
      '8, fenced in an earlier life',
      [{ exit: 8, stderr: 'pawl: no space' }, taken, taken],
      { exit: 8, ...says('no space') },
    ],
    [
      '8, fenced by now',
      [{ exit: 8, stderr: 'pawl: taken' }, open, taken],
      { exit: 8, says: 'taken', fenced: true, uncarried: false },
    ],
    [
      '8, its run finished in an earlier life: its end is not carried yet',
      [{ exit: 8, stderr: 'pawl: away' }, finished, finished],
      { exit: 8, says: 'away', fenced: false, uncarried: true },
    ],
    [
      '8, its run not finished: it is not gone on with, as that would grant new attempts',
      [{ exit: 8, stderr: 'pawl: away' }, open, failed],
      { exit: 1, ...says('task 1 failed; away') },
    ],
    [
      '8, with what helps below what was wrong',
      [{ exit: 8, stderr: 'note\npawl: no image: no such host\n      All is in build.log.\n' }, open, open],
      { exit: 8, ...says('no image: no such host. All is in build.log.') },
    ],
    ['no code', [{ exit: null, stderr: '' }, open, open], { exit: null, ...says('it said nothing') }],
  ])('%s', (_, given, wanted) => {
    expect(endOf(...given)).toEqual(wanted);
  });
});

test('a run knows all jobs that it was ever worked on for, and the one of now', () => {
  const { job: _, ...home } = sampleFacts['taken-up'];
  const taken = stateOf({ ...begun, job: 'j1' }, home);
  expect([taken.carry?.job, taken.carry?.jobs]).toEqual([undefined, ['j1']]);
  const again = stateOf({ ...begun, job: 'j1' }, { ...begun, job: 'j2' }, { ...begun, job: 'j1' });
  expect([again.carry?.job, again.carry?.jobs]).toEqual(['j1', ['j1', 'j2']]);
  const { job: __, ...alone } = begun;
  const left = stateOf({ ...begun, job: 'j1' }, alone);
  expect([left.carry?.job, left.carry?.jobs]).toEqual([undefined, ['j1']]);
});

test.each<[string, readonly object[], string]>([
  ['killed', [begun], 'crash'],
  [
    'ended by a person',
    [
      { ...begun, job: 'j1' },
      { ...ended, exit: 130 },
    ],
    'stop',
  ],
  [
    'ended with its worker',
    [
      { ...begun, job: 'j1' },
      { ...ended, exit: 143 },
    ],
    'drain',
  ],
  ['ended by a signal, of no job', [begun, { ...ended, exit: 143 }], 'stop'],
])('why a run stands still that was %s', (_, facts, wanted) => {
  expect(whyResumed(stateOf(...facts))).toBe(wanted);
});
