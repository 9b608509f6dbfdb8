import { describe, expect, test } from 'vitest';
import { foldRun } from '../../../src/journal/fold.ts';
import { parseJournal } from '../../../src/journal/read-journal.ts';
import { whyResumed } from '../../../src/phase/open/begin-run.ts';
import { endOf, judgeEnding } from '../../../src/start/fleet/judge-end.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const ending = { exit: 0, says: '', fenced: false, uncarried: false, draining: false, troubles: 0 };

test.each<[string, Partial<typeof ending>, string]>([
  ['done', {}, 'done'],
  ['failed', { exit: 1 }, 'failed'],
  ['asks', { exit: 3 }, 'asks'],
  ['budget', { exit: 5 }, 'budget'],
  ['a limit', { exit: 6 }, 'limited'],
  ['a bug', { exit: 70 }, 'failed'],
  ['taken by another', { exit: 8, fenced: true }, 'elsewhere'],
  ['the same, of a worker that ends', { exit: 8, uncarried: true, draining: true }, 'back'],
  ['done, and the remote does not take its branch', { exit: 8, uncarried: true }, 'parted'],
  ['stopped', { exit: 143 }, 'back'],
  ['by `pawl stop`', { exit: 130 }, 'stopped'],
  ['the same, of a worker that ends', { exit: 130, draining: true }, 'back'],
  ['killed', { exit: null as never }, 'back, trouble'],
  ['killed again and again', { exit: null as never, troubles: 9 }, 'environment'],
  ['killed, as its worker ends', { exit: null as never, draining: true }, 'back'],
  ['the machine’s fault, first', { exit: 8 }, 'back, trouble'],
  ['the machine’s fault, again', { exit: 8, troubles: 9 }, 'environment'],
  ['refused since another goes on with it at this moment', { exit: 2 }, 'back, trouble'],
  ['refused again and again', { exit: 2, troubles: 9 }, 'failed'],
  ['the same, of a worker that ends', { exit: 8, draining: true }, 'back'],
])('%s', (_, change, wanted) => {
  const all = { ...ending, ...change };
  const verdict = judgeEnding(all, all);
  const told =
    verdict.kind === 'over'
      ? verdict.result.kind
      : `${verdict.kind}${verdict.kind === 'back' && verdict.trouble !== undefined ? ', trouble' : ''}`;
  expect(told).toBe(wanted);
});

test('a remote that is away for an hour ends no job', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((troubles) => {
    const verdict = judgeEnding({ exit: 8, says: '' }, { draining: false, troubles });
    return verdict.kind === 'back' ? (verdict.afterMs ?? 0) : Number.NaN;
  });
  expect(pauses[0]).toBe(10_000);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(60 * 60_000);
});

const at = '2026-01-01T00:00:00.000Z';
const {
  'run-started': started,
  'carry-begun': begun,
  'run-ended': ended,
  'carry-fenced': fenced,
} = sampleFacts;

function stateOf(...facts: readonly object[]) {
  const lines = [started, ...facts].map((fact) => `${JSON.stringify({ v: 10, at, ...fact })}\n`).join('');
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
  const says = (exit: number | null, text: string) => ({ exit, says: text, fenced: false, uncarried: false });
  const with8 = (words: string) => ({ exit: 8, stderr: words });
  const helped = 'note\npawl: no image: no such host\n      All is in build.log.\n';
  test.each<[string, Parameters<typeof endOf>, ReturnType<typeof endOf>]>([
    ['0', [{ exit: 0, stderr: '' }, open, finished], says(0, `its work is on ${started.branch}`)],
    ['8 before it opened its run', [with8('pawl: no space'), drained, drained], says(8, 'no space')],
    ['8, fenced in an earlier life', [with8('pawl: no space'), taken, taken], says(8, 'no space')],
    ['8, fenced by now', [with8('pawl: taken'), open, taken], { ...says(8, 'taken'), fenced: true }],
    [
      '8, finished earlier',
      [with8('pawl: away'), finished, finished],
      { ...says(8, 'away'), uncarried: true },
    ],
    // It is not gone on with, as that would grant new attempts.
    ['8, its run not finished', [with8('pawl: away'), open, failed], says(1, 'task 1 failed; away')],
    [
      '8, with what helps',
      [with8(helped), open, open],
      says(8, 'no image: no such host. All is in build.log.'),
    ],
    ['no code', [{ exit: null, stderr: '' }, open, open], says(null, 'it said nothing')],
  ])('%s', (_, given, wanted) => {
    expect(endOf(...given)).toEqual(wanted);
  });
});

const ofJob = { ...begun, job: 'j1' };
test.each<[string, readonly object[], string]>([
  ['killed', [begun], 'crash'],
  ['ended by a person', [ofJob, { ...ended, exit: 130 }], 'stop'],
  ['ended with its worker', [ofJob, { ...ended, exit: 143 }], 'drain'],
  ['ended by a signal, of no job', [begun, { ...ended, exit: 143 }], 'stop'],
])('why a run stands still that was %s', (_, facts, wanted) => {
  expect(whyResumed(stateOf(...facts))).toBe(wanted);
});
