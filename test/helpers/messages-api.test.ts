// The scripted model over HTTP, without a CLI.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { type Model, startModel } from './messages-api.ts';

type Ask = {
  messages: object[];
  session?: string;
  stream?: boolean;
  tools?: object[];
  output_config?: object;
};

async function ask(model: Model, { session = 's', stream = false, tools = [], ...asked }: Ask) {
  const response = await fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-claude-code-session-id': session },
    body: JSON.stringify({ model: 'm', stream, tools, ...asked }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const user = (content: unknown) => ({ role: 'user', content });
const texts = (text: string) => (JSON.parse(text).content as { text?: string }[]).map((block) => block.text);

test('sessions at once each have their own place in the script', async () => {
  await using model = await startModel({ turns: [{ steps: [{ say: 'one' }] }, { steps: [{ say: 'two' }] }] });
  const first = [user('a')];
  const second = [...first, { role: 'assistant', content: 'one' }, user('b')];
  const answers = await Promise.all([
    ask(model, { messages: first, session: 'x' }),
    ask(model, { messages: first, session: 'y' }),
    ask(model, { messages: second, session: 'z' }),
  ]);
  expect(answers.map(({ text }) => texts(text))).toEqual([['one'], ['one'], ['two']]);
  expect(texts((await ask(model, { messages: first, session: 'x' })).text)).toEqual(['one']);
  expect(model.requests.map((request) => request.session).sort()).toEqual(['x', 'x', 'y', 'z']);
});

test('a stream and a body say the same', async () => {
  await using model = await startModel({
    turns: [{ once: false, steps: [{ say: 'one' }, { bash: 'true' }] }],
  });
  const { text } = await ask(model, { messages: [user('a')], stream: true });
  const events = text.split('\n').filter((line) => line.startsWith('event: '));
  const block = ['event: content_block_start', 'event: content_block_delta', 'event: content_block_stop'];
  expect(events).toEqual([
    'event: message_start',
    ...block,
    ...block,
    'event: message_delta',
    'event: message_stop',
  ]);
  const body = JSON.parse((await ask(model, { messages: [user('a')] })).text);
  expect(body.content).toMatchObject([
    { type: 'text', text: 'one' },
    { type: 'tool_use', name: 'Bash', input: { command: 'true' } },
  ]);
  expect(body.stop_reason).toBe('tool_use');
  const after = [user('a'), { role: 'assistant', content: body.content }, user([{ type: 'tool_result' }])];
  expect(JSON.parse((await ask(model, { messages: after })).text)).toMatchObject({
    content: [],
    stop_reason: 'end_turn',
  });
});

test('a failure is given as often as it says, with its headers', async () => {
  const api = { status: 500, times: 2, retryAfterS: 3, headers: { 'x-should-retry': 'false' } };
  await using model = await startModel({ turns: [{ steps: [{ api }, { say: 'fine' }] }] });
  const failed = await ask(model, { messages: [user('a')] });
  expect(failed.status).toBe(500);
  expect(failed.headers.get('retry-after')).toBe('3');
  expect(failed.headers.get('x-should-retry')).toBe('false');
  expect(JSON.parse(failed.text)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  expect((await ask(model, { messages: [user('a')] })).status).toBe(500);
  expect(texts((await ask(model, { messages: [user('a')] })).text)).toEqual(['fine']);
});

test('a limit ends at its reset', async () => {
  await using model = await startModel({
    turns: [{ steps: [{ limit: { resetsInS: 1 } }, { say: 'fine' }] }],
  });
  expect((await ask(model, { messages: [user('a')] })).status).toBe(429);
  await expect
    .poll(async () => (await ask(model, { messages: [user('a')] })).status, { timeout: 5000 })
    .toBe(200);
});

test('a sub-agent tool that can run in the background is told not to', async () => {
  await using model = await startModel({ turns: [{ once: false, steps: [{ subagent: 'x' }] }] });
  const inputOf = (text: string) => JSON.parse(text).content[0].input;
  const tools = [{ name: 'Agent', input_schema: { properties: { run_in_background: {} } } }];
  const asked = await ask(model, { messages: [user('a')], tools });
  expect(inputOf(asked.text)).toMatchObject({ run_in_background: false });
  expect(inputOf((await ask(model, { messages: [user('a')] })).text)).not.toHaveProperty('run_in_background');
});

test('a title takes no turn of the conversation', async () => {
  await using model = await startModel({ turns: [{ steps: [{ say: 'one' }] }] });
  const named = await ask(model, { messages: [user('a')], output_config: { effort: 'low', format: {} } });
  expect(texts(named.text)).toEqual(['{"title":"Scripted"}']);
  expect(texts((await ask(model, { messages: [user('b')] })).text)).toEqual(['one']);
});

test('other requests do no harm', async () => {
  await using model = await startModel({ turns: [] });
  expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
  const counted = await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
  expect(await counted.json()).toEqual({ input_tokens: 100 });
  expect(texts((await ask(model, { messages: [user('a')] })).text)).toEqual([
    'The script has no turn for this message.',
  ]);
});

const agentOnly: Step[] = [
  { exit: 1 },
  { raw: 'x' },
  { stderr: 'x' },
  { line: { bytes: 1 } },
  { ignore: [] },
];
test.each(agentOnly)('%j is refused at once', async (step) => {
  await expect(startModel({ turns: [{ steps: [step] }] })).rejects.toThrow('no API can play');
});
