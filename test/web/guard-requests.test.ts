// Attacks on the dashboard: foreign names and pages, missing and wrong tokens, paths that lead elsewhere, bodies without an
// end, text that would be script.
import { expect, test } from 'vitest';
import { jsonInHtml } from '../../src/web/export-run.ts';
import { fact, setAside } from '../helpers/facts.ts';
import { bearer, host, makeSite, parked, readUntil, tokens } from './site.ts';

const run = '20261121-223005-auth';

test.each([
  ['a foreign Host (DNS rebinding)', '/api/hello', { host: 'evil.example:7295' }, 421],
  ['a foreign Host for the page itself', '/', { host: 'evil.example' }, 421],
  ['the right name with another port', '/api/hello', { host: '127.0.0.1:80' }, 421],
  ['no token', '/api/hello', { host }, 401],
  ['a wrong token', '/api/hello', { host, authorization: `Bearer ${'b'.repeat(43)}` }, 401],
  ['a beginning of the token', '/api/hello', { host, authorization: 'Bearer aaaa' }, 401],
  ['a token as the path', `/api/hello?token=${tokens.act}`, { host }, 401],
  ['a token as a cookie', '/api/hello', { host, cookie: `t=${tokens.act}` }, 401],
  ['a foreign Origin', '/api/hello', { ...bearer, origin: 'http://evil.example' }, 403],
  ['the Origin of another port', '/api/hello', { ...bearer, origin: 'http://127.0.0.1:1' }, 403],
  ['no Origin that can be named', '/api/hello', { ...bearer, origin: 'null' }, 403],
  ['a cross-site request', '/api/hello', { ...bearer, 'sec-fetch-site': 'cross-site' }, 403],
  ['a request of another port', '/api/hello', { ...bearer, 'sec-fetch-site': 'same-site' }, 403],
  [
    'its own page',
    '/api/hello',
    { ...bearer, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    200,
  ],
  ['the page without a token', '/', { host }, 200],
] as const)('%s', async (_, where, headers, status) => {
  using site = makeSite();
  const answer = await site.ask(where, { headers });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*trusted-types/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.text()).not.toContain(tokens.act);
});

test.each([
  ['without a token', { host }, 401],
  ['from a form of another page', { host, origin: 'http://evil.example', 'content-type': 'text/plain' }, 403],
  ['as plain text', { ...bearer, 'content-type': 'text/plain' }, 415],
  ['with the link that only reads', { host, authorization: `Bearer ${tokens.read}` }, 403],
] as const)('a command %s does nothing', async (_, headers, status) => {
  using site = makeSite();
  site.write(run, parked);
  const answer = await site.post(run, { do: 'answer', task: '2', answer: 'accounts' }, { ...headers });
  expect(answer.status).toBe(status);
  const { state } = (await import('../../src/start/find-run.ts')).readWholeRun({
    folder: site.folder(run),
  } as never);
  expect(state.interventions).toEqual([]);
});

test('a reader’s link reads', async () => {
  using site = makeSite();
  const answer = await site.ask('/api/hello', { headers: { host, authorization: `Bearer ${tokens.read}` } });
  expect(await answer.json()).toMatchObject({ canAct: false });
});

test.each([
  ['..', '/api/runs/../../etc/passwd/export'],
  ['an escaped ..', '/api/runs/..%2f..%2fetc%2fpasswd/export'],
  ['an unknown run', '/api/runs/00000000.none/tasks/2'],
  ['a log that no check wrote', '/api/runs/RUN/log?file=../../../HEAD'],
  ['the journal', '/api/runs/RUN/log?file=journal.ndjson'],
  ['an absolute path', '/api/runs/RUN/log?file=/etc/passwd'],
  ['a session that is a path', '/api/runs/RUN/sessions/..%2f..%2fjournal/raw'],
  ['a session that never was', '/api/runs/RUN/sessions/99/raw'],
  ['a task that never was', '/api/runs/RUN/tasks/__proto__'],
  ['another file of the page', '/page.js/../../package.json'],
])('%s leads nowhere', async (_, where) => {
  using site = makeSite();
  site.write(run, parked);
  await site.watcher.refresh();
  const answer = await site.ask(where.replace('RUN', site.id(run)), { headers: bearer });
  expect(answer.status).toBe(404);
});

test('a body of 100 MB is refused before it is read, whether it says its length or not', async () => {
  using site = makeSite();
  site.write(run, parked);
  const long = await site.post(run, 'x'.repeat(65 * 1024));
  expect(long.status).toBe(413);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
      if (sent > 1600) controller.close();
    },
  });
  const answer = await site.ask(`/api/runs/${site.id(run)}/commands`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(10);
});

test('commands and wrong tokens come at a bounded rate', async () => {
  using site = makeSite();
  site.write(run, parked);
  await site.watcher.refresh();
  const many = async (headers: Readonly<Record<string, string>>) => {
    const answers = [];
    for (let n = 0; n < 40; n += 1) answers.push((await site.post(run, '{}', headers)).status);
    return answers;
  };
  expect(new Set(await many(bearer))).toEqual(new Set([400, 429]));
  expect(new Set(await many({ host }))).toEqual(new Set([401, 429]));
});

test.each(['', '{', '[]', 'null', '{"do":"format"}', '{"do":"steer","text":5,"now":false}'])(
  'the body %s is no command',
  async (body) => {
    using site = makeSite();
    site.write(run, parked);
    expect((await site.post(run, body)).status).toBe(400);
  },
);

test('script in titles, questions, file names and findings travels as text in JSON, and ends no element of an export', async () => {
  using site = makeSite();
  const script = '</script><script>alert(1)</script><!--';
  site.write(run, [
    fact('run-started', { title: script, plan: `${script}.md`, branch: script }),
    fact('plan-read'),
    fact('task-started', { title: script }),
    setAside('parked', { reason: script }),
    fact('stage-started'),
    fact('review-round-started'),
    fact('opinion-given'),
  ]);
  await site.watcher.refresh();
  const stream = await site.ask('/api/events', { headers: bearer });
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const told = await readUntil(stream, (text) => text.includes('"needs"'));
  const [, data = ''] = /data: (.*)\n/.exec(told) ?? [];
  expect(JSON.parse(data)[0].value.title).toBe(script);
  const html = await (await site.ask(`/api/runs/${site.id(run)}/export`, { headers: bearer })).text();
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).toContain('\\u003c/script>\\u003cscript>alert(1)');
  expect(html).not.toContain(tokens.act);
  expect(JSON.parse(jsonInHtml({ script }))).toEqual({ script });
});

test('secrets of the server’s environment are masked in what is read from files', async () => {
  using site = makeSite({ NPM_TOKEN: 'npm_supersecret' });
  site.write(run, parked);
  site.file(run, 'checks/004-plan-1.log', 'token npm_supersecret\n');
  await site.watcher.refresh();
  const log = await site.get<{ text: string }>(`/api/runs/${site.id(run)}/log?file=checks/004-plan-1.log`);
  expect(log.text).toBe('token [NPM_TOKEN]\n');
});
