// Exports spans over OTLP. Loaded only if telemetry is wanted.
import { type Context, context, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TelemetryTarget } from './read-telemetry.ts';
import type { TraceSpan } from './trace.ts';

export interface Export {
  span(span: TraceSpan): void;
  /** Sends what is left; rejects, late, if it cannot. */
  end(): Promise<void>;
}

type Options = Readonly<{ target: TelemetryTarget; version: string; failed(why: string): void }>;

export function startExport({ target, version, failed }: Options): Export {
  const resource = resourceFromAttributes({ 'service.name': 'pawl', 'service.version': version }).merge(
    // The user's words about the service take precedence.
    detectResources({ detectors: [envDetector] }),
  );
  const exporter = new (target.protocol === 'http/json' ? JsonTraces : ProtoTraces)({});
  tellFailures(exporter, failed);
  // Ids come from the journal: the SDK's next span gets this one.
  let next = { traceId: '', id: '' };
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.id },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('pawl', version);
  return {
    span: (span) => {
      next = span;
      const { name, startMs: startTime, attributes, parentId } = span;
      const asked = { startTime, attributes, root: parentId === undefined };
      const started = tracer.startSpan(name, asked, contextOf(span));
      if (span.error !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
      started.end(span.endMs);
    },
    end: () => provider.shutdown(),
  };
}

function contextOf({ traceId, parentId, isSampled }: TraceSpan): Context {
  const here = context.active();
  if (parentId === undefined) return here;
  return trace.setSpanContext(here, {
    traceId,
    spanId: parentId,
    traceFlags: isSampled ? 1 : 0,
    isRemote: true,
  });
}

/** The SDK keeps them to itself. */
function tellFailures(exporter: Pick<JsonTraces, 'export'>, failed: Options['failed']): void {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    send(items, (result) => {
      if (result.code !== 0) failed(result.error?.message ?? 'it was not taken');
      done(result);
    });
  };
}
