import { Writable } from 'node:stream';
import { expect, it, test } from 'vitest';
import type { Event } from '../../src/event.ts';
import { withState } from '../../src/journal/fold.ts';
import type { RunState } from '../../src/journal/state.ts';
import { createJson, joinReporters, type Reporter } from '../../src/report/reporter.ts';
import { fact, stampAll } from '../helpers/facts.ts';

/** A reporter that notes what it is told, and throws where `at` says so. */
function noting(name: string, heard: string[], at?: string): Reporter {
  const hear = (what: string) => {
    heard.push(`${name}: ${what}`);
    if (what === at) throw new Error('no paper');
  };
  return {
    name,
    report: ({ type }) => hear(type),
    finish: () => hear('end'),
    close: () => hear('close'),
  };
}

function play(at?: string): Readonly<{ heard: readonly string[]; told: readonly string[] }> {
  const heard: string[] = [];
  const told: string[] = [];
  const silent: Reporter = { name: 'silent', report: () => {}, close: () => {} };
  const all = joinReporters([noting('a', heard, at), silent, noting('b', heard)], (text) => told.push(text));
  for (const event of stampAll([fact('noticed'), fact('waited')])) all.report(event, {} as RunState);
  all.finish?.({} as RunState);
  all.close();
  return { heard, told };
}

test('each is told everything, in the order of the list', () => {
  expect(play()).toEqual({
    heard: ['noticed', 'waited', 'end', 'close'].flatMap((what) => [`a: ${what}`, `b: ${what}`]),
    told: [],
  });
});

test.each([
  ['noticed', 4],
  ['waited', 3],
  ['end', 2],
  ['close', 1],
])('one that throws at %s is told of once and left out, the others go on', (at, missing) => {
  const { heard, told } = play(at);
  expect(told).toEqual(['The a reporter failed and shows nothing more: no paper']);
  expect(heard.filter((what) => what.startsWith('b'))).toHaveLength(4);
  expect(heard.filter((what) => what.startsWith('a'))).toHaveLength(5 - missing);
});

// Events for programs: one JSON object a line, the last one the run's end.
const events: readonly Event[] = [
  fact('run-started', { title: 'two\nlines' }),
  { type: 'activity', session: 1, event: { type: 'idle' } },
  fact('run-ended'),
  fact('noticed'),
];

function report(verbose: boolean): readonly string[] {
  const lines: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      lines.push(text);
      done();
    },
  });
  const json = createJson({ stream, verbose });
  stampAll(events).forEach(withState(json.report));
  json.close();
  return lines;
}

it.each([
  [false, ['run-started', 'run-ended']],
  [true, ['run-started', 'activity', 'run-ended']],
])('verbose %s', (verbose, types) => {
  const lines = report(verbose);
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(types);
});

it('is what the journal has', () => {
  expect(JSON.parse(report(false)[0] ?? '')).toEqual(stampAll(events)[0]);
});
