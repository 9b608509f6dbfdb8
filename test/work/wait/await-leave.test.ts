// What a limit that others of the account have met means for a run: its stand-in begins, or it waits for its turn.
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import type { Place } from '../../../src/place/place.ts';
import type { Leave, LeaveAsked, Purse } from '../../../src/place/purse.ts';
import { awaitLeave } from '../../../src/work/wait/await-leave.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const hourMs = 3_600_000;

/** Asks with Claude and Codex behind it, where Claude’s window opens at an instant; whom it asked for, in turn. `canaries`: how often it is held after that. */
async function askAs({
  until,
  fallback = ['codex'],
  canaries = 0,
}: Readonly<{ until: number; fallback?: readonly string[]; canaries?: number }>) {
  const config = configSchema.parse({ agent: { name: 'claude', fallback } });
  const state = foldRun(stampAll([fact('run-started')]));
  if (!state) throw new Error('no run');
  const asked: string[] = [];
  let [now, held] = [start, canaries];
  const heard = new Map<string, number>();
  const ask = async ({ agents }: LeaveAsked): Promise<Leave> => {
    asked.push(agents.join());
    heard.set('claude', until);
    if (!agents.includes('claude')) return { kind: 'go' };
    if (until > now) return { kind: 'wait', forMs: until - now, text: 'claude is at its usage limit' };
    held -= 1;
    return held < 0 ? { kind: 'go' } : { kind: 'wait', forMs: 20_000, text: 'few are let through' };
  };
  const run = {
    config,
    purse: { ask, shutUntil: (agent: string) => heard.get(agent) } satisfies Partial<Purse>,
    knownLimits: { read: () => undefined, note: () => {} },
    state: () => state,
    emit: () => {},
    now: () => new Date(now),
    sleep: async (ms: number) => {
      now += ms;
    },
    wake: () => new AbortController().signal,
    signal: new AbortController().signal,
  };
  const duty = { role: 'task', task: '1' } as const;
  const end = await awaitLeave({ run } as unknown as Place, { duties: [duty], isWanted: () => true });
  return { asked, end: end?.stop, waitedMs: now - start };
}

test.each([
  ['a limit of days', { until: start + 72 * hourMs }, { asked: ['claude', 'codex'], waitedMs: 0 }],
  [
    'a limit of days that nobody stands in for',
    { until: start + 72 * hourMs, fallback: [] },
    { asked: ['claude'], end: 'limited', waitedMs: 0 },
  ],
  ['a near limit', { until: start + 5_000 }, { asked: ['claude', 'claude'], waitedMs: 5_000 }],
  [
    'a limit that has just been over, where few are let through at first',
    { until: start - 1_000, canaries: 1 },
    { asked: ['claude', 'claude'], waitedMs: 5_000 },
  ],
] as const)('%s', async (_, given, expected) => {
  expect(await askAs(given)).toEqual({ end: undefined, ...expected });
});
