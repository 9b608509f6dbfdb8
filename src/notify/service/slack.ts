// Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks) and bots
// (chat.postMessage). Plain texts: no mentions, no links.

import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';
import type { Message } from '../message.ts';

/** A header may have 150 characters, a section 3000. */
const most = { title: 150, body: 2_900 };

/** `slack://[NAME@]A/B/C` and `slack://xoxb-TOKEN/CHANNEL`. */
export function readSlack({ host, parts }: Address): ChannelReading {
  if (/^xox[abp]-/.test(host)) return readBot(host, parts);
  const [second, third] = parts;
  if (!/^[A-Z0-9]{6,}$/i.test(host) || second === undefined || third === undefined)
    return { problem: 'needs the three parts of a webhook' };
  const url = `https://hooks.slack.com/services/${[host, second, third].map(encodeURIComponent).join('/')}`;
  return {
    secrets: [second, third],
    means: {
      kind: 'http',
      requests: (message) => [postJson(url, payload(message))],
    },
  };
}

function readBot(token: string, [channel]: readonly string[]): ChannelReading {
  if (channel === undefined) return { problem: 'needs a channel' };
  return {
    secrets: [token],
    means: {
      kind: 'http',
      requests: (message) => [
        postJson(
          'https://slack.com/api/chat.postMessage',
          { channel, ...payload(message) },
          { authorization: `Bearer ${token}` },
        ),
      ],
      // It answers 200 whatever happened.
      judgeAnswer: (body) => (/"ok":\s*true/.test(body) ? undefined : body),
    },
  };
}

function payload({ title, body }: Message): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  return {
    // For push notifications; only here Slack reads markup.
    text: shorten(title, most.title).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    blocks: [
      { type: 'header', text: plain(shorten(title, most.title)) },
      { type: 'section', text: plain(shorten(body, most.body)) },
    ],
  };
}
