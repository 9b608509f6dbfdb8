// Exports spans and metrics over OTLP. Loaded only if telemetry is wanted.
import {
  type Context,
  type Counter,
  context,
  type Histogram,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Measure } from './measure.ts';
import type { TelemetrySettings, TelemetryTarget } from './read-telemetry.ts';
import type { TraceSpan } from './trace.ts';

export interface Export {
  span(span: TraceSpan): void;
  measure(measure: Measure): void;
  /** Sends what is left; rejects, late, if it cannot. */
  end(): Promise<void>;
}

type Options = Readonly<{
  settings: TelemetrySettings;
  version: string;
  failed(target: TelemetryTarget, why: string): void;
}>;

export function startExport({ settings, version, failed }: Options): Export {
  const resource = resourceFromAttributes({ 'service.name': 'pawl', 'service.version': version }).merge(
    // The user's words about the service take precedence.
    detectResources({ detectors: [envDetector] }),
  );
  const traces = settings.traces && startTraces(settings.traces, { resource, version, failed });
  const measures = settings.metrics && startMetrics(settings.metrics, { resource, version, failed });
  return {
    span: (span) => traces?.span(span),
    measure: (measure) => measures?.measure(measure),
    end: async () => {
      await Promise.all([traces?.end(), measures?.end()]);
    },
  };
}

type ExportRequest = Pick<Options, 'version' | 'failed'> &
  Readonly<{ resource: ReturnType<typeof resourceFromAttributes> }>;

function startTraces(target: TelemetryTarget, { resource, version, failed }: ExportRequest) {
  const exporter = new (target.protocol === 'http/json' ? JsonTraces : ProtoTraces)({});
  // Ids come from the journal: the SDK's next span gets this one.
  let next = { traceId: '', id: '' };
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.id },
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, target, failed) })],
  });
  const tracer = provider.getTracer('pawl', version);
  return {
    span: (span: TraceSpan) => {
      next = span;
      const started = tracer.startSpan(
        span.name,
        {
          ...{ startTime: span.startMs, attributes: span.attributes, root: span.parentId === undefined },
        },
        contextOf(span),
      );
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

function startMetrics(target: TelemetryTarget, { resource, version, failed }: ExportRequest) {
  const exporter = new (target.protocol === 'http/json' ? JsonMetrics : ProtoMetrics)({});
  const reader = new PeriodicExportingMetricReader({ exporter: telling(exporter, target, failed) });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter('pawl', version);
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  return {
    measure: ({ name, kind, unit, amount, attributes }: Measure) => {
      if (kind === 'counter') {
        const counter = counters.get(name) ?? meter.createCounter(name, { unit });
        counters.set(name, counter);
        counter.add(amount, attributes);
        return;
      }
      const histogram = histograms.get(name) ?? meter.createHistogram(name, { unit });
      histograms.set(name, histogram);
      histogram.record(amount, attributes);
    },
    end: () => provider.shutdown(),
  };
}

type Result = Readonly<{ code: number; error?: Error }>;

/** Reports the exporter's failures, which the SDK keeps to itself. */
function telling<E extends { export(items: never, done: (result: Result) => void): void }>(
  exporter: E,
  target: TelemetryTarget,
  failed: Options['failed'],
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items: never, done: (result: Result) => void) => {
    send(items, (result) => {
      if (result.code !== 0) failed(target, result.error?.message ?? 'it was not taken');
      done(result);
    });
  };
  return exporter;
}
