// What a run's facts say of time: a machine's sleep is nobody's work, and a clock that is set back makes no time.
import { expect, test } from 'vitest';
import { foldRun } from '../../../src/journal/fold.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { readLedger, timeTaken } from '../../../src/journal/ledger.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { createEmitter } from '../../../src/phase/open/open-run.ts';
import { forecastRun } from '../../../src/report/view/view-run.ts';
import { foldFacts, sampleFacts } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const minute = 60_000;
const hour = 60 * minute;

test.each([
  ['sleeps for eight hours', 8 * hour, true],
  ['has its clock set back by three hours', -3 * hour, true],
  ['has its clock corrected by ten seconds', 10_000, false],
])('a machine that %s in a session', (_, jumpMs, isTold) => {
  using folder = makeTempFolder();
  using journal = new Journal(folder.path);
  const clock = { wallMs: Date.parse('2026-01-02T03:00:00.000Z'), awakeMs: 0 };
  const emitter = createEmitter(journal, undefined, {
    now: () => new Date(clock.wallMs),
    awakeMs: () => clock.awakeMs,
    show: () => {},
  });
  const pass = (awakeMs: number, sleptMs = 0) => {
    clock.awakeMs += awakeMs;
    clock.wallMs += awakeMs + sleptMs;
  };
  const { 'plan-read': read, 'attempt-started': attempt, 'session-started': begun } = sampleFacts;
  emitter.emit({ ...sampleFacts['run-started'] });
  const [first] = read.tasks;
  if (!first) throw new Error('it has a task');
  emitter.emit({ ...read, tasks: ['1', '2', '3'].map((id) => ({ ...first, id })) });
  for (const task of ['1', '2']) {
    pass(minute);
    emitter.emit({ ...sampleFacts['task-started'], task });
    emitter.emit({ ...attempt, task });
    emitter.emit({ ...begun, session: Number(task), task });
    pass(10 * minute, task === '2' ? jumpMs : 0);
    emitter.emit({ ...sampleFacts['session-ended'], session: Number(task) });
    emitter.emit({ ...sampleFacts['task-closed'], task });
  }
  const state = emitter.state();
  const offMs = isTold ? 0 : jumpMs;
  expect(timeTaken(state, clock.wallMs)).toBe(22 * minute + offMs);
  const { times, byWork } = readLedger(state);
  const sum = ({ working, checking } = { working: 0, checking: 0 }) => working + checking;
  expect(sum(byWork.get('2'))).toBe(sum(byWork.get('1')) + offMs);
  expect(times.stopped).toBe(isTold ? Math.max(0, jumpMs) : 0);
  expect(forecastRun(state)?.leftMs).toBe(10 * minute + offMs / 2);
  // As it is read back.
  expect(foldRun(readJournal(folder.path))?.asleepMs).toBe(isTold ? jumpMs : 0);
});

test('who listens to a resumed run is given its past with the first event', () => {
  using folder = makeTempFolder();
  using journal = new Journal(folder.path);
  const past = foldFacts([sampleFacts['run-started'], sampleFacts['plan-read']]);
  const heard: (readonly [before: unknown, state: unknown])[] = [];
  const emitter = createEmitter(journal, past, {
    now: () => new Date(),
    show: (_, state, before) => heard.push([before, state]),
  });
  emitter.emit(sampleFacts['run-resumed']);
  const resumed = emitter.state();
  emitter.emit({ type: 'activity', session: 1, event: { type: 'idle' } });
  emitter.emit(sampleFacts['noticed']);
  expect(heard.map(([before]) => before)).toEqual([past, resumed, resumed]);
  expect(heard.map(([, state]) => state)).toEqual([resumed, resumed, emitter.state()]);
  expect(resumed.resumes).toBe(1);
});
