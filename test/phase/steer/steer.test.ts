// What a command comes to in every standing of a run: granted with which facts, or refused in which words.
import { expect, test } from 'vitest';
import { type ControlCommand, writeRequest } from '../../../src/control/request.ts';
import type { Fact, FactOf } from '../../../src/event.ts';
import { Failure } from '../../../src/failure.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { answerRequest, judgeCommand } from '../../../src/phase/steer/steer.ts';
import type { Granted } from '../../../src/phase/steer/steer-task.ts';
import type { Place } from '../../../src/place/place.ts';
import { byPerson, fact, foldFacts, setAside, stampAll } from '../../helpers/facts.ts';

const ended = fact('run-ended', { finished: false });
const finished = fact('run-ended', { finished: true });
const session = fact('session-started', { session: 3, task: '2' });
const over = fact('session-ended', { session: 3 });
const begun = [fact('run-started'), fact('plan-read')] as const;
const working = [...begun, fact('task-started'), session] as const;
/** A fact of a lane carries its number. */
const inLane = (lane: number, of: Fact): Fact => ({ ...of, ...{ lane } });
const two = [fact('run-started'), fact('plan-read', { tasks: openTasks('2', '4') })];
const sideBySide = [
  ...two,
  inLane(1, fact('task-started', { task: '2' })),
  inLane(2, fact('task-started', { task: '4' })),
  inLane(1, fact('session-started', { session: 3, task: '2' })),
  inLane(2, fact('session-started', { session: 4, task: '4' })),
];
const closed = [...working, fact('task-closed')];
const costly = [...working, fact('session-cost', { costUsd: 3 })];
const settings = [{ budget: 'cost', cap: 10, from: 'config' }] as const;
const capped = [...working, fact('budgets-set', { settings: [...settings], asked: [] })];
const planning = fact('run-started', { run: 'x', planning: { from: '' } });
const failed = [...begun, fact('task-started'), setAside('failed')] as const;
const parked = [...begun, fact('task-started'), setAside('parked')] as const;
const taken = [...parked, fact('carry-begun'), fact('carry-fenced'), ended];

function judge(facts: readonly Fact[], command: ControlCommand, live = true) {
  const state = foldFacts(facts);
  return judgeCommand(state, command, live);
}

const pause = { do: 'pause', now: false } as const;
const pauseNow = { do: 'pause', now: true } as const;
const goOn = { do: 'continue' } as const;
const stop = { do: 'stop' } as const;
const skip = (task?: string) => ({ do: 'skip', ...(task === undefined ? {} : { task }) }) as const;
const retry = (task?: string) => ({ do: 'retry', ...(task === undefined ? {} : { task }) }) as const;
const steer = (text: string, more: { task?: string; now?: boolean } = {}) =>
  ({ do: 'steer', text, now: false, ...more }) as const;
const answer = (task: string, text = 'yes') => ({ do: 'answer', task, answer: text }) as const;
const budget = (maxCostUsd: number) => ({ do: 'set-budget', maxCostUsd }) as const;

type Row = [what: string, facts: readonly Fact[], command: ControlCommand, fact: Partial<Fact>, says: RegExp];

test.each<Row>([
  ['pause at work', working, pause, { kind: 'pause', now: false }, /may finish its turn/],
  ['pause between sessions', begun, pauseNow, { kind: 'pause' }, /nothing new starts/],
  ['pause --now', working, pauseNow, { kind: 'pause', now: true }, /interrupted, its work stays/],
  ['pause, then --now', [...working, byPerson('pause')], pauseNow, { now: true }, /interrupted/],
  ['continue a pause', [...begun, byPerson('pause')], goOn, { kind: 'continue' }, /pause is over/],
  ['continue a wait', [...begun, fact('waiting')], goOn, { kind: 'continue' }, /trying again now/],
  ['stop', working, stop, { kind: 'stop' }, /pawl run docs/],
  ['a note', working, steer(' a '), { kind: 'steer', note: 1, said: 'a' }, /next session gets it/],
  ['a second note', [...working, byPerson('steer')], steer('b'), { note: 2 }, /Note 2/],
  ['a note for a task', working, steer('a', { task: '2' }), { task: '2' }, /session of task 2/],
  ['a note now', working, steer('a', { now: true }), { now: true }, /running session \(3\)/],
  ['now, but another runs', [...two, session], steer('a', { task: '4', now: true }), {}, /session of task 4/],
  ['now, to one of several', sideBySide, steer('a', { task: '4', now: true }), {}, /running session \(4\)/],
  ['the next of several', sideBySide, steer('a'), {}, /next session gets it/],
  ['skip one of several', sideBySide, skip('4'), { kind: 'skip', task: '4' }, /pawl retry 4/],
  ['now, but none runs', [...working, over], steer('a', { now: true }), {}, /next session gets it/],
  ['skip the one in work', working, skip(), { kind: 'skip', task: '2' }, /pawl retry 2/],
  ['skip one that failed', failed, skip('2'), { kind: 'skip' }, /is skipped in this run/],
  ['retry the only one that failed', failed, retry(), { kind: 'retry', task: '2' }, /new attempts\./],
  ['retry a parked one', parked, retry('2'), { kind: 'retry' }, /new attempts/],
  ['retry a skipped one', [...working, byPerson('skip')], retry(), { task: '2' }, /new attempts/],
  ['answer', parked, answer('2'), { kind: 'answer', said: 'yes' }, /next attempt/],
  ['a budget of less than a cent', working, budget(0.003), {}, /may spend \$0\.0030 in all/],
  ['a budget', working, budget(20), { type: 'budgets-set' }, /\$20\.00 in all; .*of it spent so far\.$/],
  ['a budget below what is spent', costly, budget(2), {}, /no further session starts/],
])('%s is granted', (_, facts, command, expected, says) => {
  const judged = judge(facts, command);
  if (!judged.ok) throw new Error(judged.error);
  expect(judged.facts[0]?.type).toBe('intervention');
  expect(judged.facts.at(-1)).toMatchObject(expected);
  expect(judged.text).toMatch(says);
});

