// Parses Claude Code's stream-json (2.1.330) into AgentEvents, line by line, without state.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import {
  type JsonRecord,
  noiseOf,
  number,
  oneLine,
  parseRecord,
  record,
  records,
  text,
  wordIn,
} from '../json-value.ts';
import { readLimit, readResult, readSystem } from './read-system.ts';

type Events = readonly AgentEvent[];

const none: Events = [];
const detailLimit = 4_000;
const plainLimit = 100_000;

/** Never throws. */
export function readClaude(line: string): Events {
  const value = parseRecord(line);
  const type = text(value?.['type']);
  if (value === undefined || type === undefined) return noiseOf(line);
  return wordIn(readers, type)?.(value) ?? none;
}

const readers: Readonly<Record<string, (value: JsonRecord) => Events>> = {
  assistant: readAssistant,
  user: readUser,
  system: readSystem,
  tool_progress: () => [{ type: 'heartbeat' }],
  stream_event: readPartial,
  rate_limit_event: (value) => readLimit(record(value['rate_limit_info']) ?? {}),
  result: (value) => (isBare(value) ? none : [readResult(value)]),
  content_block_delta: (value) => readPlain(record(value['delta']) ?? {}),
  control_response: (value) => readReply(record(value['response']) ?? {}),
};

function readAssistant(value: JsonRecord): Events {
  const message = record(value['message']) ?? {};
  const main = isMain(value);
  const synthetic = value['is_api_error_message'] === true || message['model'] === '<synthetic>';
  const content = message['content'];
  if (typeof content === 'string') return [{ type: 'said', text: content, main, synthetic }];
  const events: AgentEvent[] = [];
  for (const block of records(content)) {
    const event = readBlock(block, main, synthetic);
    if (event !== undefined) events.push(event);
  }
  const tokens = main && !synthetic ? contextTokens(record(message['usage'])) : 0;
  if (tokens > 0) events.push({ type: 'context', tokens, model: text(message['model']) ?? '' });
  return events;
}

function readBlock(block: JsonRecord, main: boolean, synthetic: boolean): AgentEvent | undefined {
  switch (block['type']) {
    case 'text': {
      const said = text(block['text']) ?? '';
      return said === '' ? undefined : { type: 'said', text: said, main, synthetic };
    }
    case 'tool_use': {
      const id = text(block['id']) ?? '';
      const tool = text(block['name']) ?? 'tool';
      const input = record(block['input']) ?? {};
      const file = text(input['file_path']) ?? text(input['notebook_path']);
      const runs = text(input['command']) === undefined ? undefined : (true as const);
      return {
        type: 'tool-started',
        id,
        tool,
        detail: toolDetail(input),
        main,
        ...defined({
          runs,
          purpose: runs && purposeOf(input),
          writes: writers.has(tool) && file !== undefined ? [file] : undefined,
        }),
      };
    }
    default:
      return { type: 'thought', main };
  }
}

/** They write the file they name (2.1). */
const writers: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** The description of a Bash call, "5-10 words" (2.1). */
function purposeOf(input: JsonRecord): string | undefined {
  return oneLine(text(input['description']) ?? '', detailLimit).trim() || undefined;
}

function toolDetail(input: JsonRecord): string {
  for (const key of detailKeys) {
    const value = text(input[key]);
    if (value !== undefined && value.trim() !== '') return oneLine(value, detailLimit);
  }
  return '';
}

const detailKeys = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'path',
  'url',
  'query',
  'description',
  'skill',
  'prompt',
] as const;

function contextTokens(usage: JsonRecord | undefined): number {
  if (usage === undefined) return 0;
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return parts.reduce((sum, key) => sum + (number(usage[key]) ?? 0), 0);
}

function readUser(value: JsonRecord): Events {
  const main = isMain(value);
  const content = record(value['message'])?.['content'];
  const events: AgentEvent[] = [];
  for (const block of records(content)) {
    if (block['type'] === 'tool_result') {
      const id = text(block['tool_use_id']) ?? '';
      events.push({ type: 'tool-ended', id, isError: block['is_error'] === true, main });
    }
    // The CLI's own, a sub-agent's prompt, or an echo of pawl's.
    if (block['type'] === 'text' && main && value['isReplay'] !== true) {
      events.push({ type: 'said', text: text(block['text']) ?? '', main, synthetic: true });
    }
  }
  return events;
}

/** A session drops pieces before parsing: these are of a record, a script, or another format. */
function readPartial(value: JsonRecord): Events {
  const isStart = record(value['event'])?.['type'] === 'content_block_start';
  return isStart ? [{ type: 'thought', main: isMain(value) }] : none;
}

/** Plain text of wrappers for other CLIs. */
function readPlain(delta: JsonRecord): Events {
  const said = (text(delta['text']) ?? '').replace(/\r?\n$/, '');
  return said === '' ? none : [{ type: 'noise', text: said.slice(0, plainLimit) }];
}

/** Wrappers end a step with an empty result; the turn continues until they exit. */
function isBare(value: JsonRecord): boolean {
  return value['subtype'] === undefined && value['is_error'] === undefined && value['result'] === '';
}

function readReply(response: JsonRecord): Events {
  const reply: AgentEvent = { type: 'reply', requestId: text(response['request_id']) ?? '' };
  const prose = text(record(response['response'])?.['text']) ?? '';
  return [reply, ...readCost(prose)];
}

function isMain(value: JsonRecord): boolean {
  return text(value['parent_tool_use_id']) === undefined;
}

/** The answer to `get_session_cost` (2.1.330) is prose. */
function readCost(prose: string): Events {
  const dollars = /cost:\s*\$([\d,]+(?:\.\d+)?)/i.exec(prose)?.[1];
  return dollars === undefined ? none : [{ type: 'cost', costUsd: Number(dollars.replaceAll(',', '')) }];
}
