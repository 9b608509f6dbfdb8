// What leaves pawl, held by servers on loopback to the shape that each service documents; and services that refuse,
// redirect, hang or are not there.
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Channel, readChannel } from '../../src/notify/channel.ts';
import { deliver, type RunProgram } from '../../src/notify/deliver.ts';
import type { Message } from '../../src/notify/message.ts';
import { startMailSink } from '../helpers/mail-sink.ts';
import { startReceiver } from '../helpers/receiver.ts';

const long = 'ünïcödé 🔧 '.repeat(1_000);
const message: Message = {
  title: long,
  body: long,
  tone: 'failure',
  priority: 5,
  events: [{ occasion: 'failed', priority: 5 }],
};

const noProgram: RunProgram = async () => 'no program here';
const tools = { runProgram: noProgram, timeoutMs: 2_000 };

function channelOf(address: string): Channel {
  const channel = readChannel(address);
  if ('problem' in channel) throw new Error(channel.problem);
  return channel;
}

/** The channel with its service's host replaced by the receiver's; the path stays. */
function onLoopback(channel: Channel, base: string): Channel {
  const { means } = channel;
  if (means.kind !== 'http') return channel;
  const requests = (given: Message) =>
    means.requests(given).map((request) => {
      const { pathname, search } = new URL(request.url);
      return { ...request, url: `${base}${pathname}${search}` };
    });
  return { ...channel, means: { ...means, requests } };
}

const plainText = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(most), emoji: z.boolean() });

/** The documented shape of each service's request, with its limits, and what it answers. */
const services: readonly (readonly [address: string, path: RegExp, shape: z.ZodType, answer: string])[] = [
  [
    'ntfys://tk_abc@push.example.org/builds',
    /^\/$/,
    z.strictObject({
      topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
      title: z.string(),
      message: z.string().refine((text) => Buffer.byteLength(text) <= 4096 * 4),
      priority: z.int().min(1).max(5),
      tags: z.array(z.string().regex(/^[a-z_]+$/)),
    }),
    '{"id":"x","event":"message"}',
  ],
  [
    'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ',
    /^\/services\/T\w+\/A\w+\/\w+$/,
    z.strictObject({
      text: z.string().min(1),
      blocks: z.tuple([
        z.strictObject({ type: z.literal('header'), text: plainText(150) }),
        z.strictObject({ type: z.literal('section'), text: plainText(3_000) }),
      ]),
    }),
    'ok',
  ],
  [
    'discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js',
    /^\/api\/webhooks\/\d+\/[\w-]+$/,
    z.strictObject({
      embeds: z
        .array(
          z.strictObject({
            title: z.string().max(256),
            description: z.string().max(4_096),
            color: z.int().min(0).max(0xffffff),
          }),
        )
        .max(10),
      allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
    }),
    '',
  ],
  [
    'tgram://123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ/42',
    /^\/bot\d+:[\w-]+\/sendMessage$/,
    z.strictObject({
      chat_id: z.union([z.int(), z.string()]),
      text: z.string().min(1).max(4_096),
      disable_notification: z.boolean(),
      link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
    }),
    '{"ok":true,"result":{}}',
  ],
  [
    'jsons://example.org/hook',
    /^\/hook$/,
    z.strictObject({
      version: z.literal('1.0'),
      title: z.string(),
      message: z.string(),
      attachments: z.array(z.never()),
      type: z.enum(['info', 'success', 'warning', 'failure']),
      pawl: z.strictObject({ occasion: z.string(), priority: z.int() }),
    }),
    '',
  ],
];

test.each(services)('%s is sent what its service documents', async (address, path, shape, answer) => {
  await using receiver = await startReceiver(() => ({ body: answer }));
  const channel = onLoopback(channelOf(address), receiver.url);
  expect(await deliver(channel, message, tools)).toBeUndefined();
  const [request] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  expect([request?.method, request?.headers['content-type']]).toEqual([
    'POST',
    expect.stringMatching(/^application\/json/),
  ]);
  expect(request?.path).toMatch(path);
  const body = JSON.parse(request?.text ?? '') as unknown;
  expect(shape.safeParse(body).error?.issues ?? []).toEqual([]);
});

