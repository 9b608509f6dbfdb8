// The settings of messages and telemetry: shape, default, meaning, effect on consent. Both leave the machine, so no
// project's file may set them (load.ts).
import { z } from 'zod';
import { list, loosens, runs, text } from './form.ts';

/** What a message can be about. */
export const occasionSchema = z.enum([
  'needs-input',
  'stuck',
  'failed',
  'budget',
  'limit',
  'agent-switched',
  'review',
  'crash',
  'done',
  'task-done',
]);

export type Occasion = z.infer<typeof occasionSchema>;

/** The settings under `notify`. */
export const notifySchema = z.strictObject({
  urls: runs(
    list(
      'Where messages go, each as a URL, e.g. ntfys://ntfy.sh/my-topic (docs/messages.md). PAWL_NOTIFY sets them, too. Not allowed in a project’s file.',
    ),
  ).prefault([]),
  on: loosens(
    z
      .array(occasionSchema)
      .describe(
        `What messages are about: ${occasionSchema.options.join(', ')}. Not allowed in a project’s file.`,
      ),
  ).prefault(occasionSchema.options.filter((occasion) => occasion !== 'task-done')),
});

/** The settings under `telemetry`. */
export const telemetrySchema = z.strictObject({
  endpoint: runs(
    text(
      'Address of an OpenTelemetry collector, e.g. http://localhost:4318; default: that of OTEL_EXPORTER_OTLP_ENDPOINT, otherwise none. Not allowed in a project’s file.',
    ),
  ).optional(),
});
