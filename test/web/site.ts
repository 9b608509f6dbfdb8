// A dashboard in a test without a socket: a home, a repository with runs whose journals are written from facts, and the
// application that answers requests about them.
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Fact } from '../../src/event.ts';
import { maskSecrets } from '../../src/journal/mask.ts';
import { listRepositories, rememberRepository } from '../../src/start/known-repositories.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { makeApp } from '../../src/web/app.ts';
import { Watcher } from '../../src/web/watcher.ts';
import { makeWorld } from '../cli/world.ts';
import { fact, setAside, stampAll } from '../helpers/facts.ts';

export const tokens = { act: 'a'.repeat(43), read: 'r'.repeat(43) };
export const host = '127.0.0.1:7295';
export const bearer = { host, authorization: `Bearer ${tokens.act}` };

/** The dashboard of one repository; `env` is the server's environment. */
export function makeSite(env: Readonly<Record<string, string>> = {}) {
  const world = makeWorld();
  const root = realpathSync(world.cwd);
  const commonDir = path.join(root, '.git');
  mkdirSync(commonDir, { recursive: true });
  writeFileSync(path.join(commonDir, 'HEAD'), 'ref: refs/heads/auth\n');
  const context = world.context({ env: { ...world.context().env, ...env } });
  const place = findPlaceAt(root);
  if (!place) throw new Error('no repository');
  rememberRepository(context.folders, place);
  const watcher = new Watcher({
    mask: maskSecrets(context.env),
    listPlaces: () => listRepositories(context.folders),
  });
  const app = makeApp({
    context,
    watcher,
    tokens,
    isHost: (name) => name === host,
    files: [{ at: '/', type: 'text/html', content: 'the page' }],
  });
  const folder = (run: string) => path.join(commonDir, 'pawl', 'runs', run);
  const ask = async (where: string, init: RequestInit = {}) =>
    app.request(`http://${host}${where}`, { ...init, headers: { host, ...(init.headers as object) } });
  const id = (run: string) => watcher.runs.find(({ found }) => found.run === run)?.id ?? '';
  return {
    context,
    watcher,
    id,
    folder,
    /** The first fact names it. */
    write: (run: string, facts: readonly Fact[], stepMs?: number) => {
      mkdirSync(path.join(folder(run), 'checks'), { recursive: true });
      mkdirSync(path.join(folder(run), 'sessions'), { recursive: true });
      const named = facts.map((each) =>
        each.type === 'run-started' ? fact('run-started', { ...each, run }) : each,
      );
      const text = stampAll(named, stepMs)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join('');
      writeFileSync(path.join(folder(run), 'journal.ndjson'), text);
    },
    append: (run: string, text: string) => appendFileSync(path.join(folder(run), 'journal.ndjson'), text),
    file: (run: string, name: string, text: string) => writeFileSync(path.join(folder(run), name), text),
    ask,
    get: async <T = unknown>(where: string): Promise<T> => {
      const answer = await ask(where, { headers: bearer });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    post: async (run: string, body: unknown, headers: Readonly<Record<string, string>> = bearer) => {
      await watcher.refresh();
      return ask(`/api/runs/${id(run)}/commands`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    },
    [Symbol.dispose]: () => world[Symbol.dispose](),
  };
}

/** A run that stopped with a task parked. */
export const parked: readonly Fact[] = [
  fact('run-started'),
  fact('plan-read'),
  fact('phase', { phase: 'tasks' }),
  fact('task-started'),
  fact('attempt-started'),
  fact('session-started', { attempt: 2 }),
  fact('session-ended', { session: 3 }),
  fact('check-started'),
  fact('check-ended'),
  fact('round-ended'),
  setAside('parked'),
  fact('run-ended', {
    exit: 3,
    finished: false,
    reasons: [{ exit: 3, code: 'needs-person', text: 'task 2 asks' }],
  }),
];
