// Parses the lines of `codex exec --json` (0.169.0) into AgentEvents, without state.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, parseRecord, record, text } from '../json-value.ts';
import { readItem } from './read-item.ts';

type Events = readonly AgentEvent[];

const detailLimit = 4_000;
const noiseLimit = 2_000;

/** The events in one line of stdout, without its line ending. Never throws. */
export function readExec(line: string): Events {
  const value = parseRecord(line);
  switch (value?.['type']) {
    case 'thread.started':
      return [{ type: 'started', agentSession: text(value['thread_id']) ?? '', model: '', version: '' }];
    case 'item.started':
      return readItem(record(value['item']) ?? {}, { isOver: false });
    case 'item.completed':
      return readItem(record(value['item']) ?? {}, { isOver: true });
    case 'error':
      return readError(text(value['message']) ?? '');
    case 'turn.completed':
      return [readEnd(record(value['usage']) ?? {})];
    case 'turn.failed':
      return [readFailure(text(record(value['error'])?.['message']) ?? '')];
    case undefined:
      return readNoise(line);
    default:
      return [];
  }
}

function readNoise(line: string): Events {
  const said = oneLine(line, noiseLimit);
  return said === '' ? [] : [{ type: 'noise', text: said }];
}

/** `Reconnecting... 2/5 (why)` is a retry; the failed turn repeats any other error. */
function readError(message: string): Events {
  const [, attempt, max, reason = ''] = /^Reconnecting\.\.\. (\d+)\/(\d+) \((.*)\)$/s.exec(message) ?? [];
  if (attempt === undefined) return [];
  const status = statusOf(reason);
  return [
    {
      type: 'api-retry',
      attempt: Number(attempt),
      max: Number(max),
      delayMs: 0,
      reason: oneLine(reason, detailLimit),
      ...defined({ status }),
    },
  ];
}

function readEnd(usage: JsonRecord): AgentEvent {
  return {
    type: 'result',
    text: '',
    textIsLastSaid: true,
    isError: false,
    reason: 'completed',
    ...defined({ tokens: readTokens(usage) }),
  };
}

/** `input_tokens` includes cached ones. */
function readTokens(usage: JsonRecord): Tokens | undefined {
  const input = number(usage['input_tokens']);
  if (input === undefined) return undefined;
  const cacheRead = number(usage['cached_input_tokens']) ?? 0;
  const cacheWrite = number(usage['cache_write_input_tokens']) ?? 0;
  return {
    input: Math.max(0, input - cacheRead - cacheWrite),
    output: number(usage['output_tokens']) ?? 0,
    cacheRead,
    cacheWrite,
  };
}

/** codex has no fields for what went wrong: its sentences are mapped to the fields that other agents fill. */
function readFailure(message: string): AgentEvent {
  const said = innerMessage(message);
  return {
    type: 'result',
    text: said,
    isError: true,
    reason: 'api_error',
    ...defined({ apiStatus: statusOf(message), apiError: errorOf(message) }),
  };
}

function innerMessage(message: string): string {
  return text(record(parseRecord(message)?.['error'])?.['message']) ?? message;
}

function statusOf(message: string): number | undefined {
  const [, status] = /\b(?:status:?|HTTP) (\d{3})\b/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

function errorOf(message: string): string | undefined {
  if (/hit your usage limit/i.test(message)) return 'usage_limit_reached';
  if (/experiencing high demand|stream disconnected/i.test(message)) return 'overloaded_error';
  return undefined;
}
