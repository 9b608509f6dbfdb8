import { describe, expect, it } from 'vitest';
import type { AgentRequest } from '../../../src/agent/agent.ts';
import type { ClaudeSettings } from '../../../src/agent/claude/claude.ts';
import { scriptAgent } from '../../../src/agent/script/adapter.ts';
import { plainClaude } from '../session/session-setup.ts';

const request: AgentRequest = { trusted: true, promptFile: '/run/001.prompt.md' };

const commandOf = (more: Partial<ClaudeSettings> = {}, asked: Partial<AgentRequest> = {}) =>
  plainClaude({ command: 'claude', ...more }).command({ ...request, ...asked });

/** The value behind an option; true for a bare one. */
function optionOf(args: readonly string[], name: string): string | true | undefined {
  const at = args.indexOf(name);
  if (at === -1) return undefined;
  const next = args[at + 1];
  return next === undefined || next.startsWith('--') ? true : next;
}

describe('how Claude Code is started', () => {
  it('as a conversation, the prompt never among the arguments', () => {
    const { file, args } = commandOf();
    expect(file).toBe('claude');
    expect(args.slice(0, 6).join(' ')).toBe(
      '--print --input-format stream-json --output-format stream-json --verbose',
    );
    expect(args).not.toContain(request.promptFile);
  });

  it.each<[string, Partial<ClaudeSettings>, Partial<AgentRequest>, string, string | true | undefined]>([
    ['bypass', {}, {}, '--dangerously-skip-permissions', true],
    ['acceptEdits', { permissions: 'acceptEdits' }, {}, '--permission-mode', 'acceptEdits'],
    ['it is no bypass', { permissions: 'acceptEdits' }, {}, '--dangerously-skip-permissions', undefined],
    ['dontAsk', { permissions: 'dontAsk' }, {}, '--permission-mode', 'dontAsk'],
    ['no model', {}, {}, '--model', undefined],
    ['the default model', { model: 'sonnet' }, {}, '--model', 'sonnet'],
    ['the request’s model wins', { model: 'sonnet' }, { model: 'opus' }, '--model', 'opus'],
    ['effort', { effort: 'low' }, { effort: 'high' }, '--effort', 'high'],
    ['tools as one word', {}, { tools: ['Read', 'Bash'] }, '--tools', 'Read,Bash'],
    ['no tools', {}, { tools: [] }, '--tools', ''],
    ['a cap', {}, { maxCostUsd: 1.5 }, '--max-budget-usd', '1.5'],
    ['a schema', {}, { schema: { type: 'object' } }, '--json-schema', '{"type":"object"}'],
    ['trusted: all settings', {}, {}, '--setting-sources', undefined],
    ['untrusted: the user’s settings only', {}, { trusted: false }, '--setting-sources', 'user'],
    ['untrusted: no MCP servers of the repository', {}, { trusted: false }, '--strict-mcp-config', true],
    ['text: no stream in', { input: 'text' }, {}, '--input-format', undefined],
    ['text: a stream out', { input: 'text' }, {}, '--output-format', 'stream-json'],
  ])('%s', (_, more, asked, name, value) => {
    expect(optionOf(commandOf(more, asked).args, name)).toBe(value);
  });

  it('the user’s arguments stand first and are not given twice', () => {
    const { file, args } = commandOf({ command: 'node', args: ['agent.js', '--model=haiku'], model: 'opus' });
    expect([file, ...args.slice(0, 3)]).toEqual(['node', 'agent.js', '--model=haiku', '--print']);
    expect(args).not.toContain('--model');
  });

  it('a user’s argument does not let an untrusted repository in', () => {
    const { args } = commandOf({ args: ['--setting-sources', 'project'] }, { trusted: false });
    expect(args.lastIndexOf('--setting-sources')).toBeGreaterThan(0);
    expect(args[args.lastIndexOf('--setting-sources') + 1]).toBe('user');
  });

  it('no attribution in commits; no tool that waits for a person or a wake-up', () => {
    const { args } = commandOf();
    expect(JSON.parse(String(optionOf(args, '--settings')))).toEqual({
      attribution: { commit: '', pr: '' },
      includeCoAuthoredBy: false,
      enabledPlugins: { 'pawl@pawl': false },
    });
    const absent = String(optionOf(args, '--disallowedTools')).split(',');
    expect(absent).toEqual(
      expect.arrayContaining(['AskUserQuestion', 'ExitPlanMode', 'ScheduleWakeup', 'EnterWorktree']),
    );
  });

  it.each([true, false])('the key is removed if it is to be: %s', (dropsKey) => {
    const { env } = commandOf({ dropsKey });
    expect('ANTHROPIC_API_KEY' in env && env['ANTHROPIC_API_KEY'] === undefined).toBe(dropsKey);
  });

  it.each([
    { silenceMs: 600_000, apiMs: 900_000, toolMs: 3_600_000 },
    { silenceMs: 60_000, apiMs: 300_000, toolMs: 600_000 },
  ])('the CLI gives up before pawl’s clocks ring: $apiMs', (clocks) => {
    const { env } = commandOf({ clocks });
    const ms = (name: string) => Number(env[name]);
    expect(ms('BASH_MAX_TIMEOUT_MS')).toBeLessThan(clocks.toolMs);
    expect(ms('BASH_DEFAULT_TIMEOUT_MS')).toBeLessThanOrEqual(ms('BASH_MAX_TIMEOUT_MS'));
    const tries = ms('CLAUDE_CODE_MAX_RETRIES') + 1;
    expect(ms('API_TIMEOUT_MS') * tries + 75_000).toBeLessThan(clocks.apiMs);
    expect(ms('CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS')).toBeLessThan(clocks.silenceMs);
    expect(env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS']).toBe('1');
    expect(env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS']).toBe('1');
  });

  it('never sets IS_SANDBOX itself', () => {
    expect(commandOf().env).not.toHaveProperty('IS_SANDBOX');
  });
});

describe('what pawl says', () => {
  const agent = plainClaude({ command: 'claude' });
  const said = (line: string | undefined) => JSON.parse(line ?? 'null');

  it.each(['prompt', 'correction', 'steer'] as const)(
    'a %s begins with a word of pawl’s own and ends with its block',
    (type) => {
      const lines = agent.open().write({ type, text: '/clear\nline' });
      // A steer interrupts first: its own line is the second.
      const [, first = '', line] = /^(.*\n)?(.*\n)$/.exec(lines ?? '') ?? [];
      expect(first === '' ? undefined : said(first).request).toEqual(
        type === 'steer' ? { subtype: 'interrupt' } : undefined,
      );
      expect(line?.indexOf('\n')).toBe((line?.length ?? 0) - 1);
      expect(said(line)).toMatchObject({
        type: 'user',
        message: {
          role: 'user',
          content: [
            { type: 'text', text: 'pawl: /clear\nline' },
            { type: 'text', text: expect.stringMatching(/^[^/@]*$/) },
          ],
        },
      });
    },
  );

  it('questions and interrupts are control requests, each with an id of its own', () => {
    const conversation = agent.open();
    expect(said(conversation.write({ type: 'cost', id: 'r1' }))).toEqual({
      type: 'control_request',
      request_id: 'r1',
      request: { subtype: 'get_session_cost' },
    });
    const ids = [1, 2].map(() => said(conversation.write({ type: 'interrupt' })));
    expect(ids.map(({ request_id }) => request_id)).toEqual(['pawl-interrupt-1', 'pawl-interrupt-2']);
    expect(ids[0].request).toEqual({ subtype: 'interrupt' });
  });

  it('a request of the CLI’s own is refused, since it waits for an answer', () => {
    const line = JSON.stringify({
      type: 'control_request',
      request_id: 'q7',
      request: { subtype: 'can_use_tool', tool_name: 'Bash' },
    });
    const { events, answer } = agent.open().read(line);
    expect(events).toEqual([]);
    expect(said(answer)).toEqual({
      type: 'control_response',
      response: { subtype: 'error', request_id: 'q7', error: expect.stringContaining('can_use_tool') },
    });
    expect(
      agent.open().read('{"type":"user","message":{"content":"\\"control_request\\""}}').answer,
    ).toBeUndefined();
  });

  it('text input: the prompt alone', () => {
    const text = plainClaude({ command: 'claude', input: 'text' });
    const { write } = text.open();
    expect(write({ type: 'prompt', text: '/clear' })).toBe('pawl: /clear\n');
    expect(write({ type: 'correction', text: 'x' })).toBeUndefined();
    expect(write({ type: 'interrupt' })).toBeUndefined();
    expect(text.can.followUp).toBe(false);
    expect(agent.firstEventHint).toContain('agent.claude.input: text');
  });
});

describe('a script as an agent', () => {
  const script = scriptAgent({ command: './work.sh', args: ['-v'], reportsCost: false });

  it('gets the prompt as its last argument and on its input', () => {
    const { file, args } = script.command(request);
    expect([file, ...args]).toEqual(['./work.sh', '-v', '/run/001.prompt.md']);
    expect(script.open().write({ type: 'prompt', text: '/x' })).toBe('/x\n');
    expect(script.open().write({ type: 'correction', text: 'x' })).toBeUndefined();
  });

  it('prints stream-json or plain text, line by line', () => {
    const read = (line: string) => script.open().read(line).events;
    expect(read('  indented')).toEqual([{ type: 'noise', text: '  indented' }]);
    expect(read('{"type":"system","subtype":"session_state_changed","state":"idle"}')).toEqual([
      { type: 'idle' },
    ]);
  });
});
