// Whether and where traces go. The exporter reads address, headers, timeouts, compression and certificates itself.

/** `shown`: to people. */
export type TelemetryTarget = Readonly<{ protocol: 'http/protobuf' | 'http/json'; shown: string }>;

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined: none. `problem`: a sentence on what is impossible. */
export function readTelemetry(env: Env): TelemetryTarget | Readonly<{ problem: string }> | undefined {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const exporter = env['OTEL_TRACES_EXPORTER'] || 'otlp';
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || undefined;
  const given = own ?? (env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined);
  if (given === undefined || !exporter.split(',').some((one) => one.trim() === 'otlp')) return undefined;
  const url = URL.parse(given);
  const variable = `OTEL_EXPORTER_OTLP_${own === undefined ? '' : 'TRACES_'}ENDPOINT`;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return { problem: `${variable} is not an address that begins with http:// or https://` };
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return {
      problem: `the protocol ${protocol} of OTEL_EXPORTER_OTLP_PROTOCOL is not one that pawl speaks; http/protobuf and http/json are, usually at port 4318`,
    };
  return { protocol, shown: `${url.protocol}//${url.host}` };
}
