// The real Claude Code CLI plays scripts through the scripted Messages API: the ground that all stories with it
// stand on. It tests the test's own tools, not pawl. Failures of the API: scripted-agent.test.ts.
import { expect, test } from 'vitest';
import { claudeEnvironment, claudePath, makeHome } from '../helpers/claude-home.ts';
import { isIdle, isResult, startStory, types } from '../helpers/claude-story.ts';
import { inSoak } from '../helpers/share.ts';
import { startTalk } from '../helpers/talk.ts';

test('one text turn: the said text is the result, and it costs something', async () => {
  await using story = await startStory([{ steps: [{ say: 'Scripted: {{marker TASK_DONE fine}}' }] }]);
  story.talk.say('Print <<<PAWL:TASK_DONE a1b2>>> when done.');
  const result = await story.talk.until(isResult);
  await story.talk.until(isIdle);
  expect(result).toMatchObject({
    subtype: 'success',
    is_error: false,
    result: 'Scripted: <<<PAWL:TASK_DONE a1b2>>> fine',
  });
  expect(result['total_cost_usd']).toBeGreaterThan(0);
  expect(await story.talk.end()).toEqual({ code: 0, signal: null });
  expect(types(story.talk.events)).toEqual([
    'session_state_changed',
    'init',
    'assistant',
    'success',
    'session_state_changed',
  ]);
});

inSoak('several tool calls are really executed, in their order', async () => {
  await using story = await startStory([
    {
      steps: [
        { say: 'First a file.' },
        { write: { file: "src/it's.txt", content: "quoted 'text'\nand no line end" } },
        { bash: 'cat src/*.txt > copy.txt; echo from stdout; exit 3' },
        { say: 'Then another.' },
        { bash: 'git add --all && git commit --quiet --message="agent: work"' },
        { say: 'Done.' },
      ],
    },
  ]);
  story.talk.say('go');
  const result = await story.talk.until(isResult);
  expect(result).toMatchObject({ is_error: false, result: 'Done.', num_turns: 4 });
  expect(await story.repo.read('copy.txt')).toBe("quoted 'text'\nand no line end");
  expect(await story.repo.log()).toEqual(['agent: work', 'start']);
  const results = story.talk.events.filter((event) => event['type'] === 'user');
  expect(results.map((event) => event['message'].content[0].is_error)).toEqual([false, true, false]);
  expect(results[1]?.['message'].content[0].content).toBe('Exit code 3\nfrom stdout');
});

inSoak('a second message in the same process is answered by its own turn', async () => {
  await using story = await startStory([
    { when: 'correction', steps: [{ bash: 'echo two >> said.txt' }, { say: 'Corrected {{nonce}}.' }] },
    { steps: [{ bash: 'echo one >> said.txt' }, { say: 'First try.' }] },
  ]);
  story.talk.say('the task <<<PAWL:X 00ff>>>');
  expect((await story.talk.until(isResult))['result']).toBe('First try.');
  story.talk.say('a correction');
  expect((await story.talk.until(isResult))['result']).toBe('Corrected 00ff.');
  expect(await story.repo.read('said.txt')).toBe('one\ntwo\n');
  expect(new Set(story.model.requests.map((request) => request.session)).size).toBe(1);
});

inSoak('an interrupted tool leaves the process ready for the next message', async () => {
  await using story = await startStory([
    { once: 'session', when: 'long', steps: [{ bash: 'while true; do sleep 0.2; done' }, { say: 'never' }] },
    { steps: [{ say: 'Still here.' }] },
  ]);
  story.talk.say('long work');
  await story.talk.until((event) => event['message']?.content[0].type === 'tool_use');
  story.talk.control('interrupt');
  const stopped = await story.talk.until(isResult);
  expect(stopped).toMatchObject({ subtype: 'error_during_execution', terminal_reason: 'aborted_tools' });
  story.talk.say('go on');
  expect((await story.talk.until(isResult))['result']).toBe('Still here.');
});

inSoak('a login that is refused fails the turn with its status', async () => {
  const setting = { env: { CLAUDE_CODE_MAX_RETRIES: '0' } };
  await using story = await startStory([{ steps: [{ api: { status: 401, message: 'no' } }] }], setting);
  story.talk.say('go');
  const result = await story.talk.until(isResult);
  expect(result).toMatchObject({ subtype: 'success', is_error: true, api_error_status: 401 });
  expect((await story.talk.end()).code).toBe(1);
});