describe('a mail server', () => {
  test('gets a mail of plain text, with a login where there is one', async () => {
    await using sink = await startMailSink();
    const address = `mailto://me:verysecret@127.0.0.1:${sink.port}?to=a@b.org,c@d.org&from=pawl@x.org`;
    const asks = {
      ...message,
      title: 'pawl: Task 2 asks you',
      body: 'Which colour? ünï\n.\n→ pawl answer 2 "…"',
    };
    expect(await deliver(channelOf(address), asks, tools)).toBeUndefined();
    expect(sink.mails).toMatchObject([
      { from: 'pawl@x.org', to: ['a@b.org', 'c@d.org'], login: '\0me\0verysecret' },
    ]);
    const [{ text } = { text: '' }] = sink.mails;
    expect(text).toMatch(/^Subject: pawl: Task 2 asks you$/m);
    expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    expect(text).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(text).not.toMatch(/multipart|html/);
  });

  test('that says nothing is given up in time', async () => {
    await using sink = await startMailSink({ hangs: true });
    const channel = channelOf(`mailto://127.0.0.1:${sink.port}?to=a@b.org&from=p@x.org`);
    expect(await deliver(channel, message, { ...tools, timeoutMs: 100 })).toMatchObject({ isPassing: true });
  });

  test('without TLS gets no password where TLS is asked for', async () => {
    await using sink = await startMailSink();
    const channel = channelOf(`mailtos://me:verysecret@127.0.0.1:${sink.port}?to=a@b.org&from=p@x.org`);
    const trouble = await deliver(channel, message, tools);
    expect(trouble?.why).toMatch(/STARTTLS|TLS/i);
    expect(sink.mails).toEqual([]);
  });
});

describe('a service', () => {
  const secret = 'tk_verysecret';
  const asked = (host: string) => channelOf(`ntfy://${secret}@${host}/builds`);

  test.each([
    [
      'refuses',
      { status: 401, body: `{"error":"unauthorized ${secret}"}` },
      /^401 Unauthorized .*unauthorized …/,
      false,
    ],
    ['is overloaded', { status: 503 }, /^503/, true],
    [
      'redirects',
      { status: 301, headers: { location: 'https://elsewhere.org/x' } },
      /redirects to https:\/\/elsewhere\.org \(301\)/,
      false,
    ],
    ['hangs', 'hang' as const, /^no answer within 0 s|^no answer within/, true],
  ])('that %s', async (_, answer, why, isPassing) => {
    await using receiver = await startReceiver(() => answer);
    const timeoutMs = answer === 'hang' ? 200 : 5_000;
    const trouble = await deliver(asked(receiver.host), message, { ...tools, timeoutMs });
    expect(trouble).toEqual({ why: expect.stringMatching(why), isPassing });
    expect(trouble?.why).not.toContain(secret);
    expect(receiver.received).toHaveLength(1);
  });

  test('that answers without end is read to a bound', async () => {
    const body = 'x'.repeat(20_000_000);
    await using receiver = await startReceiver(() => ({ status: 500, body }));
    const trouble = await deliver(asked(receiver.host), message, tools);
    expect(trouble?.why.length).toBeLessThanOrEqual(200);
  });

  test('that is not there', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const trouble = await deliver(asked(`127.0.0.1:${port}`), message, tools);
    expect(trouble).toEqual({ why: expect.stringContaining('ECONNREFUSED'), isPassing: true });
  });
});

test('a program that cannot be started, or fails, says why', async () => {
  expect(await deliver(channelOf('command: x'), message, tools)).toEqual({
    why: 'no program here',
    isPassing: false,
  });
});
