// What codex's app server (0.169.0) says about a failed turn and the usage limit, in the words outcomes are judged by.
import { defined } from '../../defined.ts';
import type { AgentEvent, LimitWindow } from '../../event/activity.ts';
import { type JsonRecord, number, record, text, wordIn } from '../json-value.ts';

export type FailureFields = Readonly<{ text: string; apiError?: string; apiStatus?: number }>;

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

export function statusOf(info: unknown): number | undefined {
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
