// Whether and where telemetry goes. Exporters read headers, timeouts, compression and certificates themselves.
import { defined } from '../defined.ts';

/** Absent: nowhere. */
export type TelemetrySettings = Readonly<{ traces?: TelemetryTarget; metrics?: TelemetryTarget }>;

/** The exporter reads the address itself. `shown`: to people. */
export type TelemetryTarget = Readonly<{ protocol: 'http/protobuf' | 'http/json'; shown: string }>;

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined: none. `problem`: a sentence on what is impossible. */
export function readTelemetry(env: Env): TelemetrySettings | Readonly<{ problem: string }> | undefined {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const [traces, metrics] = (['TRACES', 'METRICS'] as const).map((kind) => readKind(kind, env));
  for (const kind of [traces, metrics]) if (kind && 'problem' in kind) return kind;
  if (!traces && !metrics) return undefined;
  return defined({
    traces: traces as TelemetryTarget | undefined,
    metrics: metrics as TelemetryTarget | undefined,
  });
}

function readKind(
  kind: 'TRACES' | 'METRICS',
  env: Env,
): TelemetryTarget | Readonly<{ problem: string }> | undefined {
  const exporter = env[`OTEL_${kind}_EXPORTER`] || 'otlp';
  const own = env[`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`] || undefined;
  const given = own ?? (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined);
  if (given === undefined || !exporter.split(',').some((one) => one.trim() === 'otlp')) return undefined;
  const url = URL.parse(given);
  const variable = `OTEL_EXPORTER_OTLP_${own === undefined ? '' : `${kind}_`}ENDPOINT`;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return { problem: `${variable} is not an address that begins with http:// or https://` };
  const protocol =
    env[`OTEL_EXPORTER_OTLP_${kind}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return {
      problem: `the protocol ${protocol} of OTEL_EXPORTER_OTLP_PROTOCOL is not one that pawl speaks; http/protobuf and http/json are, usually at port 4318`,
    };
  const shown = `${url.protocol}//${url.host}`;
  return { protocol, shown };
}
