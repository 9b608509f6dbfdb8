// `pawl notify test`: sends a message to each address.
import { userConfigFile } from '../config/load.ts';
import { Failure } from '../failure.ts';
import type { Channel } from '../notify/channel.ts';
import { deliver } from '../notify/deliver.ts';
import type { Message } from '../notify/message.ts';
import { formatMs } from '../report/text/figure.ts';
import { type CliContext, paint, print } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import { deliveryTools, readChannels } from '../start/messages.ts';
import type { Command } from './command.ts';

export const notifyCommand: Command<object> = async (context) => {
  const channels = await findChannels(context);
  const tools = deliveryTools(context);
  const ends = await Promise.all(
    channels.map(async (channel) => {
      const since = performance.now();
      const why = (await deliver(channel, testMessage, tools))?.why;
      const took = formatMs(Math.round(performance.now() - since));
      return why === undefined
        ? { text: `${paint(context, 'green', 'sent')}    ${channel.name} (${took})`, exit: 0 }
        : { text: `${paint(context, 'red', 'failed')}  ${channel.name}: ${why}`, exit: 8 };
    }),
  );
  for (const { text } of ends) print(context, text);
  return Math.max(...ends.map(({ exit }) => exit));
};

const testMessage: Message = {
  title: 'pawl: a test',
  body: 'This is what a message looks like. Nothing needs to be done.',
  tone: 'info',
  priority: 3,
  events: [{ occasion: 'test', priority: 3 }],
};

async function findChannels(context: CliContext): Promise<readonly Channel[]> {
  const channels = await readChannels(loadSettings(context));
  if (channels.length > 0) return channels;
  throw new Failure('usage', 'there is no address to send a message to', {
    hint: `Set PAWL_NOTIFY, e.g. to ntfys://ntfy.sh/my-topic, or notify.urls in ${userConfigFile(context.folders)} (docs/messages.md).`,
  });
}
