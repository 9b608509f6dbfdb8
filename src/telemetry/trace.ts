// Ids of a run's trace and spans, derived from the journal so that a resumed run continues its trace.
import { defined } from '../defined.ts';
import { digestText } from '../digest.ts';
import type { RunState } from '../journal/state.ts';
import { type Attributes, errorType } from './attributes.ts';

/** As in W3C's `traceparent`. */
export type TraceParent = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>;

/** Ended. Times are epoch milliseconds. */
export type TraceSpan = Readonly<{
  traceId: string;
  id: string;
  /** Absent for the trace’s first. */
  parentId?: string;
  isSampled: boolean;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  error?: string;
}>;

/** `of`: what it is of; `below`: its parent's id. */
export type SpanDraft = Readonly<{
  of: readonly (string | number)[];
  below: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  error?: string | undefined;
}>;

/** https://www.w3.org/TR/trace-context/; undefined if invalid. */
export function readTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(text?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** `seed`: unique to the run. */
function traceIdOf(seed: string): string {
  return digest(`trace ${seed}`, 32);
}

/** Equal for the same thing of the same run. */
function spanIdOf(seed: string, ...thing: readonly (string | number)[]): string {
  return digest(JSON.stringify([seed, ...thing]), 16);
}

function digest(text: string, length: number): string {
  const hex = digestText(text, length);
  // An id of only zeros is invalid.
  return /^0+$/.test(hex) ? `${'0'.repeat(length - 1)}1` : hex;
}

/** Nests the agent’s own spans below the session's, and says whose they are. */
export function sessionVariables(
  place: TraceParent,
  about: Readonly<Record<string, string | number | undefined>>,
  resource: string | undefined,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(about).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return {
    TRACEPARENT: formatTraceParent(place),
    OTEL_RESOURCE_ATTRIBUTES: [...(resource ? [resource] : []), ...pairs].join(','),
  };
}

export function idOf({ started }: RunState, ...thing: readonly (string | number)[]): string {
  return spanIdOf(started.run, ...thing);
}

export function callerOf({ started }: RunState): TraceParent | undefined {
  return readTraceParent(started.traceparent);
}

export function traceOf(state: RunState): Readonly<{ traceId: string; isSampled: boolean }> {
  return callerOf(state) ?? { traceId: traceIdOf(state.started.run), isSampled: true };
}

export function placeSpan(state: RunState, { of, below, error, ...span }: SpanDraft): TraceSpan {
  const { traceId, isSampled } = traceOf(state);
  const kind = error === undefined ? undefined : /^[a-z-]+$/.test(error) ? error : 'failed';
  return {
    ...span,
    traceId,
    isSampled,
    id: idOf(state, ...of),
    endMs: Math.max(span.startMs, span.endMs),
    ...defined({ parentId: below, error }),
    attributes: { ...span.attributes, ...defined({ [errorType]: kind }) },
  };
}
