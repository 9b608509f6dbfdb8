// What a run's telemetry is made from: OpenTelemetry's variables, the setting, the journal of a run that goes on. The SDK is
// loaded only where an address is set.
import path from 'node:path';
import type { Config } from '../config/schema.ts';
import { readJournal } from '../journal/read-journal.ts';
import { runsFolder } from '../journal/run-files.ts';
import { readTelemetry } from '../telemetry/settings.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { readTraceParent } from '../telemetry/trace.ts';
import type { CliContext } from './context.ts';

/** Its reporter, and the caller's place in a trace, if it is in one; undefined: there is no telemetry. */
export type RunTelemetry = Readonly<{ reporter: Telemetry; hasTraces: boolean; traceparent?: string }>;

type Options = Readonly<{ config: Config; commonDir: string; tell: (text: string) => void }>;

/** Makes it; what is asked for and cannot be is told, and the run goes on without. */
export async function createTelemetry(
  context: CliContext,
  { config, commonDir, tell }: Options,
): Promise<RunTelemetry | undefined> {
  const { env, version } = context;
  const settings = readTelemetry(env, config.telemetry.endpoint);
  if (!settings) return undefined;
  if ('problem' in settings) {
    tell(`There is no telemetry: ${settings.problem}.`);
    return undefined;
  }
  const [{ Telemetry }, { startExport }] = await Promise.all([
    import('../telemetry/telemetry.ts'),
    import('../telemetry/export.ts'),
  ]);
  const { traces, metrics } = settings;
  const told = new Set<string>();
  const tellOnce = (where: string, why: string) => {
    if (!told.has(where))
      tell(`Telemetry does not arrive at ${where}: ${why.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
    told.add(where);
  };
  const reporter = new Telemetry({
    export: startExport({ settings, version, failed: ({ shown }, why) => tellOnce(shown, why) }),
    readPast: (run) => readJournal(path.join(runsFolder(commonDir), run)),
    tell: (why) => tellOnce((traces ?? metrics)?.shown ?? '', why),
    resource: env['OTEL_RESOURCE_ATTRIBUTES'],
  });
  const { TRACEPARENT: traceparent } = env;
  const hasTraces = traces !== undefined;
  return {
    reporter,
    hasTraces,
    ...(hasTraces && traceparent && readTraceParent(traceparent) ? { traceparent } : {}),
  };
}
