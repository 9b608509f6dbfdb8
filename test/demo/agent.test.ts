// The scripted agent as a process: turns, tools, messages, control requests, signals and exit codes.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { makeAgent } from '../helpers/script.ts';
import { startTalk } from '../helpers/talk.ts';
import { isResult, isTool, kinds, playing, startAgent } from './start-agent.ts';

/** The machine may be busy; nothing here is about time. */
const slow = { timeout: 15_000 };

test('a turn prints its blocks one by one between running and idle; cost adds up over the process', async () => {
  await using story = await playing(
    { say: 'I begin.' },
    { bash: 'echo out; echo err >&2' },
    { write: { file: 'a/b.txt', content: '{{nonce}}' } },
    { say: 'End.\n{{marker TASK_DONE ok}}' },
  );
  story.talk.say('<<<PAWL:TASK_DONE ab12>>>');
  const first = await story.talk.until(isResult);
  story.talk.say('again');
  const second = await story.talk.until(isResult);
  expect(await story.talk.end()).toEqual({ code: 0, signal: null });
  expect(kinds(story.talk.events.slice(0, 10))).toEqual([
    'running',
    'init',
    'text',
    'tool_use',
    'tool_result',
    'tool_use',
    'tool_result',
    'text',
    'success',
    'idle',
  ]);
  expect(first).toMatchObject({
    is_error: false,
    num_turns: 3,
    result: 'End.\n<<<PAWL:TASK_DONE ab12>>> ok',
  });
  expect(second['total_cost_usd']).toBeCloseTo(2 * first['total_cost_usd']);
  expect(second['session_id']).toBe(first['session_id']);
  expect(story.talk.events[4]?.['tool_use_result'].stdout).toBe('out\nerr');
  expect(await story.repo.read('a/b.txt')).toBe('ab12');
});

test('a command runs in a session of its own; what it leaves behind does not hold the turn', async () => {
  await using story = await playing(
    { bash: 'echo $$ $(ps -o sid= -p $$); sleep 30 & echo $! > pid' },
    { say: 'x' },
  );
  story.talk.say('go');
  await story.talk.until(isResult);
  process.kill(Number(await story.repo.read('pid')));
  const output = story.talk.events.find((event) => event['tool_use_result'])?.['tool_use_result'].stdout;
  const [pid, session] = output.trim().split(/\s+/);
  expect(session).toBe(pid);
  expect(story.talk.pid).not.toBe(Number(pid));
});

