// The lines of Claude Code's stream-json as the scripted agent prints them: shapes as recorded from 2.1.330.
// It builds objects and counts cost; it writes nothing and knows no steps.
import { randomUUID } from 'node:crypto';
import type { Usage } from './script.ts';

export const agentVersion = '0.0.0 (pawl scripted agent)';

/** What a process of the scripted agent remembers between its turns. */
export type Session = {
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly startedMs: number;
  usage: Tokens;
  /** Tokens since the process began, and since its last result; sub-agents' among them. */
  total: Tokens;
  sinceResult: Tokens;
  /** Tokens of the main agent alone since the last result. */
  mainSinceResult: Tokens;
  results: number;
};

type Line = Record<string, unknown>;

/** Tokens by class. */
export type Tokens = { -readonly [Class in keyof Usage]-?: number };

export const noTokens: Readonly<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Tokens of a reply before any `usage` step; a sub-agent starts with them too. */
export const firstUsage: Readonly<Tokens> = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

/** A session that has said nothing yet. */
export function newSession(given: Pick<Session, 'id' | 'cwd' | 'model' | 'permissionMode'>): Session {
  const counts = { total: { ...noTokens }, sinceResult: { ...noTokens }, mainSinceResult: { ...noTokens } };
  return { ...given, startedMs: Date.now(), usage: { ...firstUsage }, ...counts, results: 0 };
}

/** Counts one reply's tokens: a sub-agent's are paid for, but are not the main agent's. */
export function charge(session: Session, isMain: boolean): void {
  const { usage, total, sinceResult, mainSinceResult } = session;
  const sums = isMain ? [total, sinceResult, mainSinceResult] : [total, sinceResult];
  for (const sum of sums) {
    for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) sum[key] += usage[key];
  }
}

/** US dollars at the list price of the model in the recordings. */
export function costOf(tokens: Readonly<Tokens>): number {
  return (tokens.input * 4 + tokens.output * 20 + tokens.cacheRead * 0.4 + tokens.cacheWrite * 5) / 1e6;
}

function tail(session: Session): Line {
  return { session_id: session.id, uuid: randomUUID() };
}

function stamped(session: Session): Line {
  return { ...tail(session), timestamp: new Date().toISOString() };
}

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

export function newReply(parent?: Parent): Reply {
  const messageId = `msg_${randomUUID().replaceAll('-', '').slice(0, 22)}`;
  return { messageId, requestId: `req_${randomUUID()}`, parent };
}

/** One content block of a reply. */
export function assistantLine(session: Session, reply: Reply, block: Line): Line {
  const { input, cacheRead, cacheWrite } = session.usage;
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
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: cacheWrite,
        cache_read_input_tokens: cacheRead,
        output_tokens: 1,
        service_tier: 'standard',
      },
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
