// OTLP over HTTP as opentelemetry-proto 1.5 documents it: held by a schema in JSON, read by a small reader in protobuf.
import { z } from 'zod';
import type { Received } from './receiver.ts';

const hex = (length: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${length}}$`));
const nanos = z.union([z.string().regex(/^[1-9]\d{18}$/), z.int()]);
const value: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(value) }) }),
  ]),
);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const dropped = z.int().optional();
const scope = z.object({ name: z.literal('pawl'), version: z.string() });
const resource = z.strictObject({ attributes, droppedAttributesCount: dropped });

const span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  traceState: z.string().optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  flags: z.int().optional(),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: dropped,
  events: z.array(
    z.strictObject({ timeUnixNano: nanos, name: z.string(), attributes, droppedAttributesCount: dropped }),
  ),
  droppedEventsCount: dropped,
  links: z.array(
    z.object({ traceId: hex(32), spanId: hex(16), attributes, droppedAttributesCount: dropped }),
  ),
  droppedLinksCount: dropped,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});

const traces = z.strictObject({
  resourceSpans: z.array(
    z.object({ resource, scopeSpans: z.array(z.object({ scope, spans: z.array(span) })) }),
  ),
});

/** A span that came, with its attributes by name. */
export type SeenSpan = Readonly<{
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  error: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
}>;

function plain(list: z.infer<typeof attributes>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    list.map(({ key, value: one }) => {
      const [kind, inner] = Object.entries(one as object)[0] ?? [];
      return [key, kind === 'intValue' ? Number(inner) : inner];
    }),
  );
}

/** The spans of requests in JSON; throws where one does not keep the schema. */
export function spansIn(received: readonly Received[]): readonly SeenSpan[] {
  const bodies = received
    .filter(({ path }) => path === '/v1/traces')
    .map(({ text }) => traces.parse(JSON.parse(text)));
  return bodies
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
    .flatMap(({ spans }) => spans)
    .map(({ traceId, spanId, parentSpanId, name, status, attributes: list }) => ({
      ...{ traceId, spanId, parentSpanId, name, attributes: plain(list) },
      error: status.code === 2 ? (status.message ?? '') : undefined,
    }));
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
