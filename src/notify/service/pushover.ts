// Pushover: the message API (https://pushover.net/api), without its emergencies, which ring until somebody reacts.

import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';
import type { Priority } from '../message.ts';

const priorities: Readonly<Record<Priority, number>> = { 1: -2, 2: -1, 3: 0, 4: 0, 5: 1 };

/** `pover://USER_KEY@TOKEN[/DEVICE…]`. */
export function readPushover({ user, host: token, parts: devices }: Address): ChannelReading {
  if (!user || token === '') return { problem: 'needs the key of a user and the token of an app' };
  return {
    secrets: [user, token],
    means: {
      kind: 'http',
      requests: ({ title, body, priority }) => [
        postJson('https://api.pushover.net/1/messages.json', {
          token,
          user,
          title: shorten(title, 250),
          message: shorten(body, 1_024),
          priority: priorities[priority],
          ...(devices.length > 0 ? { device: devices.join(',') } : {}),
        }),
      ],
    },
  };
}