test.each<[what: string, facts: readonly Fact[], command: ControlCommand, says: RegExp]>([
  ['anything of a finished run', [...begun, finished], steer('a'), /is finished/],
  ['anything of a finished dialogue', [planning, finished], pause, /^the run x is finished\n`pawl report x`/],
  ['anything amid an undo', [...begun, finished, fact('undo-started')], steer('a'), /taking task 2 back/],
  ['anything of what another machine has', taken, answer('2'), /has taken [\s\S]*\n`pawl fleet take /],
  ['anything at its very end', [...begun, ended], pause, /just ending/],
  ['pause twice', [...working, byPerson('pause')], pause, /pauses already/],
  ['pause at rest', [...begun, byPerson('pause'), fact('paused')], pauseNow, /paused already/],
  ['continue at work', working, goOn, /neither paused nor waiting/],
  ['stop twice', [...working, byPerson('stop')], stop, /stopping already/],
  ['an empty note', working, steer(' \n '), /the note is empty/],
  ['a very long note', working, steer('x'.repeat(20_001)), /longer than 20000/],
  ['a note for no task', working, steer('a', { task: '9' }), /no task 9[\s\S]*It has 1, 2/],
  ['a note for a closed task', closed, steer('a', { task: '2' }), /task 2 is closed[\s\S]*undo/],
  ['a note for a ticked task', begun, steer('a', { task: '1' }), /ticked already/],
  ['skip, and several are in work', sideBySide, skip(), /tasks 2 and 4 are in work[\s\S]*pawl skip 2/],
  ['now, and several run', sideBySide, steer('a', { now: true }), /tasks 2 and 4 are running[\s\S]*--task 2/],
  ['skip when none is in work', begun, skip(), /no task is in work/],
  ['skip a closed one', closed, skip('2'), /is closed/],
  ['skip one closed by hand', [...working, byPerson('tick')], skip('2'), /ticked already/],
  ['skip twice', [...working, byPerson('skip')], skip('2'), /skipped already/],
  ['skip one that is being committed', [...working, fact('closing')], skip(), /being committed/],
  ['retry when nothing failed', working, retry(), /^no task failed, was skipped, or waits/],
  ['retry one that is open', working, retry('2'), /neither failed nor was skipped/],
  ['answer one that does not ask', working, answer('2'), /does not wait for an answer[\s\S]*No task does/],
  ['answer nothing', parked, answer('2', ' '), /the answer is empty/],
  ['answer another', parked, answer('1'), /These do: 2/],
  ['a budget of nothing', working, budget(0), /above 0/],
  ['a budget above the settings', capped, budget(20), /config caps the run at \$10\.00/],
])('%s is refused', (_, facts, command, says) => {
  const judged = judge(facts, command);
  if (judged.ok) throw new Error(judged.text);
  expect(`${judged.error}\n${judged.hint ?? ''}`).toMatch(says);
});

test.each([pause, goOn, stop])('a run that stands still takes no $do', (command) => {
  expect(judge([...begun, ended], command, false)).toMatchObject({
    ok: false,
    error: 'no pawl works on docs/plans/auth.md now',
    hint: expect.stringContaining('pawl run'),
  });
});

test.each([steer('a'), skip('2'), budget(3)])(
  'a run that stands still takes $do for its next start',
  (command) => {
    expect(judge([...begun, ended], command, false)).toMatchObject({ ok: true });
  },
);

function openTasks(...ids: readonly string[]): FactOf<'plan-read'>['tasks'] {
  return ids.map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
}

test('what the dashboard asks for is counted as its own', () => {
  const by = { by: 'web' };
  const [first, second] = (judge(working, { ...budget(20), ...by }) as Granted).facts;
  expect([first, second]).toMatchObject([{ type: 'intervention', ...by }, { type: 'budgets-set' }]);
});

// What becomes of a command whose facts cannot be journaled: the person hears why, and the run is left to its own end.
const state = foldRun(stampAll([fact('run-started')]));
let interruptions = 0;
const reach = { interrupt: () => (interruptions += 1) };
const contextThatThrows = (error: Error) =>
  ({
    run: {
      ...{ id: 'r', folder: '/r', state: () => state },
      emit: () => {
        throw error;
      },
    },
  }) as unknown as Place;

test('a full disk refuses the command, and throws at nobody', () => {
  const full = new Failure('disk', 'cannot write journal.ndjson: no space is left', { hint: 'Free some' });
  const reply = answerRequest(contextThatThrows(full), writeRequest('r', { do: 'stop' }), reach);
  expect(reply).toEqual({ ok: false, error: full.message, hint: 'Free some' });
  expect(interruptions).toBe(0);
});

test('a bug is none of the person’s', () => {
  const bug = new Error('bug');
  expect(() => answerRequest(contextThatThrows(bug), writeRequest('r', { do: 'stop' }), reach)).toThrow(bug);
});
