// ntfy: publishing as JSON (https://docs.ntfy.sh/publish/#publish-as-json, 2.27). `ntfy://TOPIC` is a topic of ntfy.sh.

import { shorten } from '../../shorten.ts';
import { type Address, looksSecret } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';
import type { Message } from '../message.ts';

const longest = 3_500;

/** `ntfy(s)://[USER:PASSWORD@ or TOKEN@]HOST/TOPIC…`. */
export function readNtfy({ scheme, user, password, host, parts, query }: Address): ChannelReading {
  const isCloud = parts.length === 0;
  const topics = isCloud ? [host] : parts;
  if (host === '' || topics.some((topic) => !/^[\w-]{1,64}$/.test(topic)))
    return { problem: 'needs a topic of letters, digits, - and _' };
  const token = query.get('token') ?? (password === undefined ? user : undefined);
  const isSecure = isCloud || scheme === 'ntfys' || host === 'ntfy.sh';
  const server = isCloud ? 'ntfy.sh' : host;
  const login = Buffer.from(`${user}:${password}`).toString('base64');
  const authorization = token ? `Bearer ${token}` : password === undefined ? undefined : `Basic ${login}`;
  return {
    shown: `${server}/…`,
    // A topic of ntfy.sh is as good as a password.
    secrets: [
      ...(token ? [token] : []),
      ...(password ? [password, login] : []),
      ...topics.filter(looksSecret),
    ],
    means: {
      kind: 'http',
      requests: (message) =>
        topics.map((topic) =>
          postJson(
            `${isSecure ? 'https' : 'http'}://${server}/`,
            {
              topic,
              title: shorten(message.title, 250),
              message: shorten(message.body, longest),
              priority: message.priority,
              tags: [tags[message.tone]],
            },
            { ...(authorization ? { authorization } : {}) },
          ),
        ),
    },
  };
}

/** Emoji that ntfy shows before the title. */
const tags: Readonly<Record<Message['tone'], string>> = {
  info: 'hourglass_flowing_sand',
  success: 'white_check_mark',
  warning: 'warning',
  failure: 'x',
};
