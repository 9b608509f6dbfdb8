// The routes of the dashboard, and git's unified diffs parsed for it. It decides nothing about a run.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { commandSchema } from '../control/request.ts';
import { defined } from '../defined.ts';
import { asFailure } from '../failure.ts';
import { foldRun } from '../journal/fold.ts';
import { orElse } from '../or-else.ts';
import { viewEvidence } from '../report/view/attempts.ts';
import type { CliContext } from '../start/context.ts';
import { findRunHolder } from '../start/find-run.ts';
import { listOutside, readDiff } from '../start/read-diff.ts';
import { sendCommand } from '../start/send-command.ts';
import { readSession } from './activity.ts';
import { type AccessTokens, type Guarded, guardOrigin, guardToken } from './guard-requests.ts';
import { makeParts } from './make-parts.ts';
import type { PageFile } from './page-files.ts';
import { lastNumber } from './parts.ts';
import type { DiffFile, DiffView } from './view.ts';
import type { WatchedRun } from './watched-run.ts';
import type { Watcher } from './watcher.ts';

export type AppOptions = Readonly<{
  context: CliContext;
  watcher: Watcher;
  tokens: AccessTokens;
  isHost: (host: string) => boolean;
  files: readonly PageFile[];
}>;

const lookMs = 200;
/** News are told by then, even if there are none. */
const holdMs = 15_000;
const mostBody = 64 * 1024;
/** Of a diff and of a check's log: more holds up the page, and all tabs. */
const mostText = 512 * 1024;
/** The environment has hardly a longer one. */
const longestSecret = 128 * 1024;

type RunContext = Context<Guarded>;

/** A value is told as JSON; undefined: the run does not have that. */
type Route = (c: RunContext, run: WatchedRun, options: AppOptions) => unknown;

/** Below `/api/runs/:id/`. */
const routesOfRun: Readonly<Record<string, Route>> = {
  'GET tasks/:task': ({ req }, { journal: { state, facts } }) =>
    state && viewEvidence(state, req.param('task') ?? '', facts),
  'GET tasks/:task/diff': readChanges,
  'GET parts': ({ req }, { journal }) => {
    const facts = journal.facts.filter(({ at }) => at <= (req.query('until') ?? ''));
    return Object.fromEntries(makeParts({ state: foldRun(facts), facts }, { live: true }));
  },
  'GET log': async ({ req }, { found, journal }, { watcher }) => {
    const name = req.query('file') ?? '';
    // No path comes from the page.
    const isKnown = journal.facts.some((fact) => fact.type === 'check-ended' && fact.log === name);
    const file = path.join(found.folder, name);
    const size = isKnown ? statSync(file, { throwIfNoEntry: false })?.size : undefined;
    if (size === undefined) return undefined;
    const before = Math.max(0, size - mostText);
    // From further back: what is cut through is not masked.
    const start = Math.max(0, before - longestSecret);
    const read = await text(createReadStream(file, { start, end: before + mostText - 1 }));
    const masked = Buffer.from(watcher.mask(read));
    const end = masked.subarray(before - start).toString();
    return { text: `${before > 0 ? `… ${before} bytes before\n` : ''}${end}` };
  },
  'GET sessions/:session': ({ req }, { found, journal }, { watcher }) => {
    const session = Number(req.param('session'));
    return journal.state && readSession(found, journal.state, { session, mask: watcher.mask });
  },
  'POST commands': obey,
};

/** `request` serves without a socket, for tests. */
export function makeApp(options: AppOptions): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.use(guardOrigin(options.isHost));
  for (const { at, type, content } of options.files)
    app.get(at, (c) => c.body(content, 200, { 'content-type': type }));
  app.use('/api/*', guardToken(options.tokens), bodyLimit({ maxSize: mostBody, onError: tooLarge }));
  app.get('/api/news', (c) => tellNews(c, options));
  for (const [route, answer] of Object.entries(routesOfRun)) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, `/api/runs/:id/${path}`, async (c) => {
      const id = c.req.param('id');
      if (!options.watcher.find(id)) await options.watcher.refresh();
      const run = options.watcher.watch(id);
      const value = run && (await answer(c as unknown as RunContext, run, options));
      if (value instanceof Response) return value;
      return value === undefined ? c.json({ error: 'The run does not have that.' }, 404) : c.json(value);
    });
  }
  app.notFound((c) => c.json({ error: 'There is nothing here.' }, 404));
  app.onError((error, c) => {
    const failure = asFailure(error);
    if (failure) return c.json({ error: failure.message, ...defined({ hint: failure.hint }) }, 409);
    const bug = 'This is a bug in pawl: the dashboard keeps running, and the run is not affected.';
    return c.json({ error: bug }, 500);
  });
  return app;
}

