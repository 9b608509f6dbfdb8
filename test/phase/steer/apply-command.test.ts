// What becomes of a command whose facts cannot be journaled: the person hears why, and the run is left to its own end.
import { expect, test } from 'vitest';
import { writeRequest } from '../../../src/control/request.ts';
import { Failure } from '../../../src/failure.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { answerRequest } from '../../../src/phase/steer/steer.ts';
import type { Place } from '../../../src/place/place.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

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
