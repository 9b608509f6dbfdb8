// How the scripted model reads a request and writes a reply in each API that it plays for other CLIs than Claude Code. It
// knows no script.
import { randomUUID } from 'node:crypto';
import {
  type Dialect,
  type Json,
  listOf,
  positionOf,
  sendEvents,
  sendJson,
  shellCall,
  textsOf,
} from './dialect.ts';

/** The API of a path; undefined: none. */
export function dialectOf(url: string): Dialect | undefined {
  if (url.endsWith('/responses')) return responses;
  if (url.endsWith('/chat/completions')) return chat;
  return /models\/[^:]+:(stream)?[gG]enerateContent/.test(url) ? gemini : undefined;
}

const responses: Dialect = {
  read: (body) => ({
    ...positionOf(
      listOf(body['input']).map(({ type, role, content }) => ({
        role: String(role),
        texts: textsOf(content),
        isResult: type === 'function_call_output',
      })),
    ),
    tools: listOf(body['tools']).map(({ name }) => String(name)),
    hasSchema: JSON.stringify(body['text'] ?? {}).includes('json_schema'),
  }),
  send: (response, { texts, command }) => {
    const id = randomUUID();
    const usage = {
      ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 10 } },
      ...{ output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 120 },
    };
    const said = texts.map((text) => ({
      ...{ type: 'message', role: 'assistant', id: `msg_${randomUUID()}` },
      content: [{ type: 'output_text', text }],
    }));
    const args = JSON.stringify({ cmd: command });
    const call = { type: 'function_call', call_id: `call-${id}`, name: 'exec_command', arguments: args };
    const items = [...said, ...(command === undefined ? [] : [call])];
    sendEvents(response, [
      ['response.created', { type: 'response.created', response: { id } }],
      ...items.map(
        (item) => ['response.output_item.done', { type: 'response.output_item.done', item }] as const,
      ),
      ['response.completed', { type: 'response.completed', response: { id, usage } }],
    ]);
  },
  refuse: (response, resetsAt) =>
    sendJson(
      response,
      {
        error: {
          type: 'usage_limit_reached',
          message: 'The usage limit has been reached',
          plan_type: 'plus',
          resets_at: resetsAt,
        },
      },
      429,
      {
        'x-codex-primary-used-percent': '100',
        'x-codex-primary-window-minutes': '300',
        'x-codex-primary-reset-at': String(resetsAt),
      },
    ),
};

const chatUsage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const chat: Dialect = {
  read: (body) => ({
    ...positionOf(
      listOf(body['messages']).map(({ role, content }) => ({
        role: String(role),
        texts: textsOf(content),
        isResult: role === 'tool',
      })),
    ),
    tools: listOf(body['tools']).map((tool) => String((tool['function'] as Json)['name'])),
    hasSchema: body['response_format'] !== undefined,
  }),
  send: (response, { texts, command, body }) => {
    const head = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(Date.now() / 1000),
      model: body['model'],
    };
    const calls = command === undefined ? [] : [toolCall(body, command)];
    const reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const content = texts.join('\n\n');
    if (body['stream'] !== true) {
      const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
      const choices = [{ index: 0, finish_reason: reason, message }];
      return sendJson(response, { ...head, object: 'chat.completion', choices, usage: chatUsage });
    }
    const chunk = (delta: object, finish: string | null = null) => ({
      ...{ ...head, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    sendEvents(response, [
      [undefined, chunk({ role: 'assistant', content })],
      ...(calls.length > 0
        ? [[undefined, chunk({ tool_calls: calls.map((call) => ({ index: 0, ...call })) })] as const]
        : []),
      [undefined, chunk({}, reason)],
      [undefined, { ...head, object: 'chat.completion.chunk', choices: [], usage: chatUsage }],
      [undefined, '[DONE]'],
    ]);
  },
  refuse: (response) =>
    sendJson(
      response,
      {
        error: {
          message: 'You exceeded your current quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      429,
    ),
};

function toolCall(body: Json, command: string): Json {
  const tools = listOf(body['tools']).map((tool) => tool['function'] as Json);
  const { name, args } = shellCall(
    tools.map((tool) => ({
      name: String(tool['name']),
      parameters: (tool['parameters'] as Json | undefined) ?? {},
    })),
    command,
  );
  return {
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
}

const gemini: Dialect = {
  read: (body) => ({
    ...positionOf(
      listOf(body['contents']).map(({ role, parts }) => ({
        role: String(role),
        texts: textsOf(parts),
        isResult: listOf(parts).some((part) => part['functionResponse'] !== undefined),
      })),
    ),
    tools: listOf(body['tools']).flatMap((tool) =>
      listOf(tool['functionDeclarations']).map(({ name }) => String(name)),
    ),
    hasSchema: false,
  }),
  send: (response, { texts, command, body }) => {
    const tools = listOf(body['tools']).flatMap((tool) => listOf(tool['functionDeclarations']));
    const described = tools.map((tool) => ({
      name: String(tool['name']),
      parameters: ((tool['parametersJsonSchema'] ?? tool['parameters']) as Json | undefined) ?? {},
    }));
    const call = command === undefined ? undefined : shellCall(described, command);
    const parts = [
      ...texts.map((text) => ({ text })),
      ...(call ? [{ functionCall: { id: randomUUID(), ...call } }] : []),
    ];
    sendEvents(response, [
      [
        undefined,
        {
          candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
          modelVersion: 'scripted',
          responseId: randomUUID(),
        },
      ],
    ]);
  },
  refuse: (response) =>
    sendJson(
      response,
      {
        error: {
          ...{ code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED' },
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
            },
          ],
        },
      },
      429,
    ),
};
