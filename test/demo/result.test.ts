// How turns of the scripted agent fail: API failures, usage limits, cut streams.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { isResult, playing, startAgent } from './start-agent.ts';

const failures: [
  name: string,
  steps: Step[],
  env: Record<string, string>,
  retries: number,
  result: object,
][] = [
  [
    'a refused key',
    [{ api: { status: 403 } }],
    {},
    0,
    { is_error: true, api_error_status: 403, subtype: 'success' },
  ],
  ['no such model', [{ api: { status: 404 } }], {}, 0, { is_error: true, api_error_type: 'not_found_error' }],
  [
    'overloaded for ever',
    [{ api: { status: 529 } }],
    { CLAUDE_CODE_MAX_RETRIES: '3' },
    3,
    { api_error_status: 529 },
  ],
  [
    'overloaded twice',
    [{ say: 'Fine.' }, { api: { status: 529, times: 2 } }],
    {},
    2,
    { is_error: false, result: 'Fine.' },
  ],
  [
    'a usage limit',
    [{ limit: { resetsInS: 60 } }],
    {},
    0,
    { api_error: 'usage_limit_reached', api_error_status: 429 },
  ],
  [
    'a cut stream',
    [{ cut: {} }],
    {},
    0,
    { is_error: true, api_error: 'connection_failed', terminal_reason: 'api_error' },
  ],
  ['a stream cut once', [{ cut: { times: 1 } }, { say: 'On.' }], {}, 0, { is_error: false, result: 'On.' }],
];
test.each(failures)('%s', async (_name, steps, env, retries, result) => {
  await using story = await startAgent([{ steps }], { env });
  story.talk.say('go');
  expect(await story.talk.until(isResult)).toMatchObject(result);
  expect(story.talk.events.filter((event) => event['subtype'] === 'api_retry')).toHaveLength(retries);
  expect((await story.talk.end()).code).toBe('is_error' in result && !result.is_error ? 0 : 1);
});

test('a usage limit is an event with its reset before it is a text', async () => {
  await using story = await playing({ limit: { resetsInS: 60, window: 'seven_day' } });
  const beforeS = Math.floor(Date.now() / 1000);
  story.talk.say('go');
  const event = await story.talk.until(({ type }) => type === 'rate_limit_event');
  expect(event['rate_limit_info']).toMatchObject({ status: 'rejected', rateLimitType: 'seven_day' });
  expect(event['rate_limit_info'].resetsAt).toBeGreaterThanOrEqual(beforeS + 60);
  const text = await story.talk.until(({ type }) => type === 'assistant');
  expect(text).toMatchObject({ is_api_error_message: true, error: 'rate_limit' });
});
