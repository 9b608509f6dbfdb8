// How long the first session is alone, by what is known of the sessions. Time is counted, not waited for.
import { expect, test } from 'vitest';
import { awaitFirstSession } from '../../../src/phase/lanes/first-session.ts';

const ready = { ready: {} };
const never = new Promise<void>(() => undefined);

test.each<[string, object[], Promise<void>, object]>([
  ['it is running', [ready], never, { known: true, waited: 0 }],
  [
    'an agent that never says so has done its work',
    [{ ended: { outcome: 'done' } }, {}],
    never,
    { known: true, waited: 0 },
  ],
  ['the last one failed', [{ ended: { outcome: 'crashed' } }, {}], never, { known: true, waited: 10_000 }],
  ['nothing is reported', [{}], never, { known: true, waited: 10_000 }],
  ['its task ended without a word', [{}], Promise.resolve(), { known: false, waited: 50 }],
])('%s', async (_name, sessions, ended, expected) => {
  let waited = 0;
  const run = {
    signal: new AbortController().signal,
    sleep: async (ms: number) => {
      waited += ms;
    },
    state: () => ({ sessions: new Map([...sessions.entries()]) }),
  };
  const known = await awaitFirstSession(run as never, ended);
  expect({ known, waited }).toEqual(expected);
});
