// Spans as they came to a collector over HTTP in JSON.
import type { Received } from './receiver.ts';

/** As far as it is read here (opentelemetry-proto 1.5). */
type Traces = Readonly<{ resourceSpans: readonly Readonly<{ scopeSpans: readonly ScopeSpans[] }>[] }>;
type ScopeSpans = Readonly<{
  spans: readonly (Omit<SeenSpan, 'error' | 'attributes'> &
    Readonly<{
      status: Readonly<{ code: number; message?: string }>;
      attributes: readonly Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>[];
    }>)[];
}>;

/** A span that came, with its attributes by name. */
export type SeenSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  error: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
}>;

/** The spans of requests in JSON. */
export function spansIn(received: readonly Received[]): readonly SeenSpan[] {
  return received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ text }) => (JSON.parse(text) as Traces).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ traceId, spanId, parentSpanId, name, status, attributes }) => ({
      ...{ traceId, spanId, parentSpanId, name },
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
      error: status.code === 2 ? (status.message ?? '') : undefined,
    }));
}

function plain(value: Readonly<Record<string, unknown>>): unknown {
  const [[kind, inner] = []] = Object.entries(value);
  return kind === 'intValue' ? Number(inner) : inner;
}

/** The spans as a tree of names, each below its parent, in the order in which they came. */
export function treeOf(spans: readonly SeenSpan[], parent?: string, depth = 0): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans
    .filter(({ parentSpanId }) =>
      parent === undefined ? parentSpanId === undefined || !ids.has(parentSpanId) : parentSpanId === parent,
    )
    .flatMap(({ spanId, name, error }) => [
      `${'  '.repeat(depth)}${name}${error === undefined ? '' : ' ✗'}`,
      ...treeOf(spans, spanId, depth + 1),
    ]);
}
