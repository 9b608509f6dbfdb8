// codex: its command line, and every recording of it.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AgentRequest } from '../../../src/agent/agent.ts';
import { codexAgent } from '../../../src/agent/codex/codex.ts';
import { readExec } from '../../../src/agent/codex/read-exec.ts';
import type { AgentEvent } from '../../../src/event/activity.ts';

function eventsOf(name: string): readonly AgentEvent[] {
  const url = new URL(`../../fixtures/streams/codex-0.169.0/${name}.ndjson`, import.meta.url);
  return readFileSync(url, 'utf8').trimEnd().split('\n').flatMap(readExec);
}

const settings = { command: 'codex', args: [] } as const;
const request: AgentRequest = { trusted: true, promptFile: '/run/001.prompt.md' };
const line = (value: object) => JSON.stringify(value);

describe('the command', () => {
  test.each<[string, Partial<AgentRequest>, readonly string[]]>([
    ['a reviewer', { readOnly: true }, ['exec', '--json', '--sandbox', 'read-only', '-']],
    [
      'model, effort and schema',
      { readOnly: true, model: 'gpt-5', effort: 'high', schemaFile: '/run/s.json' },
      [
        ...['exec', '--json', '--sandbox', 'read-only', '--model', 'gpt-5'],
        ...['-c', 'model_reasoning_effort="high"', '--output-schema', '/run/s.json', '-'],
      ],
    ],
    [
      'an untrusted repository',
      { readOnly: true, trusted: false },
      ['exec', '--json', '--sandbox', 'read-only', '-c', 'project_doc_max_bytes=0', '-'],
    ],
  ])('%s', (_, change, args) => {
    expect(codexAgent(settings).command({ ...request, ...change })).toMatchObject({
      file: 'codex',
      args,
      input: 'prompt',
    });
  });

  it('takes one prompt and nothing after it', () => {
    const { write } = codexAgent(settings).open();
    expect(write({ type: 'prompt', text: '/x' })).toBe('/x\n');
    expect(write({ type: 'correction', text: 'x' })).toBeUndefined();
    expect(write({ type: 'interrupt' })).toBeUndefined();
  });
});

describe('recordings', () => {
  it('a turn: start, words, commands, the end with tokens', () => {
    const events = eventsOf('danger-full-access');
    expect(events.map(({ type }) => type)).toEqual([
      'started',
      ...['said', 'tool-started', 'tool-ended', 'said', 'tool-started', 'tool-ended', 'said'],
      'result',
    ]);
    expect(events[2]).toMatchObject({ tool: 'Bash', detail: "/bin/bash -lc 'echo hello'" });
    expect(events.at(-1)).toEqual({
      type: 'result',
      text: '',
      textIsLastSaid: true,
      isError: false,
      reason: 'completed',
      tokens: { input: 300, output: 60, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test.each([
    ['err-400', { text: 'scripted HTTP 400' }],
    ['err-401', { apiStatus: 401 }],
    ['err-429', { apiStatus: 429 }],
    ['err-500', { apiError: 'overloaded_error' }],
    ['limit', { apiError: 'usage_limit_reached', text: 'You’ve hit your usage limit. Try again later.' }],
  ])('%s ends badly', (name, wanted) => {
    expect(eventsOf(name).at(-1)).toMatchObject({ type: 'result', isError: true, ...wanted });
  });

  it('tells retries with their status', () => {
    const retries = eventsOf('err-401').filter((event) => event.type === 'api-retry');
    expect(retries).toHaveLength(5);
    expect(retries[1]).toMatchObject({ attempt: 2, max: 5, status: 401 });
  });

  it('a hang says nothing after its start', () => {
    expect(eventsOf('hang').map(({ type }) => type)).toEqual(['started']);
  });
});

describe('single lines', () => {
  const completed = (item: object) => line({ type: 'item.completed', item });
  test.each<[string, string, readonly object[]]>([
    [
      'a failed command',
      completed({ id: 'a', type: 'command_execution', exit_code: 2 }),
      [{ isError: true }],
    ],
    [
      'a change, with its files',
      completed({ id: 'a', type: 'file_change', changes: [{ path: '/r/a' }, { path: '/r/b' }, {}] }),
      [{ isError: false, writes: ['/r/a', '/r/b'] }],
    ],
    ['a refused change', completed({ id: 'a', type: 'file_change', status: 'failed' }), [{ isError: true }]],
    ['thinking', completed({ type: 'reasoning', text: 'hm' }), [{ type: 'thought' }]],
    ['a list of things to do', completed({ type: 'todo_list' }), [{ type: 'heartbeat' }]],
    [
      'cached tokens',
      line({ type: 'turn.completed', usage: { input_tokens: 9, cached_input_tokens: 4 } }),
      [{ tokens: { input: 5, cacheRead: 4, output: 0, cacheWrite: 0 } }],
    ],
    ['no tokens', line({ type: 'turn.completed' }), [{ type: 'result', isError: false }]],
    ['an unknown type', line({ type: 'new.thing' }), []],
    ['a warning', 'WARN: path', [{ type: 'noise', text: 'WARN: path' }]],
    ['an empty line', '', []],
  ])('%s', (_, text, wanted) => {
    const events = readExec(text);
    expect(events).toHaveLength(wanted.length);
    expect(events).toMatchObject(wanted);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.json(), (text) => Array.isArray(readExec(text))));
    const item = fc.dictionary(fc.constantFrom('type', 'item', 'usage', 'error', 'message'), fc.jsonValue());
    const type = fc.constantFrom(
      'item.completed',
      'item.started',
      'error',
      'turn.failed',
      'turn.completed',
      'thread.started',
    );
    fc.assert(
      fc.property(type, item, (named, value) => Array.isArray(readExec(line({ ...value, type: named })))),
    );
  });
});