test.each<[signal: NodeJS.Signals, code: number, results: number]>([
  ['SIGTERM', 143, 0],
  ['SIGHUP', 129, 0],
  ['SIGINT', 0, 1],
])('%s ends the command that runs, and the process with %d', async (signal, code, results) => {
  await using story = await playing({ bash: 'echo $$ > pid; sleep 100' }, { say: 'never' });
  story.talk.say('go');
  await expect.poll(() => story.repo.exists('pid'), slow).toBe(true);
  await expect.poll(() => story.repo.read('pid'), slow).not.toBe('');
  story.talk.signal(signal);
  expect(await story.talk.end()).toEqual({ code, signal: null });
  expect(story.talk.events.filter(isResult)).toHaveLength(results);
  const pid = Number(await story.repo.read('pid'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a signal that is ignored changes nothing', async () => {
  await using story = await playing(
    { ignore: ['SIGTERM'] },
    { bash: 'kill -TERM $CLAUDE_PID' },
    { say: 'Still here.' },
  );
  story.talk.say('go');
  expect((await story.talk.until(isResult))['result']).toBe('Still here.');
});

test('an interrupt ends the turn; the next message is answered', async () => {
  await using story = await startAgent([{ steps: [{ bash: 'sleep 100' }] }, { steps: [{ say: 'Next.' }] }]);
  story.talk.say('go');
  await story.talk.until(isTool);
  story.talk.control('interrupt');
  const stopped = await story.talk.until(isResult);
  expect(stopped).toMatchObject({
    is_error: true,
    terminal_reason: 'aborted_tools',
    subtype: 'error_during_execution',
  });
  expect(kinds(story.talk.events).slice(-5, -1)).toContain('tool_result');
  story.talk.say('go on');
  expect(await story.talk.until(isResult)).toMatchObject({ is_error: false, result: 'Next.' });
  expect((await story.talk.end()).code).toBe(0);
});

test('a message while a tool runs is folded into the turn; an urgent one ends it', async () => {
  await using story = await startAgent([
    { steps: [{ bash: 'until test -e go; do sleep 0.05; done' }, { say: 'First {{nonce}}.' }] },
    { when: 'long', steps: [{ hang: true }] },
    { steps: [{ say: 'Urgent.' }] },
  ]);
  story.talk.say('go');
  await story.talk.until(isTool);
  story.talk.say('steering');
  story.talk.control('initialize');
  await story.talk.until((event) => event['type'] === 'control_response');
  await story.repo.write('go', '');
  expect((await story.talk.until(isResult))['result']).toBe('First .');
  story.talk.say('long');
  await story.talk.until((event) => event['subtype'] === 'init');
  story.talk.say('now', { priority: 'now' });
  expect(await story.talk.until(isResult)).toMatchObject({
    is_error: false,
    result: '',
    terminal_reason: 'aborted_streaming',
  });
  expect((await story.talk.until(isResult))['result']).toBe('Urgent.');
});

test('cost is answered while a tool runs; an unknown request is an error', async () => {
  await using story = await playing(
    { usage: { input: 1000, output: 100 } },
    { bash: 'echo $$ > pid; sleep 100' },
  );
  story.talk.say('go');
  await story.talk.until(isTool);
  story.talk.control('get_session_cost');
  const cost = await story.talk.until((event) => event['type'] === 'control_response');
  expect(cost['response'].response.text).toContain('Estimated cost:        $0.0060');
  story.talk.control('nonsense');
  const refused = await story.talk.until((event) => event['type'] === 'control_response');
  expect(refused['response']).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
  await expect.poll(() => story.repo.exists('pid'), slow).toBe(true);
  await expect.poll(() => story.repo.read('pid'), slow).not.toBe('');
  story.talk.control('end_session');
  expect((await story.talk.end()).code).toBe(0);
  const pid = Number(await story.repo.read('pid'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test("a sub-agent's words carry its parent", async () => {
  await using story = await playing({ subagent: '{{marker TASK_DONE no}}' }, { say: 'Main.' });
  story.talk.say('go');
  expect((await story.talk.until(isResult))['result']).toBe('Main.');
  const call = story.talk.events.find(isTool);
  const said = story.talk.events.find(
    (event) => event['message']?.content[0].text === '<<<PAWL:TASK_DONE>>> no',
  );
  expect(said?.['parent_tool_use_id']).toBe(call?.['message'].content[0].id);
});

test('an answer is structured only where a schema was given', async () => {
  const turns = [{ steps: [{ answer: { a: 1 } }] }];
  await using asked = await startAgent(turns, { args: ['--json-schema', '{}'] });
  await using free = await startAgent(turns);
  asked.talk.say('go');
  free.talk.say('go');
  expect(await asked.talk.until(isResult)).toMatchObject({ structured_output: { a: 1 }, result: '{"a":1}' });
  expect(await free.talk.until(isResult)).not.toHaveProperty('structured_output');
});

test.each<[name: string, steps: Step[], code: number | null, signal: string | null]>([
  ['exit', [{ exit: 7, stderr: 'boom' }], 7, null],
  ['kill', [{ kill: 'SIGKILL' }], null, 'SIGKILL'],
  ['SIGTERM of its own', [{ kill: 'SIGTERM' }], 143, null],
])('%s ends the process without a result', async (name, steps, code, signal) => {
  await using story = await playing({ say: 'x' }, ...steps);
  story.talk.say('go');
  await expect(story.talk.until(isResult)).rejects.toThrow(name === 'exit' ? 'boom' : 'ended without');
  expect(await story.talk.end()).toEqual({ code, signal });
});

test('hanging, it hears control requests; silent, it hears nothing and outlives its input', async () => {
  await using hanging = await playing({ hang: true });
  hanging.talk.say('go');
  await hanging.talk.until((event) => event['subtype'] === 'init');
  hanging.talk.control('get_session_cost');
  await hanging.talk.until((event) => event['type'] === 'control_response');
  await using silent = await playing({ say: 'last words' }, { silence: true });
  silent.talk.say('go');
  await silent.talk.until((event) => event['type'] === 'assistant');
  silent.talk.control('interrupt');
  silent.talk.signal('SIGTERM');
  expect((await silent.talk.end()).code).toBe(143);
  expect(kinds(silent.talk.events)).toEqual(['running', 'init', 'text']);
});

test('a turn that answers once is spent for later processes', async () => {
  const turns = [
    { when: 'task', once: true, steps: [{ say: 'The first.' }] },
    { when: 'task', steps: [{ say: 'Any later.' }] },
  ];
  await using story = await startAgent(turns);
  await using later = startTalk(story.agent.command, { cwd: story.repo.path, env: story.env });
  story.talk.say('task');
  expect((await story.talk.until(isResult))['result']).toBe('The first.');
  later.say('task');
  expect((await later.until(isResult))['result']).toBe('Any later.');
});

test('a line that is not JSON ends the process with 1', async () => {
  await using story = await playing({ say: 'x' });
  story.talk.raw('no json');
  await expect(story.talk.until(isResult)).rejects.toThrow('Error parsing');
  expect((await story.talk.end()).code).toBe(1);
});

test('as text: the prompt from stdin or arguments, the last text on stdout', async () => {
  await using agent = await makeAgent([
    { when: 'over', steps: [{ api: { status: 403 } }] },
    { steps: [{ say: 'a' }] },
  ]);
  const run = (input: string, ...args: string[]) =>
    execFileSync(agent.command, args, { input, encoding: 'utf8' });
  expect(run('prompt', '-p')).toBe('a\n');
  expect(run('', '-p', '--model', 'x', 'prompt')).toBe('a\n');
  expect(JSON.parse(run('prompt', '-p', '--output-format=json'))).toMatchObject({
    type: 'result',
    result: 'a',
  });
  expect(() => run('over', '-p')).toThrow(expect.objectContaining({ status: 1 }));
  expect(() => run('', '-p')).toThrow(expect.objectContaining({ status: 1 }));
});

test('it does not pretend to be another program', () => {
  const file = fileURLToPath(new URL('../fixtures/agents/scripted/agent.ts', import.meta.url));
  const version = execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' });
  expect(version).toBe('0.0.0 (pawl scripted agent)\n');
});
