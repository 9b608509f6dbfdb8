// Ids of a run's trace and spans, derived from the journal so that a resumed run continues its trace.
import { defined } from '../defined.ts';
import { digestText } from '../digest.ts';
import type { RunState } from '../journal/state.ts';
import type { Attributes } from './attributes.ts';

/** As in W3C's `traceparent`. */
export type TraceParent = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>;

/** Ended. `of`: what it is of; `below`: its parent's id. Times are epoch milliseconds. */
export type SpanDraft = Readonly<{
  of: readonly (string | number)[];
  below: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  error?: string | undefined;
}>;

/** Its place is its own; `below`: absent for the trace’s first. */
export type TraceSpan = TraceParent & Omit<SpanDraft, 'of'>;

/** https://www.w3.org/TR/trace-context/; undefined if invalid. */
export function readTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(text?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
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
    TRACEPARENT: `00-${place.traceId}-${place.spanId}-${place.isSampled ? '01' : '00'}`,
    OTEL_RESOURCE_ATTRIBUTES: [...(resource ? [resource] : []), ...pairs].join(','),
  };
}

/** Equal for the same thing of the same run. */
export function idOf({ started }: RunState, ...thing: readonly (string | number)[]): string {
  return digest(JSON.stringify([started.run, ...thing]), 16);
}

function digest(text: string, length: number): string {
  const hex = digestText(text, length);
  // An id of only zeros is invalid.
  return /^0+$/.test(hex) ? `${'0'.repeat(length - 1)}1` : hex;
}

export function callerOf({ started }: RunState): TraceParent | undefined {
  return readTraceParent(started.ground.traceparent);
}

/** Of the thing's span, even if that is still to begin. */
export function placeOf(state: RunState, ...of: readonly (string | number)[]): TraceParent {
  const { traceId = digest(`trace ${state.started.run}`, 32), isSampled = true } = callerOf(state) ?? {};
  return { traceId, isSampled, spanId: idOf(state, ...of) };
}

export function placeSpan(state: RunState, { of, ...span }: SpanDraft): TraceSpan {
  const { error, startMs, endMs } = span;
  const kind = error === undefined || /^[a-z-]+$/.test(error) ? error : 'failed';
  return {
    ...span,
    ...placeOf(state, ...of),
    endMs: Math.max(startMs, endMs),
    attributes: defined({ ...span.attributes, 'error.type': kind }),
  };
}
