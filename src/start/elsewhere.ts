// Reports a run elsewhere than on this screen; failures are notices of the run.

import type { Config } from '../config/schema.ts';
import type { Secret } from '../journal/mask.ts';
import type { Place } from '../place/place.ts';
import type { RunOptions } from '../place/run.ts';
import type { Reporter } from '../report/reporter.ts';
import { shorten } from '../shorten.ts';
import { readTelemetry } from '../telemetry/read-telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type CliContext, printNote } from './context.ts';
import { secretsOfFleet } from './mask-known.ts';
import { createMessages, readChannels, secretsOf } from './messages.ts';

/** `secrets`: in the reporters' settings. */
export type Elsewhere = Readonly<{
  reporters: readonly Reporter[];
  secrets: readonly Secret[];
  options: Pick<RunOptions, 'traceSession'>;
  open(place: Place): void;
}>;

type ElsewhereRequest = Readonly<{ config: Config; commonDir: string; isDialogue: boolean }>;

/** In a dialogue somebody is there, and needs no message. */
export async function createElsewhere(
  context: CliContext,
  { config, commonDir, isDialogue }: ElsewhereRequest,
): Promise<Elsewhere> {
  let place: Place | undefined;
  const teller = (code: string) => (text: string) => {
    try {
      if (place) place.run.emit({ type: 'noticed', code, text });
      else printNote(context, text);
    } catch {
      // If the journal cannot be written, the run will fail on that itself.
      printNote(context, text);
    }
  };
  const channels = await readChannels({ config });
  const messages = isDialogue
    ? []
    : await createMessages(context, channels, { config, commonDir, tell: teller('messages') });
  const telemetry = await createTelemetry(context, teller('telemetry'));
  const { reporter, hasTraces } = telemetry ?? {};
  return {
    reporters: [...messages, ...(reporter ? [reporter] : [])],
    secrets: [...secretsOf(channels), ...secretsOfFleet(config.fleet.url)],
    options:
      reporter && hasTraces ? { traceSession: (session, task) => reporter.variablesOf(session, task) } : {},
    open: (opened) => {
      place = opened;
    },
  };
}

type RunTelemetry = Readonly<{ reporter: Telemetry; hasTraces: boolean }>;

/** If that fails, says so, and the run continues without. */
async function createTelemetry(
  context: CliContext,
  tell: (text: string) => void,
): Promise<RunTelemetry | undefined> {
  const { env, version } = context;
  const settings = readTelemetry(env);
  if (!settings) return undefined;
  if ('problem' in settings) {
    tell(`Telemetry is off: ${settings.problem}.`);
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
    tell: (why) => tellOnce((traces ?? metrics)?.shown ?? '', why),
    resource: env['OTEL_RESOURCE_ATTRIBUTES'],
  });
  return { reporter, hasTraces: traces !== undefined };
}
