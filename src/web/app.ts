// The routes of the dashboard: the page, its stream, its individual requests, and commands. It decides nothing about a run.

import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { defined } from '../defined.ts';
import { asFailure } from '../failure.ts';
import { foldRun } from '../journal/fold.ts';
import type { CliContext } from '../start/context.ts';
import { readDiff } from '../start/read-diff.ts';
import { act, readWebCommand, type Undo } from './act.ts';
import { readSession } from './activity.ts';
import { Bucket } from './bucket.ts';
import { commandLine } from './command-line.ts';
import { eventStream } from './event-stream.ts';
import { exportRun } from './export-run.ts';
import { type Guarded, guardOrigin, guardToken } from './guard-requests.ts';
import { makeParts } from './model/parts.ts';
import { makeEvidence } from './model/task-view.ts';
import { type Assets, pageHtml } from './page-files.ts';
import { readCheckLog, readRaw } from './read-log.ts';
import { RunStatistics } from './run-statistics.ts';
import { searchRuns } from './search.ts';
import type { AccessTokens } from './token.ts';
import type { Hello } from './view.ts';
import type { WatchedFleet } from './watched-fleet.ts';
import type { WatchedRun } from './watched-run.ts';
import type { Watcher } from './watcher.ts';

/**
 * `here`: the only repository that is shown. `isHost`: names this server answers to. `stuckMs`: how long a tab may go
 * without reading.
 */
export type AppOptions = Readonly<{
  context: CliContext;
  watcher: Watcher;
  tokens: AccessTokens;
  isHost: (host: string) => boolean;
  assets: Assets;
  undo: Undo;
  /** Absent if only one repository is shown. */
  fleet?: WatchedFleet;
  here?: string;
  stuckMs?: number;
}>;

export const mostStreams = 256;
/** Maximum size of a request's body, bytes. */
const mostBody = 64 * 1024;
const mostDiff = 512 * 1024;

type Routes = Readonly<{ Bindings: HttpBindings | undefined }> & Guarded;

