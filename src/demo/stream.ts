// The lines of Claude Code's stream-json as the scripted agent prints them: shapes as recorded from 2.1.330.
// It builds objects; it writes nothing and knows no steps.
import { randomUUID } from 'node:crypto';
import type { Session, Tokens } from './session.ts';

/** What it says to `--version`, and of itself at its start. */
export const agentVersion = '0.0.0 (pawl scripted agent)';

/** One line before it is printed. */
export type Line = Record<string, unknown>;

/** Tokens as the API names them. */
export function usageLine(tokens: Readonly<Tokens>): Line {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    service_tier: 'standard',
  };
}

function tail(session: Session): Line {
  return { session_id: session.id, uuid: randomUUID() };
}

function stamped(session: Session): Line {
  return { ...tail(session), timestamp: new Date().toISOString() };
}

/** The first line of a turn. */
export function initLine(session: Session): Line {
  return {
    type: 'system',
    subtype: 'init',
    cwd: session.cwd,
    session_id: session.id,
    tools: ['Task', 'Bash', 'Write'],
    mcp_servers: [],
    model: session.model,
    permissionMode: session.permissionMode,
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: agentVersion,
    output_style: 'default',
    agents: ['general-purpose'],
    skills: [],
    plugins: [],
    capabilities: [],
    served_by_anthropic: false,
    uuid: randomUUID(),
    original_cwd: session.cwd,
    additional_directories: [],
  };
}

/** `running` before a turn's init, `idle` after its result. */
export function stateLine(session: Session, state: 'running' | 'idle'): Line {
  return { type: 'system', subtype: 'session_state_changed', state, ...tail(session) };
}

/** What marks the lines of a sub-agent. */
export type Parent = Readonly<{ toolUseId: string; agentId: string; description: string }>;

function parentLine(parent: Parent | undefined): [before: Line, after: Line] {
  if (parent === undefined) return [{ parent_tool_use_id: null }, {}];
  const { toolUseId, agentId, description } = parent;
  return [
    { parent_tool_use_id: toolUseId, agent_id: agentId },
    { subagent_type: 'general-purpose', task_description: description },
  ];
}

/** One reply of the model: its blocks are printed one by one and share the message's and the request's id. */
export type Reply = Readonly<{ messageId: string; requestId: string; parent: Parent | undefined }>;

/** A reply that has said nothing yet. */
export function newReply(parent?: Parent): Reply {
  const messageId = `msg_${randomUUID().replaceAll('-', '').slice(0, 22)}`;
  return { messageId, requestId: `req_${randomUUID()}`, parent };
}

/** One content block of a reply. */
export function assistantLine(session: Session, reply: Reply, block: Line): Line {
  const [before, after] = parentLine(reply.parent);
  return {
    type: 'assistant',
    message: {
      id: reply.messageId,
      type: 'message',
      role: 'assistant',
      model: session.model,
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage: usageLine({ ...session.usage, output: 1 }),
      context_management: null,
    },
    ...before,
    ...stamped(session),
    request_id: reply.requestId,
    ...after,
  };
}

/** A piece of a thought, of a reply that follows whole. */
export function pieceLine(session: Session): Line {
  const event = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: 'Well, ' },
  };
  return {
    type: 'stream_event',
    event,
    session_id: session.id,
    parent_tool_use_id: null,
    uuid: randomUUID(),
  };
}

/** What a tool gave back: `result` is the structured side, `denied` a call that was stopped. */
export type ToolEnd = Readonly<{ content: unknown; isError?: boolean; result?: unknown; stopped?: boolean }>;

/** The result of one tool call. */
export function toolResultLine(
  session: Session,
  toolUseId: string,
  end: ToolEnd,
  parent: Parent | undefined,
): Line {
  const block = { tool_use_id: toolUseId, type: 'tool_result', content: end.content };
  const permission = { decision: 'accept', source: 'config', reason_type: 'mode' };
  const meta = end.stopped ? { non_execution_kind: 'user-rejected' } : { permission_decision: permission };
  const [before, after] = parentLine(parent);
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [end.isError === undefined ? block : { ...block, is_error: end.isError }],
    },
    ...before,
    ...stamped(session),
    ...(parent === undefined ? { tool_use_result: end.result ?? end.content } : {}),
    tool_result_meta: [{ id: toolUseId, ...meta }],
    ...after,
  };
}

/** Text in the user's role that the program itself wrote: an interruption, a cut stream, a sub-agent's prompt. */
export function userTextLine(
  session: Session,
  text: string,
  more: { parent?: Parent; synthetic?: boolean } = {},
): Line {
  const [before, after] = parentLine(more.parent);
  return {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    ...before,
    ...stamped(session),
    ...(more.synthetic ? { isSynthetic: true } : {}),
    ...after,
  };
}

/** A `system` event of any other kind, e.g. `api_retry` or `task_started`. */
export function systemLine(session: Session, subtype: string, fields: Line): Line {
  return { type: 'system', subtype, ...fields, uuid: randomUUID(), session_id: session.id };
}

/** Sign of life of a running command, every 30 seconds. */
export function heartbeatLine(session: Session, toolUseId: string, count: number): Line {
  return {
    type: 'tool_progress',
    tool_use_id: `${toolUseId}-heartbeat-${count}`,
    tool_name: 'Bash',
    parent_tool_use_id: toolUseId,
    elapsed_time_seconds: (count + 1) * 30,
    heartbeat: true,
    ...tail(session),
  };
}
