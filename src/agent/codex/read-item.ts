// Parses an item of a codex turn (0.169.0): a message, a thought, a tool call. `exec` and the app server write the same
// items with different spellings. Keeps no state.
import type { AgentEvent } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, records, text, wordIn } from '../json-value.ts';

type Events = readonly AgentEvent[];

const detailLimit = 4_000;

/** The events of an item that began or is over. `main`: it is not a sub-agent's. */
export function readItem(
  item: JsonRecord,
  { isOver, main = true }: Readonly<{ isOver: boolean; main?: boolean }>,
): Events {
  const kind = text(item['type'])?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) ?? '';
  const said = text(item['text']) ?? '';
  if (kind === 'agent_message')
    return isOver && said !== '' ? [{ type: 'said', text: said, main, synthetic: false }] : [];
  if (kind === 'reasoning') return [{ type: 'thought', main }];
  if (kind === 'context_compaction') return isOver ? [{ type: 'compacted' }] : [];
  if (kind === 'user_message') return [];
  const tool = wordIn(tools, kind);
  if (tool === undefined) return [{ type: 'heartbeat' }];
  return [isOver ? readToolEnd(item, main) : readToolStart(item, { tool, main })];
}

const tools: Readonly<Record<string, string>> = {
  command_execution: 'Bash',
  file_change: 'Edit',
  mcp_tool_call: 'MCP',
  web_search: 'WebSearch',
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
  const code = number(item['exit_code']) ?? number(item['exitCode']);
  const isError = item['status'] === 'failed' || (code !== undefined && code !== 0);
  const writes = records(item['changes']).flatMap((change) => text(change['path']) ?? []);
  const ended = { type: 'tool-ended', id: text(item['id']) ?? '', isError, main } as const;
  return writes.length === 0 ? ended : { ...ended, writes };
}
