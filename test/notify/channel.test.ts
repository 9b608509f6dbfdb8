// Addresses as apprise spells them, and what is sent for each: what its service documents, within its limits.
import { expect, test } from 'vitest';
import { readChannel } from '../../src/notify/channel.ts';
import type { Message } from '../../src/notify/message.ts';

const message: Message = {
  title: 'pawl: Task 2 asks you',
  body: 'Which <b>colour</b>?\n→ pawl answer 2 "…"',
  tone: 'warning',
  priority: 5,
  events: [{ occasion: 'needs-input', priority: 5, task: '2', command: 'pawl answer 2 "…"' }],
};

/** The request for an address, with its body. */
function requestOf(address: string, told = message) {
  const channel = readChannel(address);
  if ('problem' in channel) throw new Error(channel.problem);
  if (channel.means.kind !== 'http') throw new Error('not over HTTP');
  const { url, headers, body } = channel.means.request(told);
  return { url, login: headers['authorization'], body: JSON.parse(body) };
}

const long = 'ünïcödé 🔧 '.repeat(1_000);
const upTo = (most: number) => expect.toSatisfy((text: string) => text.length > 0 && text.length <= most);
const ntfyBody = (topic: string) => ({
  ...{ topic, title: upTo(250), message: upTo(3_500), priority: 5, tags: ['warning'] },
});
const plain = (most: number) => ({ type: 'plain_text', text: upTo(most), emoji: false });
const token = '123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ';
const slack = 'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ';

test.each<readonly [address: string, url: string, login: string | undefined, body: object]>([
  ['ntfy://ntfy.sh/my-topic', 'https://ntfy.sh/', undefined, ntfyBody('my-topic')],
  ['ntfy://localhost:8080/t', 'http://localhost:8080/', undefined, ntfyBody('t')],
  ['ntfys://tk_abc@push.example.org/t', 'https://push.example.org/', 'Bearer tk_abc', ntfyBody('t')],
  [
    'ntfys://u:p%40ss@push.example.org/t',
    'https://push.example.org/',
    `Basic ${btoa('u:p@ss')}`,
    ntfyBody('t'),
  ],
  [
    slack,
    'https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
    undefined,
    {
      text: upTo(150),
      blocks: [
        { type: 'header', text: plain(150) },
        { type: 'section', text: plain(3_000) },
      ],
    },
  ],
  [
    'discord://name@4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
    'https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
    undefined,
    {
      embeds: [{ title: upTo(256), description: upTo(4_096), color: 0xf1c40f }],
      allowed_mentions: { parse: [] },
    },
  ],
  [
    `tgram://${token}/-100123`,
    `https://api.telegram.org/bot${token}/sendMessage`,
    undefined,
    {
      ...{ chat_id: -100123, text: upTo(4_096), disable_notification: false },
      link_preview_options: { is_disabled: true },
    },
  ],
  [
    'json://u:p@127.0.0.1:9/hook?+X-Key=abcdefgh&id=7',
    'http://127.0.0.1:9/hook?id=7',
    `Basic ${btoa('u:p')}`,
    {
      ...{ version: '1.0', title: long, message: long, attachments: [], type: 'warning' },
      pawl: message.events[0],
    },
  ],
])('%s', (address, url, login, body) => {
  expect(requestOf(address, { ...message, title: long, body: long })).toEqual({ url, login, body });
});

test('what an agent says is text, whatever the service makes of marks', () => {
  expect(JSON.stringify(requestOf(slack).body)).not.toContain('mrkdwn');
  const said = { ...message, body: '**@everyone** [a](b)' };
  const discord = requestOf('discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js', said);
  expect(discord.body.embeds[0].description).toBe('\\*\\*@everyone\\*\\* \\[a\\](b)');
});

test.each<readonly [string, object]>([
  [
    'mailtos://me:secret@example.org?smtp=mail.example.org&to=a@b.org,c@d.org',
    {
      ...{ host: 'mail.example.org', port: 587, secure: false, requireTLS: true },
      ...{ auth: { user: 'me', pass: 'secret' }, from: 'me@example.org', to: ['a@b.org', 'c@d.org'] },
    },
  ],
  [
    'mailto://x.org?smtp=127.0.0.1:2525&from=pawl',
    { host: '127.0.0.1', port: 2525, requireTLS: false, from: 'pawl@x.org', to: ['pawl@x.org'] },
  ],
  ['mailtos://me:secret@example.org?smtp=m.org&mode=ssl', { host: 'm.org', port: 465, secure: true }],
])('%s', (address, server) => {
  const channel = readChannel(address);
  expect(channel).toMatchObject({ means: { kind: 'mail', server } });
});

