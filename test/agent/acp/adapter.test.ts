// Sessions with programs that speak ACP, and with some that do so badly: the runner with a protocol that shakes hands before
// the first prompt, asks questions of its own, and takes several prompts.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { acpAgent } from '../../../src/agent/acp/adapter.ts';
import { nonce, startSession, type TestPlan } from '../session/session-setup.ts';

/** What a program does with each request; it logs what it is asked to stderr. */
const programOf = (onPrompt: string) => `
const send = (value) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...value }) + '\\n');
const update = (sessionUpdate, more) => send({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, ...more } } });
const say = (text) => update('agent_message_chunk', { content: { type: 'text', text } });
let prompt;
const end = (stopReason = 'end_turn') => send({ id: prompt.id, result: { stopReason } });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  console.error(method ?? 'answer ' + JSON.stringify(result));
  if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
  if (method === 'session/new') send({ id, result: { sessionId: 's1' } });
  if (method === 'session/cancel') end('cancelled');
  if (method === 'session/prompt') { prompt = { id, text: params.prompt[0].text }; ${onPrompt} }
  else if (prompt && id === 'ask') answered(result);
});
function answered(result) {
  if (result.outcome.optionId !== 'once') return;
  for (const text of ['I did ', 'it.\\n', '<<<PAWL:TASK_DONE ${nonce}>>> ' + (prompt.text.startsWith('Again') ? 'again' : 'first')]) say(text);
  end();
}
`;

const asks = `
  send({ id: 'other', method: 'fs/read_text_file', params: {} });
  update('available_commands_update', { availableCommands: 'x'.repeat(1_000_000) });
  const options = [{ optionId: 'ever', kind: 'allow_always' }, { optionId: 'once', kind: 'allow_once' }];
  send({ id: 'ask', method: 'session/request_permission', params: { options, toolCall: { toolCallId: 't' } } });
`;
const hangs = `update('tool_call', { toolCallId: 't', status: 'in_progress' });`;

const start = (program: string, plan: Partial<TestPlan> = {}) =>
  startSession({
    agent: acpAgent('acp', { command: process.execPath, args: ['-e', program, '--'], env: {} }),
    ...plan,
    clocks: { interruptMs: 200, ...plan.clocks },
  });

const asked = async (folder: string): Promise<readonly string[]> =>
  (await readFile(`${folder}/001.stderr`, 'utf8')).trim().split('\n');

describe('a program that speaks ACP', () => {
  test('is answered, and takes a correction in the same process', async () => {
    await using started = await start(programOf(asks));
    const { session } = started;
    expect((await session.firstTurn()).outcome).toEqual({ kind: 'done', reason: 'first' });
    await session.hold();
    const again = await session.correct('Again, please.');
    expect([again.outcome, again.canCorrect]).toEqual([{ kind: 'done', reason: 'again' }, true]);
    expect(again.text).toBe(`I did it.\n<<<PAWL:TASK_DONE ${nonce}>>> again`);
    expect(await session.close()).toMatchObject({ exitCode: 0 });
    const answers = ['answer undefined', 'answer {"outcome":{"outcome":"selected","optionId":"once"}}'];
    expect(await asked(started.folder)).toEqual([
      ...['initialize', 'session/new', 'session/prompt', ...answers],
      ...['session/prompt', ...answers],
    ]);
  });

  test('is stopped in its own words', async () => {
    await using started = await start(programOf(hangs));
    const { session } = started;
    await expect.poll(() => asked(started.folder), { timeout: 30_000 }).toContain('session/prompt');
    await session.stop('a person stopped it');
    expect((await session.firstTurn()).outcome).toEqual({
      kind: 'interrupted',
      reason: 'a person stopped it',
    });
    await session.close();
    expect((await asked(started.folder)).at(-1)).toBe('session/cancel');
  });
});

describe('a program that is', () => {
  const wordy = 'console.log("Welcome to the agent!"); setInterval(() => {}, 1000);';
  const badCommand = /speaks ACP on stdio, and needs other arguments/;
  const dead = 'console.error("no such option: --acp"); process.exit(2)';
  test.each<[string, string, TestPlan['clocks'], string, RegExp]>([
    ['no speaker of JSON', wordy, { silenceMs: 1_000 }, 'timed-out', badCommand],
    ['mute', 'setInterval(() => {}, 1000);', { firstEventMs: 1_000 }, 'timed-out', badCommand],
    ['dead in the handshake', dead, {}, 'crashed', /exit code 2: no such option/],
    ['silent after a prompt', programOf(''), { silenceMs: 1_000 }, 'overloaded', /suspected limit: /],
  ])('%s', async (_, program, clocks = {}, kind, says) => {
    await using started = await start(program, { clocks });
    const reason = expect.stringMatching(says);
    expect((await started.session.firstTurn()).outcome).toMatchObject({ kind, reason });
    await started.session.close();
    expect(await started.processes()).toEqual([]);
  });
});
