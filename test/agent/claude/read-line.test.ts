import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClaude } from '../../../src/agent/claude/read-line.ts';
import type { AgentEvent } from '../../../src/event/activity.ts';

function recording(name: string): readonly string[] {
  const url = new URL(`../../fixtures/streams/claude-2.1.330/${name}.ndjson`, import.meta.url);
  return readFileSync(url, 'utf8').trimEnd().split('\n');
}

function eventsOf(name: string): readonly AgentEvent[] {
  return recording(name).flatMap(readClaude);
}

function only<T extends AgentEvent['type']>(name: string, type: T) {
  return eventsOf(name).filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

const line = (value: object) => JSON.stringify(value);
const system = (subtype: string, more: object = {}) => line({ type: 'system', subtype, ...more });
const assistant = (block: object, more: object = {}) =>
  line({ type: 'assistant', message: { content: [block] }, ...more });

const user = (block: object, more: object = {}) =>
  line({ type: 'user', message: { content: [block] }, ...more });
const ofSubAgent = { parent_tool_use_id: 'toolu_1' };
const failedTool = { type: 'tool_result', tool_use_id: 't', is_error: true, content: 'x' };
const limitOf = (status: string, more: object = {}) =>
  line({ type: 'rate_limit_event', rate_limit_info: { status, ...more } });

describe('recordings', () => {
  it('a turn: start, words, tools with what they are about, context, result', () => {
    const events = eventsOf('one-task');
    expect(events[0]).toEqual({
      type: 'started',
      agentSession: '1526c417-bf3b-4632-8aca-f28aef252ad2',
      model: 'claude-opus-5-5',
      version: '2.1.330',
      permissions: 'bypassPermissions',
    });
    const tools = events.filter((event) => event.type === 'tool-started');
    expect(tools.map(({ tool }) => tool)).toEqual(['Bash', 'Write', 'Bash', 'Read', 'Edit', 'Edit', 'Bash']);
    expect(tools[1]?.detail).toBe('/demo/repo/src/part1.txt');
    expect(tools[2]?.detail).toBe("echo 'Task 1: Write tests for part 1' >> WORK.log");
    expect(events.filter((event) => event.type === 'tool-ended')).toHaveLength(7);
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      isError: false,
      reason: 'completed',
      costUsd: 0.01202,
      tokens: { input: 500, output: 501, cacheRead: 0, cacheWrite: 0 },
      contextWindows: { 'claude-opus-5-5': 1_000_000 },
    });
  });

  it('several inits and results in one process, with the list of background work', () => {
    expect(only('agents-default', 'started')).toHaveLength(3);
    expect(only('agents-default', 'result')).toHaveLength(3);
    expect(only('agents-default', 'background').map(({ open }) => open)).toEqual([
      ['Review alpha'],
      ['Review alpha', 'Review beta'],
      ['Review alpha'],
      [],
    ]);
  });

  it('words and tools of sub-agents are not the main agent’s', () => {
    const said = only('agents-default', 'said');
    expect(said.find(({ text }) => text === 'Agent alpha starts.')).toMatchObject({ main: false });
    expect(only('agents-foreground', 'tool-started').map(({ tool, main }) => `${tool} ${main}`)).toEqual([
      'Agent true',
      'Agent true',
      'Bash false',
      'Bash false',
    ]);
  });

  it('cost is cumulative over the process', () => {
    expect(only('input-two-prompts', 'result').map(({ costUsd }) => costUsd)).toEqual([0.00062, 0.00124]);
  });

  // What failed is judged row by row in judge-outcome.test.ts.
  it.each([
    ['startup-failure', { isError: true, reason: 'error_during_execution', apiError: 'bypass_root' }],
    ['max-turns', { isError: true, reason: 'max_turns', text: 'Reached maximum number of turns (2)' }],
    ['json-schema', { structured: expect.objectContaining({ status: 'done' }) }],
  ])('the last result of %s', (name, fields) => {
    expect(only(name, 'result').at(-1)).toMatchObject(fields);
  });

  it('a limit with its window, in milliseconds', () => {
    expect(only('limit-rejected', 'limit')).toEqual([
      {
        type: 'limit',
        status: 'rejected',
        window: 'five_hour',
        utilization: 1,
        resetsAt: 1_795_300_692_000,
      },
    ]);
    expect(only('limit-warning', 'limit')[0]?.status).toBe('warning');
  });

  it('retries, fallback, compaction, heartbeats, failures as text of the CLI’s own', () => {
    expect(only('always-529', 'api-retry')).toHaveLength(10);
    expect(only('always-529', 'api-retry')[0]).toMatchObject({ attempt: 1, max: 10, status: 529 });
    expect(only('fallback-529', 'model-fallback')[0]).toMatchObject({ to: 'claude-sonnet-5-5' });
    expect(only('compact', 'compacted')[0]).toEqual({ type: 'compacted', before: 980_054, after: 2_545 });
    expect(only('long-bash', 'heartbeat')).toContainEqual({ type: 'heartbeat' });
    expect(only('limit-rejected', 'said')).toEqual([
      { type: 'said', text: expect.stringContaining('5-hour limit'), main: true, synthetic: true },
    ]);
    expect(only('cut-tool-once', 'said').filter(({ synthetic }) => synthetic)).toHaveLength(1);
  });
});

