// Gotify: creating a message (https://gotify.net/api-docs#/message/createMessage).

import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';
import type { Priority } from '../message.ts';

/** 0 to 10; a sound from 4 on, stays on the screen from 8 on. */
const priorities: Readonly<Record<Priority, number>> = { 1: 0, 2: 2, 3: 5, 4: 7, 5: 9 };

/** `gotify(s)://HOST[/PATH]/TOKEN`. */
export function readGotify({ scheme, host, parts }: Address): ChannelReading {
  const [token, ...folders] = parts.toReversed();
  if (host === '' || token === undefined) return { problem: 'needs a server and the token of an app' };
  const base = [host, ...folders.reverse().map(encodeURIComponent)].join('/');
  return {
    shown: `${host}/…`,
    secrets: [token],
    means: {
      kind: 'http',
      requests: ({ title, body, priority }) => [
        postJson(
          `${scheme === 'gotifys' ? 'https' : 'http'}://${base}/message`,
          {
            title: shorten(title, 250),
            message: shorten(body, 4_000),
            priority: priorities[priority],
            extras: { 'client::display': { contentType: 'text/plain' } },
          },
          { 'x-gotify-key': token },
        ),
      ],
    },
  };
}
