// The real gh and glab take our arguments, and send what the scripted ones are given: beside a server on loopback that
// answers by them. No network, no login of the machine.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createForge, loginBy } from '../../src/forge/create.ts';
import { forgeToken } from '../fixtures/forge/forge.ts';
import { makeForge, type TestForge } from '../helpers/forge.ts';
import { forgePrograms, has } from '../helpers/needs.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

type Kind = keyof typeof forgePrograms;

const inGitHub = test.skipIf(!has('GitHub’s program (gh)'));
const inGitLab = test.skipIf(!has('GitLab’s program (glab)'));

/** Its port. What it cannot do is unauthorized or not found. */
async function serve(kind: Kind, { bin }: TestForge): Promise<number> {
  const [program, root] = kind === 'github' ? ['gh', '/'] : ['glab', '/api/v4/'];
  const answer = async (asked: IncomingMessage) => {
    const { headers, method = '', url = '' } = asked;
    const { pathname, search } = new URL(url, 'http://loopback.invalid');
    const token = String(headers['private-token'] ?? headers.authorization?.replace('token ', '') ?? '');
    const body = await text(asked);
    const type = ['--header', `Content-Type: ${headers['content-type']}`, '--input', '-'];
    const host = ['--hostname', `${kind}.com`];
    const endpoint = `${pathname.slice(root.length)}${search}`;
    const args = ['api', '--method', method, endpoint, ...host, ...(body === '' ? [] : type)];
    const run = promisify(execFile)(path.join(bin, program), args, {
      env: { ...process.env, GH_TOKEN: token, GITLAB_TOKEN: token },
    });
    run.child.stdin?.end(body);
    return (await run).stdout;
  };
  const server = createServer((asked, reply) => {
    answer(asked).then(
      (said) => reply.setHeader('Content-Type', 'application/json').end(said),
      ({ stderr = '' }) => {
        reply.statusCode = /log|401/i.test(stderr) ? 401 : 404;
        reply.setHeader('Content-Type', 'application/json').end(JSON.stringify({ message: stderr }));
      },
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function play(kind: Kind): Promise<void> {
  using home = makeTempFolder();
  using there = makeForge(kind, {
    login: false,
    jobs: [{ name: 'test', run: 'echo words of the log; false' }],
    comments: [{ id: 1, author: 'ann', text: 'Twice.', at: '2026-11-26T20:01:00Z', file: 'a.txt', line: 1 }],
    writers: ['ann'],
  });
  const commit = there.begin('plan');
  const port = await serve(kind, there);
  const host = kind === 'github' ? 'github.localhost' : 'gitlab.invalid';
  mkdirSync(path.join(home.path, 'glab'));
  const config = `hosts:\n  ${host}:\n    api_protocol: http\n    api_host: 127.0.0.1:${port}\n`;
  writeFileSync(path.join(home.path, 'glab', 'config.yml'), config, { mode: 0o600 });
  const env = {
    PATH: `${path.dirname(forgePrograms[kind] ?? '')}:${process.env['PATH']}`,
    ...{ HOME: home.path, GLAB_CONFIG_DIR: path.join(home.path, 'glab') },
    http_proxy: kind === 'github' ? `http://127.0.0.1:${port}` : '',
  };
  const forgeWith = (login: Readonly<Record<string, string>>) => {
    const tools = { cwd: home.path, env: { ...env, ...login }, signal: new AbortController().signal };
    return createForge({ remote: 'origin', urls: [`https://${host}/team/work.git`], kind: 'auto' }, tools);
  };
  await expect(forgeWith({}).project()).rejects.toMatchObject({ code: 'preflight' });
  const forge = forgeWith(loginBy(forgeToken));
  expect(await forge.project()).toEqual({ name: 'team/work', defaultBranch: 'main', mayPush: true });
  expect(await forge.find('plan')).toBeUndefined();
  const request = { title: 'Letters', text: 'All.', target: 'main', draft: true };
  const open = await forge.open('plan', request);
  expect(open).toMatchObject({ number: 7, target: 'main', draft: true });
  await forge.update(7, { text: 'All of them.' });
  await forge.ready(open);
  expect(await forge.find('plan')).toMatchObject({ number: 7, draft: false });
  const [job, ...more] = await forge.checks(commit);
  expect([job, more]).toMatchObject([{ name: 'test', state: 'red' }, []]);
  if (job) expect(await forge.failedLog(job)).toContain('words of the log');
  const [comment, ...others] = await forge.comments(7);
  expect([comment, others]).toMatchObject([{ author: 'ann', mayWrite: true, file: 'a.txt' }, []]);
  if (comment) await forge.answer(7, comment, { text: 'Fixed.', resolve: true });
  expect(await forge.comments(7)).toEqual([]);
  const { answers, requests } = there.read();
  expect(answers).toMatchObject([{ comment: 1, text: expect.stringMatching(/^Fixed\./), resolved: true }]);
  expect(requests).toMatchObject([{ title: 'Letters', text: 'All of them.', source: 'plan' }]);
}

inGitHub('the real gh', () => play('github'));
inGitLab('the real glab', () => play('gitlab'));
