// Parses what codex's app server (0.169.0) reports about a turn and its items, without state, so a record as well.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, record, records, text, wordIn } from '../json-value.ts';
import { statusOf } from './read-failure.ts';

type Events = readonly AgentEvent[];

const reasonLimit = 4_000;

/** `main`: of pawl's thread, not a sub-agent's. */
export function readNotice(method: string, params: JsonRecord, main: boolean): Events {
  switch (method) {
    case 'item/started':
      return readItem(record(params['item']) ?? {}, { isOver: false, main });
    case 'item/completed':
      return readItem(record(params['item']) ?? {}, { isOver: true, main });
    case 'error':
      return params['willRetry'] === true ? readRetry(record(params['error']) ?? {}) : [];
    case 'model/rerouted':
      return [
        {
          type: 'model-fallback',
          from: text(params['fromModel']) ?? '',
          to: text(params['toModel']) ?? '',
          reason: text(params['reason']) ?? '',
        },
      ];
    default:
      return /[dD]elta$|\/progress$/.test(method) ? [{ type: 'heartbeat' }] : [];
  }
}

function readRetry(error: JsonRecord): Events {
  const [, attempt = '1', max = '1'] = /(\d+)\/(\d+)/.exec(text(error['message']) ?? '') ?? [];
  const reason = text(error['additionalDetails']) ?? text(error['message']) ?? '';
  const status = statusOf(error['codexErrorInfo']);
  return [
    {
      type: 'api-retry',
      attempt: Number(attempt),
      max: Number(max),
      delayMs: 0,
      reason: oneLine(reason, reasonLimit),
      ...defined({ status }),
    },
  ];
}

const detailLimit = 4_000;

function readItem(
  item: JsonRecord,
  { isOver, main }: Readonly<{ isOver: boolean; main: boolean }>,
): readonly AgentEvent[] {
  const kind = text(item['type']);
  const said = text(item['text']) ?? '';
  if (kind === 'agentMessage')
    return isOver && said !== '' ? [{ type: 'said', text: said, main, synthetic: false }] : [];
  if (kind === 'reasoning') return [{ type: 'thought', main }];
  if (kind === 'contextCompaction') return isOver ? [{ type: 'compacted' }] : [];
  if (kind === 'userMessage') return [];
  const tool = wordIn(tools, kind);
  if (tool === undefined) return [{ type: 'heartbeat' }];
  return [isOver ? readToolEnd(item, main) : readToolStart(item, { tool, main })];
}

const tools: Readonly<Record<string, string>> = {
  commandExecution: 'Bash',
  fileChange: 'Edit',
  mcpToolCall: 'MCP',
  webSearch: 'WebSearch',
};

function readToolStart(
  item: JsonRecord,
  { tool, main }: Readonly<{ tool: string; main: boolean }>,
): AgentEvent {
  const about = text(item['command']) ?? text(item['query']) ?? text(item['tool']) ?? '';
  return {
    type: 'tool-started',
    id: text(item['id']) ?? '',
    tool,
    detail: oneLine(about, detailLimit),
    ...(tool === 'Bash' ? { runs: true } : {}),
    main,
  };
}

function readToolEnd(item: JsonRecord, main: boolean): AgentEvent {
  const code = number(item['exitCode']);
  const isError = item['status'] === 'failed' || (code !== undefined && code !== 0);
  const writes = records(item['changes']).flatMap((change) => text(change['path']) ?? []);
  const ended = { type: 'tool-ended', id: text(item['id']) ?? '', isError, main } as const;
  return writes.length === 0 ? ended : { ...ended, writes };
}
