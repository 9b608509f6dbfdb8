// Makes spans of facts and sends them over OTLP. Loaded only if telemetry is wanted. Never holds the run up: it waits
// 2 s at most at the end; a failure is reported once.
import { setTimeout as wait } from 'node:timers/promises';
import { type Context, context, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Event, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { Reporter } from '../report/reporter.ts';
import type { TelemetryTarget } from './read-telemetry.ts';
import { spansEnding } from './spans.ts';
import { placeOf, sessionVariables, type TraceSpan } from './trace.ts';

/** `resource`: OTEL_RESOURCE_ATTRIBUTES as the user set it. */
export type TelemetryOptions = Readonly<{
  protocol: TelemetryTarget['protocol'];
  version: string;
  tell(why: string): void;
  resource: string | undefined;
}>;

const settleMs = 2_000;

export class Telemetry implements Reporter {
  readonly name = 'telemetry';
  readonly #options: TelemetryOptions;
  readonly #provider: TracerProvider;
  /** Ids come from the journal: the SDK's next span gets these. */
  #next = { traceId: '', spanId: '' };
  #state: RunState | undefined;
  #isOver = false;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    const { protocol, version, tell } = options;
    const exporter = new (protocol === 'http/json' ? JsonTraces : ProtoTraces)({});
    tellFailures(exporter, tell);
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'pawl', 'service.version': version }).merge(
        // The user's words about the service take precedence.
        detectResources({ detectors: [envDetector] }),
      ),
      idGenerator: {
        generateTraceId: () => this.#next.traceId,
        generateSpanId: () => this.#next.spanId,
      },
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
  }

  report(event: Stamped<Event>, state: RunState, before?: RunState): void {
    if (event.type === 'activity') return;
    this.#state = state;
    for (const span of spansEnding(event, state, before)) this.#send(span);
  }

  #send(span: TraceSpan): void {
    this.#next = span;
    const { name, startMs: startTime, endMs, attributes, error } = span;
    const tracer = this.#provider.getTracer('pawl', this.#options.version);
    const asked = { startTime, attributes, root: span.below === undefined };
    const started = tracer.startSpan(name, asked, contextOf(span));
    if (error !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: error });
    started.end(endMs);
  }

  variablesOf(session: number, task: string | undefined): Readonly<Record<string, string>> {
    if (!this.#state) return {};
    const about = { 'pawl.run': this.#state.started.run, 'pawl.session': session, 'pawl.task': task };
    return sessionVariables(placeOf(this.#state, 'session', session), about, this.#options.resource);
  }

  async settle(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      const how = await Promise.race([this.#provider.shutdown(), wait(settleMs, 'late')]);
      if (how === 'late') this.#options.tell(`no answer within ${settleMs / 1_000} s of the run’s end`);
    } catch (error) {
      this.#options.tell(error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {}
}

function contextOf({ traceId, below, isSampled }: TraceSpan): Context {
  const here = context.active();
  if (below === undefined) return here;
  const traceFlags = isSampled ? 1 : 0;
  return trace.setSpanContext(here, { traceId, spanId: below, traceFlags, isRemote: true });
}

/** The SDK keeps them to itself. */
function tellFailures(exporter: Pick<JsonTraces, 'export'>, tell: TelemetryOptions['tell']): void {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    send(items, (result) => {
      if (result.code !== 0) tell(result.error?.message ?? 'it was not taken');
      done(result);
    });
  };
}
