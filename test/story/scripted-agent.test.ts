// The scripted agent against the real CLI: for the same script both print the same events in the same order, and pawl reads
// the same in them.
import { expect, test } from 'vitest';
import { readClaude } from '../../src/agent/claude/read-line.ts';
import { plainClaude, startSession, type TestSession } from '../agent/session/session-setup.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { type ClaudePlan, startClaude } from '../helpers/claude-session.ts';
import { makeAgent } from '../helpers/script.ts';
import { share } from '../helpers/share.ts';

/** Each event by its subtype or type, with what pawl reads in it: fields with their kinds. Not its signs of life, and when it tells the cost. */
async function readAll({ session, raw }: TestSession) {
  await session.firstTurn();
  await session.close();
  const lines = (await raw()).trimEnd().split('\n');
  const all = lines.map((line) => {
    const { type, subtype = type } = JSON.parse(line) as Readonly<Record<string, string>>;
    const kindOf = ([name, value]: [string, unknown]) => [name, name === 'type' ? value : typeof value];
    return [subtype, readClaude(line).map((read) => Object.entries(read).map(kindOf))];
  });
  return all.filter(([type]) => type !== 'control_response' && type !== 'status');
}

const sameForBoth: [name: string, turn: Turn['steps'], setting: Pick<ClaudePlan, 'auth' | 'request'>][] = [
  ['work', [{ say: 'a' }, { bash: 'echo x' }, { bash: 'exit 3' }, { say: 'b' }], {}],
  ['a refusal', [{ api: { status: 403 } }], {}],
  ['a limit', [{ limit: { resetsInS: 600 } }], { auth: 'oauth' }],
  ['a retry', [{ api: { status: 529, times: 1 } }, { say: 'c' }], {}],
  ['an answer', [{ answer: { a: 1 } }], { request: { schema: { type: 'object' } } }],
];
test.each(share(sameForBoth, 4))(
  'the scripted agent prints what the CLI prints: %s',
  async (_name, steps, setting) => {
    await using real = await startClaude({ turns: [{ steps }], ...setting });
    await using agent = await makeAgent([{ steps }]);
    const { request = {} } = setting;
    await using scripted = await startSession({ agent: plainClaude({ command: agent.command }), request });
    expect(await readAll(scripted)).toEqual(await readAll(real.test));
  },
);
