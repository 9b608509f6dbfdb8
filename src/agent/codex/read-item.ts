// Parses an item of a codex turn (0.169.0), without state.
import type { AgentEvent } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, records, text, wordIn } from '../json-value.ts';

type Events = readonly AgentEvent[];

const detailLimit = 4_000;

/** `main`: not a sub-agent's. */
export function readItem(
  item: JsonRecord,
  { isOver, main = true }: Readonly<{ isOver: boolean; main?: boolean }>,
): Events {
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
