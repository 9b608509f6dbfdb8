// Addresses as apprise spells them, and what is sent for each.
import { describe, expect, test } from 'vitest';
import { readChannel } from '../../src/notify/channel.ts';
import type { Message } from '../../src/notify/message.ts';

const message: Message = {
  title: 'pawl: Task 2 asks you',
  body: 'Which <b>colour</b>?\n→ pawl answer 2 "…"',
  tone: 'warning',
  priority: 5,
  events: [{ occasion: 'needs-input', priority: 5, task: '2', command: 'pawl answer 2 "…"' }],
};

/** The requests for an address, as method-less lines with their bodies. */
function requestsOf(address: string) {
  const channel = readChannel(address);
  if ('problem' in channel) throw new Error(channel.problem);
  if (channel.means.kind !== 'http') throw new Error('not over HTTP');
  return channel.means.requests(message).map(({ url, headers, body }) => ({
    url,
    login: headers['authorization'],
    body: JSON.parse(body) as Record<string, unknown>,
  }));
}

const ntfyBody = { title: message.title, message: message.body, priority: 5, tags: ['warning'] };
const token = '123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ';

test.each<readonly [address: string, url: string, login: string | undefined, body: object]>([
  ['ntfy://my-topic', 'https://ntfy.sh/', undefined, { topic: 'my-topic', ...ntfyBody }],
  ['ntfy://localhost:8080/t', 'http://localhost:8080/', undefined, { topic: 't', ...ntfyBody }],
  ['ntfys://tk_abc@push.example.org/t', 'https://push.example.org/', 'Bearer tk_abc', { topic: 't' }],
  ['ntfys://u:p%40ss@push.example.org/t', 'https://push.example.org/', `Basic ${btoa('u:p@ss')}`, {}],
  ['ntfy://push.example.org/t?token=tk_abc', 'http://push.example.org/', 'Bearer tk_abc', {}],
  [
    'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
    'https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
    undefined,
    { text: message.title },
  ],
  [
    'discord://name@4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
    'https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
    undefined,
    { allowed_mentions: { parse: [] } },
  ],
  [
    `tgram://${token}/-100123`,
    `https://api.telegram.org/bot${token}/sendMessage`,
    undefined,
    { chat_id: -100123, disable_notification: false },
  ],
  [
    'json://u:p@127.0.0.1:9/hook?+X-Key=abcdefgh&id=7',
    'http://127.0.0.1:9/hook?id=7',
    `Basic ${btoa('u:p')}`,
    { version: '1.0', type: 'warning', pawl: { occasion: 'needs-input', command: 'pawl answer 2 "…"' } },
  ],
])('%s', (address, url, login, body) => {
  const [request] = requestsOf(address);
  expect(request).toMatchObject({ url, body });
  expect(request?.login).toBe(login);
});

test('several topics and chats are several requests', () => {
  expect(requestsOf('ntfy://h/a/b').map(({ body }) => body['topic'])).toEqual(['a', 'b']);
  expect(requestsOf(`tgram://${token}/1/@news`).map(({ body }) => body['chat_id'])).toEqual([1, '@news']);
});

test('what an agent says is text, whatever the service makes of marks', () => {
  const [slack] = requestsOf('slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ');
  expect(JSON.stringify(slack?.body)).not.toContain('mrkdwn');
  const channel = readChannel('discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js');
  if ('problem' in channel || channel.means.kind !== 'http') throw new Error('no channel');
  const [{ body } = { body: '' }] = channel.means.requests({ ...message, body: '**@everyone** [a](b)' });
  expect(JSON.parse(body).embeds[0].description).toBe('\\*\\*@everyone\\*\\* \\[a\\](b)');
});

test.each<readonly [string, object]>([
  [
    'mailtos://me:secret@example.org?smtp=mail.example.org&to=a@b.org,c@d.org',
    {
      host: 'mail.example.org',
      port: 587,
      secure: false,
      needsTls: true,
      user: 'me',
      to: ['a@b.org', 'c@d.org'],
    },
  ],
  ['mailto://127.0.0.1:2525?from=pawl@x.org&to=a@b.org', { host: '127.0.0.1', port: 2525, needsTls: false }],
  ['mailtos://me:secret@gmail.com', { host: 'smtp.gmail.com', from: 'me@gmail.com', to: ['me@gmail.com'] }],
  ['mailtos://me:secret@example.org?mode=ssl', { host: 'example.org', port: 465, secure: true }],
  ['mailtos://example.org?user=me%40x.org&pass=secret&to=a', { user: 'me@x.org', to: ['a@example.org'] }],
])('%s', (address, server) => {
  const channel = readChannel(address);
  expect(channel).toMatchObject({ means: { kind: 'mail', server } });
});

