// Which wait of another lane is a lane's own too.
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { foldFact, foldRun } from '../../../src/journal/fold.ts';
import type { Place } from '../../../src/place/place.ts';
import { waitBefore } from '../../../src/work/wait/wait.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const now = new Date('2026-01-01T00:00:00Z');

/** Lane 1 waits for the limit of claude; how long lane 2 sleeps, milliseconds, and what is told, before it begins. */
async function waitAs(agent: string, between: readonly ReturnType<typeof fact>[] = []) {
  const config = configSchema.parse({ agent: { name: 'claude' } });
  const waiting = fact('waiting', {
    why: 'limit',
    until: now.getTime() + 60_000,
    text: 'limit',
    agents: ['claude'],
  });
  let state = foldRun(stampAll([fact('run-started'), waiting, ...between]));
  if (!state) throw new Error('no run');
  const told: string[] = [];
  let sleptMs = 0;
  const run = {
    config,
    state: () => state,
    emit: ({ type }: { type: string }) => told.push(type),
    now: () => new Date(now.getTime() + sleptMs),
    sleep: async (ms: number) => {
      sleptMs += ms;
      const [waited] = stampAll([fact('waited', { how: 'time' })]);
      if (sleptMs >= 60_000 && state && waited) state = foldFact(state, waited);
    },
    wake: () => new AbortController().signal,
    signal: new AbortController().signal,
  };
  const place = { run, lane: { number: 2 }, repo: { commonDir: '' } } as unknown as Place;
  const whom = { duties: [{ role: 'task', agent }], isWanted: () => true } as const;
  expect(await waitBefore(place, whom)).toBeUndefined();
  return { sleptMs, told };
}

test('a lane waits as long as another one for an agent that is its own too, and not for any other', async () => {
  expect(await waitAs('claude')).toEqual({ sleptMs: 60_000, told: [] });
  expect(await waitAs('codex')).toEqual({ sleptMs: 0, told: [] });
  // That another agent has begun ends no wait of this one.
  const begun = fact('session-started', { agent: 'codex' });
  expect(await waitAs('claude', [begun])).toEqual({ sleptMs: 60_000, told: [] });
});
