// Attacks on the dashboard: foreign names and pages, missing and wrong tokens, paths that lead elsewhere, bodies that are
// too long or no command.
import { expect, test } from 'vitest';
import { readState } from '../../src/journal/read-journal.ts';
import { bearer, host, makeSite, parked, tokens } from './site.ts';

const run = '20261121-223005-auth';

test.each([
  ['a foreign Host (DNS rebinding)', '/api/runs/none/parts', { host: 'evil.example:7295' }, 421],
  ['a foreign Host for the page itself', '/', { host: 'evil.example' }, 421],
  ['the right name with another port', '/api/runs/none/parts', { host: '127.0.0.1:80' }, 421],
  ['no token', '/api/runs/none/parts', { host }, 401],
  ['a wrong token', '/api/runs/none/parts', { host, authorization: `Bearer ${'b'.repeat(43)}` }, 401],
  ['a beginning of the token', '/api/runs/none/parts', { host, authorization: 'Bearer aaaa' }, 401],
  ['a token as the path', `/api/runs/none/parts?token=${tokens.act}`, { host }, 401],
  ['a token as a cookie', '/api/runs/none/parts', { host, cookie: `t=${tokens.act}` }, 401],
  ['a foreign Origin', '/api/runs/none/parts', { ...bearer, origin: 'http://evil.example' }, 403],
  ['the Origin of another port', '/api/runs/none/parts', { ...bearer, origin: 'http://127.0.0.1:1' }, 403],
  ['no Origin that can be named', '/api/runs/none/parts', { ...bearer, origin: 'null' }, 403],
  ['a cross-site request', '/api/runs/none/parts', { ...bearer, 'sec-fetch-site': 'cross-site' }, 403],
  ['a request of another port', '/api/runs/none/parts', { ...bearer, 'sec-fetch-site': 'same-site' }, 403],
  [
    'its own page',
    '/api/runs/none/parts',
    { ...bearer, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    404,
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
  expect(readState(site.folder(run))?.interventions).toEqual([]);
});

test.each(['act', 'read'] as const)('the link to %s is told what it may do', async (may) => {
  using site = makeSite();
  const headers = { host, authorization: `Bearer ${tokens[may]}` };
  const told = await site.ask('/api/news', { headers });
  expect(await told.json()).toMatchObject({ canAct: may === 'act' });
});

test.each([
  ['..', '/api/runs/../../etc/passwd/parts'],
  ['an escaped ..', '/api/runs/..%2f..%2fetc%2fpasswd/parts'],
  ['an unknown run', '/api/runs/00000000.none/tasks/2'],
  ['a log that no check wrote', '/api/runs/RUN/log?file=../../../HEAD'],
  ['the journal', '/api/runs/RUN/log?file=journal.ndjson'],
  ['an absolute path', '/api/runs/RUN/log?file=/etc/passwd'],
  ['a session that is a path', '/api/runs/RUN/sessions/..%2f..%2fjournal'],
  ['a session that never was', '/api/runs/RUN/sessions/99'],
  ['a task that never was', '/api/runs/RUN/tasks/__proto__'],
  ['another file of the page', '/page.js/../../package.json'],
])('%s leads nowhere', async (_, where) => {
  using site = makeSite();
  site.write(run, parked);
  await site.watcher.refresh();
  const answer = await site.ask(where.replace('RUN', site.id(run)), { headers: bearer });
  expect(answer.status).toBe(404);
});

test('a body that is too long is refused', async () => {
  using site = makeSite();
  site.write(run, parked);
  expect((await site.post(run, 'x'.repeat(65 * 1024))).status).toBe(413);
});

test.each(['', '{', '[]', 'null', '{"do":"format"}', '{"do":"steer","text":5,"now":false}'])(
  'the body %s is no command',
  async (body) => {
    using site = makeSite();
    site.write(run, parked);
    expect((await site.post(run, body)).status).toBe(400);
  },
);

test('secrets of the server’s environment are masked in what is read from files', async () => {
  using site = makeSite({ NPM_TOKEN: 'npm_supersecret' });
  site.write(run, parked);
  site.file(run, 'checks/004-plan-1.log', 'token npm_supersecret\n');
  await site.watcher.refresh();
  const log = async () =>
    (await site.get<{ text: string }>(`/api/runs/${site.id(run)}/log?file=checks/004-plan-1.log`)).text;
  expect(await log()).toBe('token [NPM_TOKEN]\n');
  // Also one that the log's end begins in.
  const end = 'y'.repeat(512 * 1024 - 'secret'.length);
  for (const before of ['', `${'é'.repeat(150_000)}x`]) {
    site.file(run, 'checks/004-plan-1.log', `${before}npm_supersecret${end}`);
    expect((await log()).replace(/^… \d+ bytes before\n/, '') === `N]${end}`).toBe(true);
  }
});
