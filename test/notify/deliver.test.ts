// A message sent to servers on loopback: services that refuse, redirect, hang or are not there, and mail.
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Channel, readChannel } from '../../src/notify/channel.ts';
import { deliver, type RunProgram } from '../../src/notify/deliver.ts';
import type { Message } from '../../src/notify/message.ts';
import { startMailSink } from '../helpers/mail-sink.ts';
import { startReceiver } from '../helpers/receiver.ts';

const message: Message = {
  title: 'pawl: Task 2 asks you',
  body: 'Which colour? ünï\n.\n→ pawl answer 2 "…"',
  ...{ tone: 'failure', priority: 5, events: [{ occasion: 'failed', priority: 5 }] },
};

const noProgram: RunProgram = async () => 'no program here';
const tools = { runProgram: noProgram, timeoutMs: 2_000 };

function channelOf(address: string): Channel {
  const channel = readChannel(address);
  if ('problem' in channel) throw new Error(channel.problem);
  return channel;
}

describe('a mail server', () => {
  test('gets a mail of plain text, with a login where there is one', async () => {
    await using sink = await startMailSink();
    const address = `mailto://me:verysecret@x.org?smtp=127.0.0.1:${sink.port}&to=a@b.org,c@d.org&from=pawl`;
    expect(await deliver(channelOf(address), message, tools)).toBeUndefined();
    expect(sink.mails).toMatchObject([
      { from: 'pawl@x.org', to: ['a@b.org', 'c@d.org'], login: '\0me\0verysecret' },
    ]);
    const [{ text } = { text: '' }] = sink.mails;
    expect(text).toMatch(/^Subject: pawl: Task 2 asks you$/m);
    expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    expect(text).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(text).not.toMatch(/multipart|html/);
  });

  test('that takes it for some only is told of', async () => {
    await using sink = await startMailSink();
    const address = `mailto://x.org?smtp=127.0.0.1:${sink.port}&to=a@b.org,nobody@b.org`;
    expect(await deliver(channelOf(address), message, tools)).toEqual({
      why: 'refused for nobody@b.org',
      isPassing: false,
    });
    expect(sink.mails).toMatchObject([{ to: ['a@b.org'] }]);
  });

  test('that says nothing is given up in time', async () => {
    await using sink = await startMailSink({ hangs: true });
    const channel = channelOf(`mailto://x.org?smtp=127.0.0.1:${sink.port}&to=a@b.org`);
    expect(await deliver(channel, message, { ...tools, timeoutMs: 100 })).toMatchObject({ isPassing: true });
  });

  test('without TLS gets no password where TLS is asked for', async () => {
    await using sink = await startMailSink();
    const channel = channelOf(`mailtos://me:verysecret@x.org?smtp=127.0.0.1:${sink.port}&to=a@b.org`);
    const trouble = await deliver(channel, message, tools);
    expect(trouble?.why).toMatch(/STARTTLS|TLS/i);
    expect(sink.mails).toEqual([]);
  });
});

describe('a service', () => {
  const secret = 'tk_verysecret';
  const asked = (host: string) => channelOf(`ntfy://${secret}@${host}/builds`);

  test('is sent JSON', async () => {
    await using receiver = await startReceiver();
    expect(await deliver(asked(receiver.host), message, tools)).toBeUndefined();
    const headers = expect.objectContaining({ 'content-type': 'application/json' });
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/', headers }]);
  });

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

  test('that has taken it is not asked again, whatever comes of its answer', async () => {
    await using receiver = await startReceiver(() => ({ headers: { 'content-length': '9' }, body: 'x' }));
    expect(await deliver(asked(receiver.host), message, { ...tools, timeoutMs: 300 })).toBeUndefined();
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