function tooLarge(c: Context): Response {
  return c.json({ error: 'The request is too large.' }, 413, { connection: 'close' });
}

/** Of the list, what is newer than `since`, of the run, than `seen`; all, at once, if that cannot be told. */
async function tellNews(c: RunContext, { watcher }: AppOptions): Promise<Response> {
  const { run: id = '', since = 0, seen = 0 } = c.req.query();
  const canAct = c.get('may') === 'act';
  const isWhole = !watcher.cards.reachBackTo(+since);
  if (isWhole) await watcher.refresh();
  for (const until = performance.now() + holdMs; ; ) {
    const run = watcher.watch(id);
    const isRunWhole = run !== undefined && !run.parts.reachBackTo(+seen);
    const known = isRunWhole ? 0 : +seen;
    const parts = [...watcher.cards.since(isWhole ? 0 : +since), ...(run?.parts.since(known) ?? [])];
    const items = run?.activity.items.filter(({ n }) => n > known) ?? [];
    const isNew = isWhole || isRunWhole || parts.length > 0 || items.length > 0;
    if (isNew || c.req.raw.signal.aborted || performance.now() > until) {
      const about = JSON.stringify({ n: lastNumber(), isWhole, isRunWhole, canAct, items });
      // The parts are JSON already.
      const news = `${about.slice(0, -1)},"parts":{${parts}}}`;
      return c.body(news, 200, { 'content-type': 'application/json' });
    }
    await wait(lookMs);
  }
}

async function readChanges(c: RunContext, run: WatchedRun, options: AppOptions): Promise<DiffView> {
  const { watcher, context } = options;
  const { place, found, journal } = run;
  const task = c.req.param('task');
  const text = watcher.mask(await readDiff(context, { place, run: found, task }));
  const files = parseDiff(text.slice(0, mostText));
  const names = files.map(({ name }) => name);
  const outside = new Set(listOutside(journal.state, task, names));
  return {
    files: files.map((file) => ({ ...file, isOutside: outside.has(file.name) })),
    leftOut: Math.max(0, text.length - mostText),
  };
}

async function obey(c: RunContext, { place, found }: WatchedRun, { context }: AppOptions): Promise<Response> {
  if (!/^application\/json\b/.test(c.req.header('content-type') ?? ''))
    return c.json({ error: 'A command must be JSON.' }, 415);
  const command = commandSchema.safeParse(await c.req.json().catch(() => undefined));
  if (!command.success) return c.json({ error: 'pawl does not know this command.' }, 400);
  const holder = findRunHolder(place, found.run);
  const reply = await sendCommand(context, { place, run: found, holder }, { ...command.data, by: 'web' });
  return c.json(reply, reply.ok ? 200 : 409);
}

export function parseDiff(text: string): readonly Omit<DiffFile, 'isOutside'>[] {
  return text
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const all = part.replace(/\n$/, '').split('\n');
      const begin = all.findIndex((line) => line.startsWith('@@') || line.startsWith('Binary'));
      const lines = begin < 0 ? [] : all.slice(begin);
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      const name = nameOf(begin < 0 ? all : all.slice(0, begin));
      return { name, lines, added: count('+'), removed: count('-') };
    });
}

function nameOf(quoted: readonly string[]): string {
  const head = quoted.map(unquote);
  const find = (begin: string): string | undefined =>
    head.find((line) => line.startsWith(begin))?.slice(begin.length);
  const first = (head[0] ?? '').replace(/^diff --git (?:a\/(.*) b\/\1|".*" b\/(.*))$/s, '$1$2');
  return find('+++ b/') ?? find('rename to ') ?? find('--- a/') ?? first;
}

/** git quotes names with quotes or control characters, and puts a tab behind those with blanks. */
function unquote(line: string): string {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"$/, (name) => orElse(() => JSON.parse(name) as string, name));
  return bare === line ? line.replace(/\t$/, '') : bare;
}
