// Parses the `system` lines of Claude Code's stream-json (2.1.330). Unknown subtypes yield no event.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, record, records, text } from '../json-value.ts';

const detailLimit = 200;

export function readSystem(value: JsonRecord): readonly AgentEvent[] {
  switch (value['subtype']) {
    case 'init':
      return [readInit(value)];
    case 'session_state_changed':
      if (value['state'] === 'running') return [{ type: 'busy' }];
      return value['state'] === 'idle' ? [{ type: 'idle' }] : [];
    case 'api_retry':
      return [readRetry(value)];
    case 'model_fallback':
    case 'model_refusal_fallback':
    case 'model_consent_fallback':
      return [readFallback(value)];
    case 'permission_denied': {
      const reason = text(value['decision_reason']) ?? text(value['decision_reason_type']) ?? '';
      return [{ type: 'denied', tool: text(value['tool_name']) ?? '', reason: oneLine(reason, detailLimit) }];
    }
    case 'session_writes_lost':
      return [{ type: 'writes-lost' }];
    case 'compact_boundary': {
      const metadata = record(value['compact_metadata']) ?? {};
      const before = number(metadata['pre_tokens']);
      return [{ type: 'compacted', ...defined({ before, after: number(metadata['post_tokens']) }) }];
    }
    case 'background_tasks_changed': {
      const open = records(value['tasks']).map((task) => oneLine(nameOf(task), detailLimit));
      return [{ type: 'background', open }];
    }
    case 'informational':
    case 'notification': {
      const said = text(value['content']) ?? text(value['message']) ?? '';
      return said === '' ? [] : [{ type: 'said', text: said, main: true, synthetic: true }];
    }
    case 'task_started':
    case 'task_progress':
    case 'task_updated':
    case 'task_notification':
    case 'status':
      return [{ type: 'heartbeat' }];
    default:
      return [];
  }
}

function readInit(value: JsonRecord): AgentEvent {
  return {
    type: 'started',
    agentSession: text(value['session_id']) ?? '',
    model: text(value['model']) ?? '',
    version: text(value['claude_code_version']) ?? '',
    ...defined({ permissions: text(value['permissionMode']), broken: brokenOf(value) }),
  };
}

function readFallback(value: JsonRecord): AgentEvent {
  const from = text(value['original_model']) ?? '';
  const to = text(value['fallback_model']) ?? '';
  const reason = text(value['trigger']) ?? whyFallback[String(value['subtype'])] ?? '';
  return { type: 'model-fallback', from, to, reason };
}

const whyFallback: Readonly<Record<string, string>> = {
  model_refusal_fallback: 'the model refused',
  model_consent_fallback: 'the model needs a consent',
};

function brokenOf(value: JsonRecord): readonly string[] | undefined {
  const servers = records(value['mcp_servers']).filter(({ status }) => status === 'failed');
  const found = [
    ...servers.map(({ name }) => `MCP server ${text(name) ?? '?'} failed`),
    ...['mcp_server_errors', 'plugin_errors'].flatMap((key) => records(value[key]).map(describeError)),
  ];
  return found.length === 0 ? undefined : found.map((each) => oneLine(each, detailLimit));
}

function describeError(error: JsonRecord): string {
  const name = text(error['name']) ?? text(error['plugin']) ?? text(error['server']) ?? 'a plugin';
  return `${name}: ${text(error['error']) ?? text(error['message']) ?? 'failed'}`;
}

function readRetry(value: JsonRecord): AgentEvent {
  return {
    type: 'api-retry',
    attempt: number(value['attempt']) ?? 0,
    max: number(value['max_retries']) ?? 0,
    delayMs: number(value['retry_delay_ms']) ?? 0,
    ...defined({ status: number(value['error_status']) }),
    reason: text(value['error']) ?? 'connection',
  };
}

function nameOf(task: JsonRecord): string {
  return text(task['description']) ?? text(task['task_id']) ?? 'a background task';
}
