// What tells of a run elsewhere than on this screen: messages and telemetry. What fails there is a notice of the run.

import path from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../journal/mask.ts';
import { readJournal } from '../journal/read-journal.ts';
import { runsFolder } from '../journal/run-files.ts';
import type { Place } from '../place/place.ts';
import type { RunOptions } from '../place/run.ts';
import type { Reporter } from '../report/reporter.ts';
import { shorten } from '../shorten.ts';
import { readTelemetry } from '../telemetry/read-telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { readTraceParent } from '../telemetry/trace.ts';
import { type CliContext, printNote } from './context.ts';
import { secretsOfFleet } from './mask-known.ts';
import { createMessages, readChannels, secretsOf } from './messages.ts';

/** Reporters to elsewhere, what of their settings is secret, what sessions are told of their trace, and how all are told that the run is open. */
export type Elsewhere = Readonly<{
  reporters: readonly Reporter[];
  secrets: readonly Secret[];
  options: Pick<RunOptions, 'traceSession'>;
  open(place: Place): void;
}>;

type Given = Readonly<{ config: Config; commonDir: string; isDialogue: boolean }>;

/** Makes them by the settings; in a dialogue somebody is there, and needs no message. */
export async function createElsewhere(
  context: CliContext,
  { config, commonDir, isDialogue }: Given,
): Promise<Elsewhere> {
  let place: Place | undefined;
  const teller = (code: string) => (text: string) => {
    try {
      if (place) place.run.emit({ type: 'noticed', code, text });
      else printNote(context, text);
    } catch {
      // A journal that takes nothing more is told where the run itself writes to it.
      printNote(context, text);
    }
  };
  const channels = await readChannels({ config });
  const messages = isDialogue
    ? []
    : await createMessages(context, channels, { config, commonDir, tell: teller('messages') });
  const telemetry = await createTelemetry(context, { config, commonDir, tell: teller('telemetry') });
  const { reporter, hasTraces, traceparent } = telemetry ?? {};
  return {
    reporters: [...messages, ...(reporter ? [reporter] : [])],
    secrets: [...secretsOf(channels), ...secretsOfFleet(config.fleet.url)],
    options:
      reporter && hasTraces ? { traceSession: (session, task) => reporter.variablesOf(session, task) } : {},
    open: (opened) => {
      place = opened;
      if (traceparent !== undefined) opened.run.emit({ type: 'trace-joined', traceparent });
    },
  };
}

/** Its reporter, and the caller's place in a trace, if it is in one; undefined: there is no telemetry. */
type RunTelemetry = Readonly<{ reporter: Telemetry; hasTraces: boolean; traceparent?: string }>;

type Options = Readonly<{ config: Config; commonDir: string; tell: (text: string) => void }>;

/** Makes it; what is asked for and cannot be is told, and the run goes on without. */
async function createTelemetry(
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
      tell(`Telemetry does not arrive at ${where}: ${shorten(why.replaceAll(/\s+/g, ' '), 200)}`);
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
