// The scripted agent against the real CLI: for the same script both print the same events in the same order, and
// what the agent prints has the CLI's keys and kinds.
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { isIdle, type Setting, startStory, types } from '../helpers/claude-story.ts';
import { makeAgent } from '../helpers/script.ts';
import { share } from '../helpers/share.ts';
import { type StreamEvent, startTalk, talkArgs } from '../helpers/talk.ts';

/** Keys that the recorded streams have wherever they make sense, and that readers look at. */
const relied = [
  'type',
  'subtype',
  'session_id',
  'uuid',
  'state',
  'model',
  'claude_code_version',
  'apiKeySource',
  'permissionMode',
  'parent_tool_use_id',
  'message.id',
  'message.content',
  'message.usage',
  'block.type',
  'block.text',
  'block.id',
  'block.name',
  'block.input',
  'block.tool_use_id',
  'block.content',
  'block.is_error',
  'tool_use_result',
  'tool_result_meta',
  'request_id',
  'timestamp',
  'is_error',
  'result',
  'terminal_reason',
  'stop_reason',
  'num_turns',
  'total_cost_usd',
  'usage',
  'modelUsage',
  'permission_denials',
  'structured_output',
  'result_index',
  'duration_ms',
  'api_error',
  'api_error_status',
  'api_error_type',
  'api_error_params',
  'error',
  'is_api_error_message',
  'rate_limit_info',
  'attempt',
  'max_retries',
  'retry_delay_ms',
  'error_status',
  'response',
];

/** Keys and kinds of an event, two levels deep where it is an object; content blocks by their own keys. */
function shapeOf(event: StreamEvent): Record<string, string> {
  const entries = Object.entries(event).map(([key, value]) => [key, kindOf(value)]);
  const message = Object.entries(event['message'] ?? {}).map(([key, value]) => [
    `message.${key}`,
    kindOf(value),
  ]);
  const block = Object.entries(event['message']?.content?.[0] ?? {}).map(([key, value]) => [
    `block.${key}`,
    kindOf(value),
  ]);
  return Object.fromEntries([...entries, ...message, ...block]);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
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
    for (const [at, event] of scripted.events.entries()) {
      const shape = shapeOf(event);
      const realShape = shapeOf(real.talk.events[at] ?? {});
      const shared = Object.keys(shape).filter((key) => key in realShape);
      expect(shape).toEqual(Object.fromEntries(shared.map((key) => [key, realShape[key]])));
      // What a reader of the stream may rely on is there in both.
      for (const key of relied.filter((name) => name in realShape)) expect(shape).toHaveProperty([key]);
    }
    expect((await scripted.end()).code).toBe((await real.talk.end()).code);
  },
);
