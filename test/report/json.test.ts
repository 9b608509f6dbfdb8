// Events for programs: one JSON object a line, the last one the run's end.
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Event } from '../../src/event.ts';
import { withState } from '../../src/journal/fold.ts';
import { createJson } from '../../src/report/json.ts';
import { fact, stampAll } from '../helpers/facts.ts';

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
