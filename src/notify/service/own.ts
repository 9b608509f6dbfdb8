// What a program of the user's is told.
import { defined } from '../../defined.ts';
import { type Address, looksSecret } from '../address.ts';
import { byHttp, type ChannelReading, postJson, type Services, type Transport } from '../means.ts';
import type { Message } from '../message.ts';

export const webhooks: Services = {
  json: { form: 'json://HOST/PATH', read: readWebhook },
  jsons: { form: 'jsons://HOST/PATH', read: readWebhook },
};

/** A command, which reads the event as JSON: a ralphex notify script's fields, and pawl's own. */
export function readCommand(command: string): Transport {
  return { kind: 'program', command, stdin: (message) => `${JSON.stringify(describe(message))}\n` };
}

/** `status`: `success` or `failure` at a run's end, else the occasion. */
function describe({ title, body, priority, events }: Message): object {
  const [event] = events;
  const { about, end } = event ?? {};
  const status = end ? (end.exit === 0 ? 'success' : 'failure') : (event?.occasion ?? 'test');
  return {
    status,
    mode: about?.mode ?? '',
    plan_file: about?.plan ?? '',
    branch: about?.branch ?? '',
    duration: formatDuration(end?.durationMs ?? 0),
    files: end?.files ?? 0,
    additions: end?.insertions ?? 0,
    deletions: end?.deletions ?? 0,
    ...defined({ error: end?.error }),
    title,
    text: body,
    priority,
    events,
  };
}

/** In Go's form: `1h2m3s`. */
function formatDuration(ms: number): string {
  const s = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(s / 3_600), Math.floor(s / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${s >= 60 ? `${minutes}m` : ''}${s % 60}s`;
}

/**
 * A webhook: apprise's JSON (https://appriseit.com/services/json/), plus what a program wants to know. `json(s)://[USER:PASSWORD@]HOST[/PATH][?+HEADER=VALUE]`; other query
 * parameters stay in the URL.
 */
function readWebhook({ scheme, user, password, host, parts, query }: Address): ChannelReading {
  if (host === '') return { problem: 'needs a host' };
  const pairs = [...query];
  const headers = pairs.filter(([name]) => name.startsWith('+'));
  const rest = pairs.filter(([name]) => !name.startsWith('+'));
  const login = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  const place = [host, ...parts.map(encodeURIComponent)].join('/');
  const asked = new URLSearchParams(rest).toString();
  const path = `${parts.length === 0 ? '/' : ''}${asked === '' ? '' : `?${asked}`}`;
  const url = `${scheme === 'jsons' ? 'https' : 'http'}://${place}${path}`;
  const authorization = user === undefined ? {} : { authorization: `Basic ${login}` };
  const secrets = [
    ...(password === undefined ? [] : [password]),
    ...(user === undefined ? [] : [login]),
    ...headers.map(([, value]) => value),
    // Many services hide a secret in the address.
    ...[...parts, ...rest.map(([, value]) => value)].filter(looksSecret),
  ];
  const own = Object.fromEntries(headers.map(([name, value]) => [name.slice(1).toLowerCase(), value]));
  const request = ({ title, body, tone, events: [event, ...more] }: Message) => {
    const told = { version: '1.0', title, message: body, attachments: [], type: tone };
    const pawl = { ...event, ...(more.length > 0 ? { more } : {}) };
    return postJson(url, { ...told, pawl }, { ...authorization, ...own });
  };
  return byHttp(secrets, request, `${host}/…`);
}
