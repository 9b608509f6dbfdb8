// Where telemetry goes by OpenTelemetry's variables, and the caller's place in a trace.
import { expect, test } from 'vitest';
import { readTelemetry } from '../../src/telemetry/read-telemetry.ts';
import { readTraceParent, sessionVariables } from '../../src/telemetry/trace.ts';

const all = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
const proto = { protocol: 'http/protobuf', shown: 'http://localhost:4318' };

test.each<readonly [env: Record<string, string>, settings: unknown]>([
  [{}, undefined],
  [all, proto],
  [{ ...all, OTEL_SDK_DISABLED: 'TRUE' }, undefined],
  [{ ...all, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }, proto],
  [
    { ...all, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    { ...proto, protocol: 'http/json' },
  ],
  [
    { ...all, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    {
      problem: expect.stringMatching(
        /^the protocol grpc .* http\/protobuf and http\/json are, usually at port 4318$/,
      ),
    },
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { problem: 'OTEL_EXPORTER_OTLP_ENDPOINT is not an address that begins with http:// or https://' },
  ],
])('%j', (env, settings) => {
  const read = readTelemetry(env);
  if (settings === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(settings as object);
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  [`00-${traceId}-${spanId}-01`, { traceId, spanId, isSampled: true }],
  [`00-${traceId}-${spanId}-00`, { traceId, spanId, isSampled: false }],
  [`01-${traceId}-${spanId}-01-more`, { traceId, spanId, isSampled: true }],
  [`ff-${traceId}-${spanId}-01`, undefined],
  [`00-${'0'.repeat(32)}-${spanId}-01`, undefined],
  [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (text, place) => expect(readTraceParent(text)).toEqual(place));

test('a session is told its span, and whose it is beside what the user said', () => {
  const place = { traceId, spanId, isSampled: true };
  const about = { 'pawl.run': 'a,b=c', 'pawl.session': 3, 'pawl.task': undefined };
  expect(sessionVariables(place, about, 'team=x')).toEqual({
    TRACEPARENT: `00-${traceId}-${spanId}-01`,
    OTEL_RESOURCE_ATTRIBUTES: 'team=x,pawl.run=a%2Cb%3Dc,pawl.session=3',
  });
});
