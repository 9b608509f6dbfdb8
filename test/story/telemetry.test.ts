// Telemetry of whole runs, into a receiver that holds OTLP's schema: a run, one that was killed and goes on, and collectors
// that hang or are not there.
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { spansIn, treeOf } from '../helpers/otlp.ts';
import { expectExit } from '../helpers/pawl.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const asJson = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
});

const spanId = 'b7ad6b7169203331';
const traceId = '0af7651916cd43dd8448eb211c80319c';

test('a run is a trace below its caller, and each session is told its span', async () => {
  await using collector = await startReceiver(() => ({ body: '{}' }));
  const note = { bash: 'echo "$TRACEPARENT $OTEL_RESOURCE_ATTRIBUTES" > seen.txt' };
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [onTask('a', [note, write('a'), done])],
    env: {
      ...asJson(collector.url),
      OTEL_RESOURCE_ATTRIBUTES: 'team=blue',
      TRACEPARENT: `00-${traceId}-${spanId}-01`,
    },
  });
  await expectExit(0, scene.run());
  const spans = spansIn(collector.received);
  expect(treeOf(spans)).toEqual([
    'invoke_workflow Letters',
    '  task 1',
    ...['    check task:1:1 ✗', '    check task:1:1', '    invoke_agent task'],
  ]);
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const root = spans.find(({ name }) => name === 'invoke_workflow Letters');
  expect(root).toMatchObject({ parentSpanId: spanId, attributes: { 'pawl.exit': 0, 'pawl.finished': true } });
  const session = spans.find(({ name }) => name === 'invoke_agent task');
  const seen = await scene.repo.read('seen.txt');
  expect(seen).toMatch(`00-${traceId}-${session?.spanId}-01 team=blue,pawl.run=`);
  expect(seen).toContain(',pawl.session=1,pawl.task=1');
});

inSoak('a collector that hangs is told once, in the receipt too, and fails nothing', async () => {
  await using collector = await startReceiver(() => 'hang');
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  await expectExit(0, scene.run());
  const report = await readRun(scene);
  expect(report.match(/Telemetry does not arrive at http:\/\/127\.0\.0\.1:\d+: /g)).toHaveLength(1);
  const [first] = collector.received;
  expect(first?.headers['content-type']).toBe('application/x-protobuf');
});
