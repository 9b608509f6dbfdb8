// A run steered by its keys alone, on a real terminal: started before its time, a note, a pause, a wait cut short, Ctrl-\,
// a stop. Each is done once, journaled, and counted as a person's doing.
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, untilGo, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { expectNoProcess, makeNight, untilFile } from '../helpers/night.ts';
import { expectExit } from '../helpers/pawl.ts';
import { screenAtEnd, shows, sitDown } from '../helpers/seat.ts';
import { readRun } from '../helpers/story.ts';

test.runIf(has('terminals (script)'))('keys start, help, steer, pause, retry and stop a run', async () => {
  await using scene = await makeNight({
    auth: 'oauth',
    plan: letterPlan('a', 'b', 'c'),
    turns: [
      onTask('a', [untilGo, write('a'), done]),
      onTask('b', [{ limit: { resetsInS: 3_600 } }], true),
      ...honest('b'),
      onTask('c', [{ bash: 'echo half > half.txt; sleep 60' }], true),
      ...honest('c'),
    ],
  });
  using seat = await sitDown(scene);

  await shows(seat, 'Keys: p pause');
  await untilFile(scene, '.git/started');
  // They end the header.
  expect(seat.screen().indexOf('Keys: p pause')).toBeGreaterThan(seat.screen().indexOf(' tasks, '));
  seat.type('?');
  await shows(seat, 'S   for the running one, at once');
  seat.type('s');
  await shows(seat, 'Note for the next session › ');
  // Keys that command are letters while a note is typed.
  seat.type('pqrs quickk\x7f');
  await shows(seat, 'pqrs quick▏');
  seat.type('\r');
  await shows(seat, 'Note 1: pqrs quick');
  seat.type('p');
  await shows(seat, 'Pausing: the running session finishes its turn');
  await scene.repo.write('.git/go', '');
  await shows(seat, 'Paused: no session is running');
  seat.type('p');
  await shows(seat, 'Continued');
  await shows(seat, 'waiting until ');
  seat.type('r');
  await shows(seat, 'The wait was cut short');
  await shows(seat, 'Task 2 closed');
  await untilFile(scene, 'half.txt');
  seat.type('\x1c');
  await shows(seat, 'Pausing: the running session finishes its turn', 2);
  seat.type('q');
  const { exit, before, after } = await seat.ended;
  expect(exit, seat.screen()).toBe(130);
  expect(after).toBe(before);
  expect(screenAtEnd(seat.screen())).toContain('Run stopped');
  await expectNoProcess(scene);

  const journal = (await readRun(scene, 'journal.ndjson')).trim().split('\n');
  const facts = journal.map((line) => JSON.parse(line) as { type: string; kind?: string; notes?: number[] });
  const kinds = facts.flatMap(({ type, kind }) => (type === 'intervention' ? [kind] : []));
  expect(kinds).toEqual(['steer', 'pause', 'continue', 'continue', 'pause', 'stop']);
  expect(await readRun(scene, 'sessions/002.prompt.md')).toContain('pqrs quick');
  expect(facts.flatMap(({ type, notes = [] }) => (type === 'session-started' ? notes : []))).toEqual([1]);
  await expectExit(0, scene.run());
});