describe('programs', () => {
  const callOf = (address: string) => {
    const channel = readChannel(address);
    if ('problem' in channel || channel.means.kind !== 'program') throw new Error('no program');
    return channel.means.call(message);
  };

  test('a command reads what a notify script of ralphex reads, and more', () => {
    const { file, args, stdin } = callOf('command: ~/bin/tell --loud');
    expect([file, ...args]).toEqual(['sh', '-c', '~/bin/tell --loud']);
    expect(JSON.parse(stdin)).toEqual({
      ...{ status: 'needs-input', mode: '', plan_file: '', branch: '', duration: '0s' },
      ...{ files: 0, additions: 0, deletions: 0 },
      ...{ title: message.title, text: message.body, priority: 5, events: message.events },
    });
  });

  test('at a run’s end its status is that of ralphex', () => {
    const channel = readChannel('command:x');
    if ('problem' in channel || channel.means.kind !== 'program') throw new Error('no program');
    const about = { run: 'r', title: 'T', plan: 'p.md', branch: 'b', mode: 'full' };
    const end = { exit: 1, durationMs: 3_723_000, files: 2, insertions: 3, deletions: 4, error: 'red' };
    const event = { occasion: 'failed', priority: 5, about, end } as const;
    expect(JSON.parse(channel.means.call({ ...message, events: [event] }).stdin)).toMatchObject({
      ...{ status: 'failure', mode: 'full', plan_file: 'p.md', branch: 'b', duration: '1h2m3s' },
      ...{ files: 2, additions: 3, deletions: 4, error: 'red' },
    });
  });
});

test.each([
  ['pover://secret@secret', /^pover:\/\/ is gone: send its request by a command: or a webhook/],
  ['https://ntfy.sh/topic', /^there is no service https:\/\/: addresses begin with ntfy:\/\//],
  ['ntfy.sh/topic', /^this is not an address: addresses begin with/],
  [
    'ntfys://tk_verysecret@push.example.org/a topic',
    /^ntfys:\/\/ needs a topic of letters.*ntfys:\/\/\[TOKEN@\]HOST\/TOPIC$/,
  ],
  ['slack://xoxb-secret/C0123', /needs the three parts of a webhook/],
  ['slack://TOKENA1/secretB', /needs the three parts of a webhook/],
  ['discord://secret/secret', /needs the number and the token/],
  ['tgram://secret/1', /needs the token of a bot/],
  [`tgram://${token}/`, /needs the number of a chat/],
  ['mailtos://me:secret@example.org?to=a b', /does not take a b@example.org as a mail address/],
  ['mailtos://me:secret@example.org?mode=tls', /takes mode=starttls, ssl or insecure, not tls/],
  ['mailto://example.org:99999', /does not take 99999 as a port/],
])('%s is refused, and nothing secret is said', (address, says) => {
  const channel = readChannel(address);
  const problem = 'problem' in channel ? channel.problem : '';
  expect(problem).toMatch(says);
  expect(problem).not.toMatch(/secret(?!s)/);
});

test.each([
  ['ntfys://tk_verysecret@push.example.org/hiddentopic', 'ntfys://push.example.org/…'],
  ['slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ', 'slack://…'],
  [`tgram://${token}/1`, 'tgram://…'],
  ['mailtos://me:verysecret@example.org', 'mailtos://example.org'],
  ['jsons://u:verysecret@example.org/some/averylongpathsecret', 'jsons://example.org/…'],
  ['command:tell verysecret', 'command'],
])('the name of %s holds no secret', (address, name) => {
  const channel = readChannel(address);
  expect(channel).toMatchObject({ name });
  if ('problem' in channel) return;
  for (const secret of channel.secrets) expect(name).not.toContain(secret);
});
