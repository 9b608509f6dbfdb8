// The page's side of the server: its token, requests, and this tab's one stream, which is closed while the tab is hidden
// and continues where it was.
import { defined } from '../../defined.ts';
import type { Evidence } from '../evidence-view.ts';
import type { ActivityItem, Export, FleetLook, Hello, PartMessage, SearchResult } from '../view.ts';
import { readEvents, rest, Watchdog } from './server-events.ts';

const storageKey = 'pawl-token';

/** A run that was exported into this document, in which case there is no server. */
export const exported: Export | undefined = readExport();

function readExport(): Export | undefined {
  const text = document.getElementById('pawl-export')?.textContent;
  return text ? (JSON.parse(text) as Export) : undefined;
}

/** Takes the token out of the address bar; it stays with this tab. */
export function takeToken(): void {
  const [, given, rest = ''] = /^#t=([\w-]+)(?:&(.*))?$/.exec(location.hash) ?? [];
  if (given === undefined) return;
  sessionStorage.setItem(storageKey, given);
  history.replaceState(null, '', rest === '' ? location.pathname : `#${rest}`);
}

export function hasToken(): boolean {
  return sessionStorage.getItem(storageKey) !== null;
}

/** How long a tab that has the token may take to answer, milliseconds. */
const tabMs = 700;

/** Gives the token to other tabs of this very address that ask for it: a link in a message has none. */
export function answerTabs(): void {
  const tabs = new BroadcastChannel(storageKey);
  tabs.addEventListener('message', ({ data }) => {
    const token = sessionStorage.getItem(storageKey);
    if (data === 'ask' && token !== null) tabs.postMessage({ token });
  });
}

/** Asks them; true if one of them had it. */
export async function askTabs(): Promise<boolean> {
  const tabs = new BroadcastChannel(storageKey);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  tabs.addEventListener('message', ({ data }) => {
    if (typeof data?.token === 'string') resolve(data.token);
  });
  tabs.postMessage('ask');
  setTimeout(resolve, tabMs, undefined);
  const token = await promise;
  tabs.close();
  if (token !== undefined) sessionStorage.setItem(storageKey, token);
  return token !== undefined;
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${sessionStorage.getItem(storageKey) ?? ''}` };
}

export class RequestError extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, { ...init, headers: { ...headers(), ...init.headers } });
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({}))) as { error?: string; hint?: string };
  throw new RequestError(answer.status, told.error ?? `The server answered ${answer.status}.`, told.hint);
}

async function getJson<T>(path: string): Promise<T> {
  return (await (await ask(path)).json()) as T;
}

const ofRun = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;

export const readHello = (): Promise<Hello> => getJson<Hello>('/api/hello');

export const readStats = <T>(): Promise<T> => getJson<T>('/api/stats');

export const readFleet = (): Promise<FleetLook> => getJson('/api/fleet');

export const readFound = (words: string, signal: AbortSignal): Promise<SearchResult> =>
  ask(`/api/search?words=${encodeURIComponent(words)}`, { signal }).then((answer) => answer.json());

export async function readEvidence(id: string, task: string): Promise<Evidence> {
  const kept = exported?.evidence[task];
  return kept ?? getJson(`${ofRun(id)}/tasks/${encodeURIComponent(task)}`);
}

/** The parts of a run as it was at an instant, ISO 8601. */
export const readParts = (id: string, until: string): Promise<Readonly<Record<string, unknown>>> =>
  getJson(`${ofRun(id)}/parts?until=${encodeURIComponent(until)}`);

export type Text = Readonly<{ text: string; leftOut: number }>;

export async function readDiff(id: string, task: string): Promise<Text> {
  if (exported) return { text: exported.diffs[task] ?? '', leftOut: 0 };
  return getJson(`${ofRun(id)}/tasks/${encodeURIComponent(task)}/diff`);
}

export async function readLog(id: string, file: string): Promise<Text> {
  if (exported)
    return {
      text: exported.logs[file] ?? 'Only outputs of checks that were not green are kept here.',
      leftOut: 0,
    };
  return getJson(`${ofRun(id)}/log?file=${encodeURIComponent(file)}`);
}

export const readRaw = (id: string, session: number): Promise<Text> =>
  getJson(`${ofRun(id)}/sessions/${session}/raw`);

/** What an agent said and did in one session, before an item. */
export async function readActivity(
  id: string,
  session: number,
  before?: number,
): Promise<Readonly<{ items: readonly ActivityItem[]; older: number }>> {
  if (exported) return { items: exported.activity.filter((item) => item.session === session), older: 0 };
  return getJson(
    `${ofRun(id)}/sessions/${session}/activity${before === undefined ? '' : `?before=${before}`}`,
  );
}

export async function readExportFile(id: string): Promise<Blob> {
  return (await ask(`${ofRun(id)}/export`)).blob();
}

export type ServerReply = Readonly<{
  ok: boolean;
  text?: string;
  error?: string;
  hint?: string;
  command?: string;
}>;

export async function send(id: string, command: unknown): Promise<ServerReply> {
  try {
    const answer = await ask(`${ofRun(id)}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    return (await answer.json()) as ServerReply;
  } catch (error) {
    if (error instanceof RequestError)
      return { ok: false, error: error.message, ...defined({ hint: error.hint }) };
    return { ok: false, error: 'The dashboard does not answer: nothing was done.' };
  }
}

export type Heard = Readonly<{
  parts: (messages: readonly PartMessage[]) => void;
  activity: (items: readonly ActivityItem[]) => void;
  state: (state: 'live' | 'away' | 'refused') => void;
}>;

/** The server gives a sign of life every 15 seconds; after this time without one it is asked anew, milliseconds. */
const silentMs = 40_000;

/** Follows the list and one run until it is aborted; after a break it retries, with growing delays. */
export async function follow(run: string | undefined, heard: Heard, signal: AbortSignal): Promise<void> {
  for (let waitMs = 500; !signal.aborted; waitMs = Math.min(waitMs * 2, 15_000)) {
    // A stream of a machine that slept may be dead without an end.
    const watch = new Watchdog(silentMs);
    try {
      const query = run === undefined ? '' : `?run=${encodeURIComponent(run)}`;
      const answer = await ask(`/api/events${query}`, {
        signal: AbortSignal.any([signal, watch.signal]),
        headers: defined({ 'last-event-id': last }),
      });
      heard.state('live');
      for await (const { id, event, data } of readEvents(answer, () => watch.reset())) {
        if (signal.aborted) return;
        waitMs = 500;
        if (event === 'parts') heard.parts(JSON.parse(data) as PartMessage[]);
        if (event === 'activity') heard.activity(JSON.parse(data) as ActivityItem[]);
        if (id !== undefined) last = id;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RequestError && error.status === 401) return heard.state('refused');
    } finally {
      watch.stop();
    }
    if (signal.aborted) return;
    heard.state('away');
    await rest(waitMs);
  }
}

/** What this tab last received: of the list, and of the run that it shows. */
let last: string | undefined;

/** The page shows nothing of a run any more: the next one is requested from its beginning. */
export function leaveRun(): void {
  last = last?.replace(/\.\d+\.\d+$/, '.0.0');
}