describe('single lines', () => {
  it.each<[string, string, readonly AgentEvent[]]>([
    ['idle', system('session_state_changed', { state: 'idle' }), [{ type: 'idle' }]],
    ['running', system('session_state_changed', { state: 'running' }), [{ type: 'busy' }]],
    ['another state', system('session_state_changed', { state: 'requires_action' }), []],
    ['an unknown subtype', system('plugin_install'), []],
    ['an unknown type', line({ type: 'prompt_suggestion' }), []],
    ['thinking', assistant({ type: 'thinking', thinking: 'hm' }), [{ type: 'thought', main: true }]],
    [
      'thinking of a sub-agent',
      assistant({ type: 'thinking' }, ofSubAgent),
      [{ type: 'thought', main: false }],
    ],
    ['empty text', assistant({ type: 'text', text: '' }), []],
    [
      'a denial',
      system('permission_denied', { tool_name: 'Bash', decision_reason: 'rule' }),
      [{ type: 'denied', tool: 'Bash', reason: 'rule' }],
    ],
    [
      'a retry of a connection',
      system('api_retry', { attempt: 2, max_retries: 7, retry_delay_ms: 9, error_status: null }),
      [{ type: 'api-retry', attempt: 2, max: 7, delayMs: 9, reason: 'connection' }],
    ],
    ['a prompt given to a sub-agent', user({ type: 'text', text: '<<<PAWL:X>>>' }, ofSubAgent), []],
    ['an echo of our own prompt', user({ type: 'text', text: 'Do it' }, { isReplay: true }), []],
    [
      'a tool result that failed',
      user(failedTool),
      [{ type: 'tool-ended', id: 't', isError: true, main: true }],
    ],
    [
      'a start of a partial block',
      line({ type: 'stream_event', event: { type: 'content_block_start' } }),
      [{ type: 'thought', main: true }],
    ],
    ['a limit', limitOf('rejected', { isUsingOverage: false }), [{ type: 'limit', status: 'rejected' }]],
    [
      'one with extra usage',
      limitOf('rejected', { isUsingOverage: true }),
      [{ type: 'limit', status: 'warning' }],
    ],
    [
      'one, as another word says',
      limitOf('rejected', { overageInUse: true }),
      [{ type: 'limit', status: 'warning' }],
    ],
    ['an unknown limit status', limitOf('paused'), []],
    ['a limit status that every object knows', limitOf('constructor'), []],
    ['plain text', 'npm warn deprecated', [{ type: 'noise', text: 'npm warn deprecated' }]],
    ['JSON without a type', '{"a":1}', [{ type: 'noise', text: '{"a":1}' }]],
    ['JSON that is no object', '[1,2]', [{ type: 'noise', text: '[1,2]' }]],
    ['a torn line', '{"type":"resu', [{ type: 'noise', text: '{"type":"resu' }]],
    ['nothing', '', []],
    ['blanks', '  \t', []],
  ])('%s', (_, text, events) => {
    expect(readClaude(text)).toEqual(events);
  });

  it('an answer to the question for the cost', () => {
    const reply = (response: object) => line({ type: 'control_response', response });
    const text = 'Estimated cost:        $1,204.5\nTotal duration (API):  0s';
    expect(readClaude(reply({ subtype: 'success', request_id: 'c1', response: { text } }))).toEqual([
      { type: 'reply', requestId: 'c1' },
      { type: 'cost', costUsd: 1_204.5 },
    ]);
    expect(readClaude(reply({ subtype: 'error', request_id: 'c2', error: 'no' }))).toEqual([
      { type: 'reply', requestId: 'c2' },
    ]);
  });

  it.each([
    ['a command of many lines', { command: 'cd /x &&\n  npm test' }, 'cd /x && npm test'],
    ['terminal codes', { command: 'a\u001b[31mb' }, 'a [31mb'],
    ['a long one', { command: 'x'.repeat(10_000) }, `${'x'.repeat(3_999)}…`],
    ['a cut inside a character', { command: `${'x'.repeat(3_998)}😀😀` }, `${'x'.repeat(3_998)}…`],
    ['a pattern', { pattern: 'TODO' }, 'TODO'],
    ['none of the known', { todos: [] }, ''],
  ])('the detail of a tool call: %s', (_, input, detail) => {
    const [event] = readClaude(assistant({ type: 'tool_use', id: 't', name: 'Tool', input }));
    expect(event).toMatchObject({ type: 'tool-started', detail });
  });

  it.each([
    ['Write', { file_path: '/r/a', content: 'x' }, ['/r/a']],
    ['Edit', { file_path: `/r/${'a'.repeat(300)}` }, [`/r/${'a'.repeat(300)}`]],
    ['NotebookEdit', { notebook_path: '/r/n.ipynb' }, ['/r/n.ipynb']],
    ['Read', { file_path: '/r/a' }, undefined],
    ['Write', {}, undefined],
  ])('which files a tool writes: %s %j', (name, input, writes) => {
    const [event] = readClaude(assistant({ type: 'tool_use', id: 't', name, input }));
    expect(event).toMatchObject({ type: 'tool-started' });
    expect((event as { writes?: readonly string[] }).writes).toEqual(writes);
  });

  it('takes any JSON value without an exception', () => {
    const known = ['assistant', 'user', 'system', 'result', 'rate_limit_event', 'control_response'];
    const fields = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...known), fields, fc.jsonValue(), (type, more, message) =>
        Array.isArray(readClaude(line({ ...more, type, message, subtype: 'init' }))),
      ),
    );
  });
});