/** The application; `request` serves without a socket, for tests. */
export function makeApp(options: AppOptions): Hono<Routes> {
  const { tokens, assets } = options;
  const app = new Hono<Routes>();
  app.use(guardOrigin(options.isHost));
  app.get('/', (c) => c.html(pageHtml));
  app.get('/page.js', (c) =>
    c.body(assets.script, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/page.css', (c) => c.body(assets.style, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.use('/api/*', guardToken(tokens));
  app.get('/api/hello', (c) => c.json(helloOf(options, c.get('may') === 'act')));
  app.get('/api/events', streamOf(options));
  routeRun(app, options);
  routeRuns(app, options);
  app.get('/api/fleet', async (c) => {
    if (!options.fleet) return c.json({ error: 'No fleet is shown here.' }, 404);
    return c.json(await options.fleet.look());
  });
  routeCommands(app, options);
  app.notFound((c) => c.json({ error: 'There is nothing here.' }, 404));
  app.onError((error, c) => {
    const failure = asFailure(error);
    return failure
      ? c.json({ error: failure.message, ...defined({ hint: failure.hint }) }, 409)
      : c.json(
          { error: 'This is a bug in pawl: the dashboard keeps running, and the run is not affected.' },
          500,
        );
  });
  return app;
}

function routeRuns(app: Hono<Routes>, { watcher }: AppOptions): void {
  const statistics = new RunStatistics();
  app.get('/api/stats', async (c) => {
    await watcher.refresh();
    return c.json(await statistics.of(watcher.runs.all));
  });
  const searches = new Bucket(20);
  app.get('/api/search', async (c) => {
    if (!searches.take()) return c.json({ error: 'Too many requests: try again in a moment.' }, 429);
    await watcher.refresh();
    const words = (c.req.query('words') ?? '').slice(0, 200);
    return c.json(
      await searchRuns(watcher.runs.all, { words, mask: watcher.mask, signal: c.req.raw.signal }),
    );
  });
}

function helloOf({ context, here, fleet }: AppOptions, canAct: boolean): Hello {
  return { version: context.version, canAct, fleet: fleet?.isNamed ?? false, ...defined({ here }) };
}

function streamOf({ watcher, stuckMs = 60_000 }: AppOptions) {
  const epoch = randomBytes(6).toString('hex');
  return async (c: Context<Routes>): Promise<Response> => {
    if (watcher.holds >= mostStreams) return c.json({ error: 'Too many tabs are open.' }, 503);
    const wanted = c.req.query('run');
    const release = watcher.hold();
    try {
      if (wanted !== undefined && !watcher.runs.find(wanted)) await watcher.refresh();
      const stream = eventStream({
        watcher,
        run: wanted === undefined ? undefined : watcher.watch(wanted),
        epoch,
        lastId: c.req.header('last-event-id'),
        stuckMs,
        onStuck: () => c.env?.outgoing?.destroy(),
      });
      return c.body(stream, 200, { 'content-type': 'text/event-stream; charset=utf-8' });
    } finally {
      release();
    }
  };
}

function routeRun(app: Hono<Routes>, options: AppOptions): void {
  const { watcher, context } = options;
  const busy = new Bucket(60);
  const find = async (id: string): Promise<WatchedRun | undefined> => {
    if (!watcher.runs.find(id)) await watcher.refresh();
    return watcher.watch(id);
  };
  const about = (path: string, answer: (c: Context<Routes>, run: WatchedRun) => unknown): void => {
    app.get(`/api/runs/:id/${path}`, async (c) => {
      if (!busy.take()) return c.json({ error: 'Too many requests: try again in a moment.' }, 429);
      const run = await find(c.req.param('id'));
      const found = run && (await answer(c as unknown as Context<Routes>, run));
      if (found instanceof Response) return found;
      return found === undefined ? c.json({ error: 'The run does not have that.' }, 404) : c.json(found);
    });
  };
  about('tasks/:task', (c, { reader }) => {
    const task = c.req.param('task') ?? '';
    const { state, all } = reader.facts;
    return state && makeEvidence(state, task, all);
  });
  about('tasks/:task/diff', async (c, { place, reader }) => {
    const task = c.req.param('task');
    const text = await readDiff(context, { place, run: reader.found, task, look: [] });
    return { text: watcher.mask(text.slice(0, mostDiff)), leftOut: Math.max(0, text.length - mostDiff) };
  });
  about('parts', (c, run) => partsAt(run, c.req.query('until') ?? ''));
  about('log', (c, run) => masked(watcher, readCheckLog(run, c.req.query('file') ?? '')));
  about('sessions/:session/raw', (c, run) => masked(watcher, readRaw(run, Number(c.req.param('session')))));
  about('sessions/:session/activity', (c, run) => {
    const { reader } = run;
    const started = reader.facts.state?.sessions.get(Number(c.req.param('session')))?.started;
    const before = Number(c.req.query('before') ?? Number.POSITIVE_INFINITY);
    return (
      started &&
      readSession(reader.found, started, { mask: watcher.mask, root: run.rootOf(started), before, most: 200 })
    );
  });
  about('export', async (c, run) => {
    const html = await exportRun(options, run, c.req.param('id') ?? '');
    return c.body(html, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment',
    });
  });
}

/** The run as it was at an instant, ISO 8601 in UTC. */
function partsAt({ reader }: WatchedRun, until: string): Readonly<Record<string, unknown>> {
  const all = reader.facts.all.filter(({ at }) => at <= until);
  const parts = makeParts({ state: foldRun(all), all }, { live: true });
  return Object.fromEntries(parts);
}

function masked<T extends Readonly<{ text: string }>>({ mask }: Watcher, log: T | undefined): T | undefined {
  return log && { ...log, text: mask(log.text) };
}

function routeCommands(app: Hono<Routes>, { watcher, context, undo }: AppOptions): void {
  const often = new Bucket(30);
  const small = bodyLimit({
    maxSize: mostBody,
    onError: (c) => c.json({ error: 'The request is too large.' }, 413, { connection: 'close' }),
  });
  app.post('/api/runs/:id/commands', small, async (c) => {
    if (!often.take()) return c.json({ error: 'Too many commands: try again in a moment.' }, 429);
    if (!/^application\/json\b/.test(c.req.header('content-type') ?? ''))
      return c.json({ error: 'A command must be JSON.' }, 415);
    const command = readWebCommand(await c.req.json().catch(() => undefined));
    if (!command) return c.json({ error: 'pawl does not know this command.' }, 400);
    await watcher.refresh();
    const run = watcher.runs.find(c.req.param('id'));
    if (!run) return c.json({ error: 'There is no such run.' }, 404);
    const reply = await act(context, run, { command, undo });
    return c.json({ ...reply, command: commandLine(command, run.found.started.plan) }, reply.ok ? 200 : 409);
  });
}
