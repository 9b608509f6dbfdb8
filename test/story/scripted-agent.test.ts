// The scripted agent against the real CLI: for the same script both print the same events in the same order, and pawl reads
// the same in them.
import { expect, test } from 'vitest';
import { readClaude } from '../../src/agent/claude/read-line.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { isIdle, type Setting, startStory, types } from '../helpers/claude-story.ts';
import { makeAgent } from '../helpers/script.ts';
import { share } from '../helpers/share.ts';
import { type StreamEvent, startTalk, talkArgs } from '../helpers/talk.ts';

/** What pawl reads in an event: fields with their kinds. */
function readingOf(event: StreamEvent): readonly object[] {
  return readClaude(JSON.stringify(event)).map((read) =>
    Object.fromEntries(
      Object.entries(read).map(([name, value]) => [name, name === 'type' ? value : typeof value]),
    ),
  );
}

const sameForBoth: [name: string, turn: Turn['steps'], setting: Setting][] = [
  ['work', [{ say: 'a' }, { bash: 'echo x' }, { bash: 'exit 3' }, { say: 'b' }], {}],
  ['a refusal', [{ api: { status: 403 } }], {}],
  ['a limit', [{ limit: { resetsInS: 600 } }], { auth: 'oauth' }],
  ['a retry', [{ api: { status: 529, times: 1 } }, { say: 'c' }], {}],
  ['an answer', [{ answer: { a: 1 } }], { args: ['--json-schema', '{"type":"object"}'] }],
];
test.each(share(sameForBoth, 4))(
  'the scripted agent prints what the CLI prints: %s',
  async (_name, steps, setting) => {
    await using real = await startStory([{ steps }], setting);
    await using agent = await makeAgent([{ steps }]);
    const env = { PATH: process.env['PATH'], CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
    const args = [...talkArgs, ...(setting.args ?? [])];
    await using scripted = startTalk(agent.command, { cwd: real.repo.path, env, args });
    for (const talk of [real.talk, scripted]) {
      talk.say('go');
      await talk.until(isIdle);
      talk.control('get_session_cost');
      await talk.until((event) => event['type'] === 'control_response');
    }
    expect(types(scripted.events)).toEqual(types(real.talk.events));
    expect(scripted.events.map(readingOf)).toEqual(real.talk.events.map(readingOf));
    expect((await scripted.end()).code).toBe((await real.talk.end()).code);
  },
);
