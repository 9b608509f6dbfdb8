// The settings of messages. They leave the machine, so no project's file may set them (load.ts).
import { z } from 'zod';
import { list, loosens, runs } from './form.ts';

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
