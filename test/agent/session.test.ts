import { describe, expect, it } from 'vitest';
import { type ClaudeSettings, claudeAgent } from '../../src/agent/claude.ts';
import { makeAgent } from '../helpers/script.ts';
import { startSession } from './session-setup.ts';

function scripted(command: string, more: Partial<ClaudeSettings> = {}) {
  return claudeAgent({
    command,
    args: [],
    permissions: 'bypass',
    apiKey: 'keep',
    input: 'stream',
    otherLogin: false,
    clocks: { silenceMs: 600_000, apiMs: 900_000, toolMs: 3_600_000 },
    ...more,
  });
}

describe('a conversation', () => {
  it('takes a correction in the same process, held between the turns', async () => {
    await using agent = await makeAgent([
      {
        when: 'Do it',
        steps: [
          { say: 'Working.' },
          { bash: 'echo one > one.txt' },
          { say: 'Well.\n{{marker TASK_DONE first}}' },
        ],
      },
      { when: 'again', steps: [{ say: 'Better.\n{{marker TASK_DONE second}}' }] },
    ]);
    await using test = await startSession({ agent: scripted(agent.command) });
    const first = await test.session.firstTurn();
    expect(first.outcome).toEqual({ kind: 'done', reason: 'first' });
    expect(await test.session.hold()).toEqual([]);
    const second = await test.session.correct('again');
    expect(second.outcome).toEqual({ kind: 'done', reason: 'second' });
    const end = await test.session.close();
    console.log(end, test.facts());
    console.log(
      test.events
        .filter((e) => e.type === 'activity')
        .map((e) => JSON.stringify((e as any).event))
        .join('\n'),
    );
  });
});
