// Parses what codex's app server (0.169.0) reports about a turn, its items and its failure, and the usage limit, in the
// words outcomes are judged by; without state, so a record as well.
import { defined } from '../../defined.ts';
import type { AgentEvent, LimitWindow } from '../../event/activity.ts';
import { type JsonRecord, number, oneLine, record, records, text, wordIn } from '../json-value.ts';

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
  // The command itself, without the shell that codex puts around it.
  const [action, more] = records(item['commandActions']);
  const plain = more ? undefined : text(action?.['command']);
  const about = plain ?? text(item['command']) ?? text(item['query']) ?? text(item['tool']) ?? '';
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

type FailureFields = Readonly<{ text: string; apiError?: string; apiStatus?: number }>;

export function readTurnError(error: JsonRecord): FailureFields {
  const info = error['codexErrorInfo'];
  const status = statusOf(info);
  const isConnection = record(info) !== undefined && status === undefined;
  return {
    text: text(error['message']) ?? '',
    ...defined({
      apiError: isConnection ? 'connection_failed' : wordIn(words, text(info)),
      apiStatus: status,
    }),
  };
}

function statusOf(info: unknown): number | undefined {
  const [inner] = Object.values(record(info) ?? {});
  return number(record(inner)?.['httpStatusCode']);
}

/** Words of session/judge-outcome.ts; other errors are judged by their sentence. */
const words: Readonly<Record<string, string>> = {
  usageLimitExceeded: 'usage_limit_reached',
  sessionBudgetExceeded: 'billing_error',
  rateLimitExceeded: 'rate_limit_error',
  serverOverloaded: 'overloaded_error',
  internalServerError: 'overloaded_error',
  flexUnavailable: 'overloaded_error',
  policyCapacityUnavailable: 'overloaded_error',
  contextWindowExceeded: 'request_too_large',
  unauthorized: 'authentication_error',
  modelNotFound: 'not_found_error',
  cyberPolicy: 'refusal',
  misalignmentPolicyViolation: 'refusal',
};

/** A window is named by its length, as on the account page; a later report without a window keeps it. */
export function mergeWindows(before: readonly LimitWindow[], limits: JsonRecord): readonly LimitWindow[] {
  const now = ['primary', 'secondary'].flatMap((key) => readWindow(record(limits[key])) ?? []);
  return [...before.filter(({ name }) => now.every((window) => window.name !== name)), ...now];
}

function readWindow(window: JsonRecord | undefined): LimitWindow | undefined {
  if (!window) return undefined;
  const minutes = number(window['windowDurationMins']) ?? 0;
  const used = number(window['usedPercent']);
  const resetsAt = number(window['resetsAt']);
  return {
    name: windowName(minutes),
    ...defined({
      utilization: used === undefined ? undefined : used / 100,
      resetsAt: resetsAt === undefined ? undefined : resetsAt * 1_000,
    }),
  };
}

function windowName(minutes: number): string {
  if (minutes === 10_080) return 'weekly';
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60}_hour` : `${minutes}_minute`;
}

const nearlyUsed = 0.9;

/** `isReached`: a turn failed by it. It ends with the last used-up window. */
export function limitOf(windows: readonly LimitWindow[], isReached: boolean): AgentEvent {
  const full = windows.filter(({ utilization = 0 }) => utilization >= (isReached ? 1 : nearlyUsed));
  const last = full.toSorted((a, b) => (a.resetsAt ?? 0) - (b.resetsAt ?? 0)).at(-1);
  const status = isReached ? 'rejected' : full.length > 0 ? 'warning' : 'allowed';
  const { name: window, utilization, resetsAt } = last ?? {};
  return { type: 'limit', status, ...defined({ window, utilization, resetsAt }) };
}