inSoak.each(['five_hour', 'seven_day'] as const)('a usage limit (%s) names its reset', async (window) => {
  const turns = [{ steps: [{ limit: { resetsInS: 3600, window } }] }];
  await using story = await startStory(turns, { auth: 'oauth' });
  const beforeS = Math.floor(Date.now() / 1000);
  story.talk.say('go');
  const event = await story.talk.until(({ type }) => type === 'rate_limit_event');
  expect(event['rate_limit_info']).toMatchObject({ status: 'rejected', rateLimitType: window });
  expect(event['rate_limit_info'].resetsAt).toBeGreaterThanOrEqual(beforeS + 3600);
  const result = await story.talk.until(isResult);
  expect(result).toMatchObject({ is_error: true, api_error: 'usage_limit_reached', api_error_status: 429 });
});

inSoak('an overloaded API that recovers is retried by the CLI', async () => {
  await using story = await startStory([
    { steps: [{ api: { status: 529, times: 1 } }, { say: 'Recovered.' }] },
  ]);
  story.talk.say('go');
  const retry = await story.talk.until((event) => event['subtype'] === 'api_retry');
  expect(retry).toMatchObject({ attempt: 1, error_status: 529 });
  expect(await story.talk.until(isResult)).toMatchObject({ is_error: false, result: 'Recovered.' });
});

inSoak('a stream that is cut goes on where it broke', async () => {
  await using story = await startStory([
    { steps: [{ bash: 'true' }, { say: 'Before.' }, { cut: { times: 1 } }, { say: 'After.' }] },
  ]);
  story.talk.say('go');
  expect(await story.talk.until(isResult)).toMatchObject({ is_error: false, result: 'After.' });
});

inSoak('a model that never answers leaves the turn open; an interrupt ends it', async () => {
  await using story = await startStory([{ steps: [{ hang: true }] }]);
  story.talk.say('go');
  await expect.poll(() => story.model.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
  story.talk.control('interrupt');
  expect(await story.talk.until(isResult)).toMatchObject({ terminal_reason: 'aborted_streaming' });
});

inSoak('a sub-agent plays its own part, tools included', async () => {
  await using story = await startStory([
    {
      steps: [
        { subagent: [{ bash: 'echo sub > sub.txt' }, { say: 'Sub: {{marker TASK_DONE no}}' }] },
        { say: 'Main is done.' },
      ],
    },
  ]);
  story.talk.say('go');
  expect(await story.talk.until(isResult)).toMatchObject({ is_error: false, result: 'Main is done.' });
  expect(await story.repo.read('sub.txt')).toBe('sub\n');
  const inside = story.talk.events.filter((event) => event['parent_tool_use_id'] != null);
  expect(inside.length).toBeGreaterThan(0);
  expect(story.model.requests.some((request) => request.agentId !== undefined)).toBe(true);
});

inSoak('an answer by schema becomes structured output', async () => {
  const schema = { type: 'object', properties: { findings: { type: 'array' } }, required: ['findings'] };
  await using story = await startStory([{ steps: [{ say: 'Reading.' }, { answer: { findings: [] } }] }], {
    args: ['--json-schema', JSON.stringify(schema)],
  });
  story.talk.say('review');
  const result = await story.talk.until(isResult);
  expect(result).toMatchObject({ is_error: false, structured_output: { findings: [] } });
});

inSoak('usage is what the script says', async () => {
  await using story = await startStory([
    { steps: [{ usage: { input: 5000, output: 1000 } }, { bash: 'true' }, { say: 'Done.' }] },
  ]);
  story.talk.say('go');
  const result = await story.talk.until(isResult);
  expect(result['usage']).toMatchObject({ input_tokens: 10_000, output_tokens: 2000 });
});

inSoak('a signal of the script ends the CLI', async () => {
  await using story = await startStory([{ steps: [{ kill: 'SIGKILL' }, { say: 'never' }] }]);
  story.talk.say('go');
  await expect(story.talk.until(isResult)).rejects.toThrow('ended without');
  expect((await story.talk.end()).signal).toBe('SIGKILL');
});

inSoak('a turn that answers once is spent for every later session', async () => {
  const turns = [
    { when: 'task', once: true, steps: [{ say: 'The first time.' }] },
    { when: 'task', steps: [{ say: 'Any later time.' }] },
  ];
  await using story = await startStory(turns);
  await using home = await makeHome();
  const env = claudeEnvironment({ home: home.path, apiUrl: story.model.url, auth: 'key' });
  await using second = startTalk(claudePath, { cwd: story.repo.path, env });
  story.talk.say('the task');
  expect((await story.talk.until(isResult))['result']).toBe('The first time.');
  second.say('the task');
  expect((await second.until(isResult))['result']).toBe('Any later time.');
});
