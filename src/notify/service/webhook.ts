// A user's own webhook: apprise's JSON (https://appriseit.com/services/json/), plus what a program wants to know.
import { type Address, looksSecret } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';

/** `json(s)://[USER:PASSWORD@]HOST[/PATH][?+HEADER=VALUE]`; other query parameters stay in the URL. */
export function readWebhook({ scheme, user, password, host, parts, query }: Address): ChannelReading {
  if (host === '') return { problem: 'needs a host' };
  const pairs = [...query];
  const headers = pairs.flatMap(([name, value]) =>
    name.startsWith('+') ? [[name.slice(1).toLowerCase(), value]] : [],
  );
  const rest = pairs.flatMap(([name, value]) =>
    name.startsWith('+') ? [] : [[name.replace(/^-/, ''), value]],
  );
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  const place = [host, ...parts.map(encodeURIComponent)].join('/');
  const asked = new URLSearchParams(rest as [string, string][]).toString();
  return {
    shown: `${host}/…`,
    secrets: [
      ...(password === undefined ? [] : [password]),
      ...(user === undefined ? [] : [login]),
      ...headers.map(([, value = '']) => value),
      // Many services hide a secret in the address.
      ...[...parts, ...rest.map(([, value = '']) => value)].filter(looksSecret),
    ],
    means: {
      kind: 'http',
      requests: ({ title, body, tone, events: [event, ...more] }) => [
        postJson(
          `${scheme === 'jsons' ? 'https' : 'http'}://${place}${parts.length === 0 ? '/' : ''}${asked === '' ? '' : `?${asked}`}`,
          {
            version: '1.0',
            title,
            message: body,
            attachments: [],
            type: tone,
            pawl: { ...event, ...(more.length > 0 ? { more } : {}) },
          },
          {
            ...(user === undefined ? {} : { authorization: `Basic ${login}` }),
            ...Object.fromEntries(headers),
          },
        ),
      ],
    },
  };
}