/** What a command reads. */
function readBy(address: string, told = message): unknown {
  const channel = readChannel(address);
  if ('problem' in channel || channel.means.kind !== 'program') throw new Error('no program');
  expect(channel.means.command).toBe('~/bin/tell --loud');
  return JSON.parse(channel.means.stdin(told));
}

test('a command reads what a notify script of ralphex reads, and more; at a run’s end with its status', () => {
  expect(readBy('command: ~/bin/tell --loud')).toEqual({
    ...{ status: 'needs-input', mode: '', plan_file: '', branch: '', duration: '0s' },
    ...{ files: 0, additions: 0, deletions: 0 },
    ...{ title: message.title, text: message.body, priority: 5, events: message.events },
  });
  const about = { run: 'r', title: 'T', plan: 'p.md', branch: 'b', mode: 'full' };
  const end = { exit: 1, durationMs: 3_723_000, files: 2, insertions: 3, deletions: 4, error: 'red' };
  const event = { occasion: 'failed', priority: 5, about, end } as const;
  expect(readBy('command:~/bin/tell --loud', { ...message, events: [event] })).toMatchObject({
    ...{ status: 'failure', mode: 'full', plan_file: 'p.md', branch: 'b', duration: '1h2m3s' },
    ...{ files: 2, additions: 3, deletions: 4, error: 'red' },
  });
});

test.each([
  ['pover://secret@secret', /^pover:\/\/ is gone: send its request by a command: or a webhook/],
  ['https://ntfy.sh/topic', /^there is no service https:\/\/: addresses begin with ntfy:\/\//],
  ['ntfy.sh/topic', /^this is not an address: addresses begin with/],
  [
    'ntfys://tk_verysecret@push.example.org/a topic',
    /^ntfys:\/\/ needs one topic of letters.*ntfys:\/\/\[TOKEN@\]HOST\/TOPIC$/,
  ],
  ['ntfy://push.example.org/t?token=verysecret', /needs one topic of letters.* token before the @/],
  ['ntfy://push.example.org/a/b', /needs one topic/],
  ['slack://xoxb-secret/C0123', /needs the three parts of a webhook/],
  ['slack://TOKENA1/secretB', /needs the three parts of a webhook/],
  ['discord://secret/secret', /needs the number and the token/],
  ['tgram://secret/1', /needs the token of a bot/],
  [`tgram://${token}/1/2`, /needs the number of one chat/],
  ['mailtos://me:secret@gmail.com', /needs a domain, its server as smtp=/],
  ['mailto://me:secret@example.org:2525?smtp=m.org', /needs a domain, its server as smtp=/],
  ['mailtos://me:secret@example.org?smtp=m.org&to=a b', /does not take a b@example.org as a mail address/],
  ['mailtos://me:secret@example.org?smtp=m.org&mode=tls', /takes mode=starttls, ssl or insecure, not tls/],
  ['mailto://example.org?smtp=m.org:99999', /does not take 99999 as a port/],
])('%s is refused, and nothing secret is said', (address, says) => {
  const channel = readChannel(address);
  const problem = 'problem' in channel ? channel.problem : '';
  expect(problem).toMatch(says);
  expect(problem).not.toMatch(/secret(?!s)/);
});

test.each([
  ['ntfys://tk_verysecret@push.example.org/hiddentopic', 'ntfys://push.example.org/…'],
  [slack, 'slack://…'],
  [`tgram://${token}/1`, 'tgram://…'],
  ['mailtos://me:verysecret@example.org?smtp=m.org', 'mailtos://m.org'],
  ['jsons://u:verysecret@example.org/some/averylongpathsecret', 'jsons://example.org/…'],
  ['command:tell verysecret', 'command'],
])('the name of %s holds no secret', (address, name) => {
  const channel = readChannel(address);
  expect(channel).toMatchObject({ name });
  if ('problem' in channel) return;
  for (const secret of channel.secrets) expect(name).not.toContain(secret);
});
