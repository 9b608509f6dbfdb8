// Discord: executing a webhook (https://discord.com/developers/docs/resources/webhook#execute-webhook). Nobody is
// ever mentioned.

import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';
import type { Message } from '../message.ts';

const colours: Readonly<Record<Message['tone'], number>> = {
  info: 0x3498db,
  success: 0x2ecc71,
  warning: 0xf1c40f,
  failure: 0xe74c3c,
};

/** `discord://[NAME@]ID/TOKEN`. */
export function readDiscord({ host, parts: [token] }: Address): ChannelReading {
  if (!/^\d{6,}$/.test(host) || token === undefined)
    return { problem: 'needs the number and the token of a webhook' };
  return {
    secrets: [token],
    means: {
      kind: 'http',
      requests: ({ title, body, tone }) => [
        postJson(`https://discord.com/api/webhooks/${host}/${encodeURIComponent(token)}`, {
          embeds: [
            {
              title: escapeMarks(shorten(title, 200)),
              description: escapeMarks(shorten(body, 3_000)),
              color: colours[tone],
            },
          ],
          allowed_mentions: { parse: [] },
        }),
      ],
    },
  };
}

/** A description is Markdown, an agent's words are plain text. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]]/g, '\\$&');
}
