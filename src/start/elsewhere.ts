// What tells of a run elsewhere than on this screen: messages and telemetry. What fails there is a notice of the run.
import type { Config } from '../config/schema.ts';
import type { Secret } from '../journal/mask.ts';
import type { Place } from '../place/place.ts';
import type { RunOptions } from '../place/run.ts';
import type { Reporter } from '../report/reporter.ts';
import { type CliContext, printNote } from './context.ts';
import { secretsOfFleet } from './mask-known.ts';
import { createMessages, readChannels, secretsOf } from './messages.ts';
import { createTelemetry } from './telemetry.ts';

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
