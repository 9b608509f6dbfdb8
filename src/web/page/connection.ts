// The page's token and requests.
import { useEffect, useState } from 'preact/hooks';
import type { WorkEvidence } from '../../report/view/attempts.ts';
import type { ActivityItem, DiffView, News } from '../view.ts';

/** Other tabs and an installed page have it too; other addresses and ports do not. */
const storageKey = 'pawl-token';

/** False if the link has none. */
export function keepToken(link: string): boolean {
  const token = /#t=([\w-]+)/.exec(link)?.[1];
  if (token !== undefined) localStorage.setItem(storageKey, token);
  return token !== undefined;
}

/** The same for this page's own link, which is then shown without it. */
export function takeToken(): boolean {
  const isTaken = keepToken(location.hash);
  if (isTaken) history.replaceState(null, '', location.hash.replace(/^#t=[\w-]+&?/, '#'));
  return isTaken;
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${localStorage.getItem(storageKey) ?? ''}`;
  // In a browser's cache, tabs that ask the same wait for each other.
  return fetch(path, { cache: 'no-store', ...init, headers: { authorization, ...init.headers } });
}

async function getJson<T>(path: string): Promise<T> {
  const answer = await ask(path);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

const ofRun = (id: string, ...path: readonly (string | number)[]): string =>
  ['/api/runs', ...[id, ...path].map(encodeURIComponent)].join('/');

export const readEvidence = (id: string, task: string) => getJson<WorkEvidence>(ofRun(id, 'tasks', task));
export const readDiff = (id: string, task: string) => getJson<DiffView>(ofRun(id, 'tasks', task, 'diff'));
export const readActivity = (id: string, session: number) =>
  getJson<readonly ActivityItem[]>(ofRun(id, 'sessions', session));
export const readLog = (id: string, file: string) =>
  getJson<Readonly<{ text: string }>>(`${ofRun(id, 'log')}?file=${encodeURIComponent(file)}`);
/** `until`: ISO 8601. */
export const readParts = (id: string, until: string) =>
  getJson<Readonly<Record<string, unknown>>>(`${ofRun(id, 'parts')}?until=${encodeURIComponent(until)}`);

export type ServerReply = Readonly<{ ok: boolean; text?: string; error?: string; hint?: string }>;

export async function send(id: string, command: unknown): Promise<ServerReply> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(command);
  try {
    const answer = await ask(ofRun(id, 'commands'), { method: 'POST', headers, body });
    return { ok: false, ...(await answer.json()) };
  } catch {
    return { ok: false, text: 'The dashboard does not answer: look whether it was done.' };
  }
}

/** Milliseconds; the server answers within 15 seconds, so one that is silent is dead. */
const silentMs = 40_000;

/** What is new; `known`: numbers of the newest of the list, and of the run. Undefined if there is no answer. */
export async function readNews(
  run: string,
  known: Readonly<{ since: number; seen: number }>,
  signal: AbortSignal,
): Promise<News | 'refused' | undefined> {
  const asked = new URLSearchParams({ run, since: `${known.since}`, seen: `${known.seen}` });
  try {
    const answer = await ask(`/api/news?${asked}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(silentMs)]),
    });
    if (answer.status === 401) return 'refused';
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** `value`: undefined until it has arrived. Read again when its subject changes, and `everyMs` while the page is visible. */
export function useRead<T>(read: () => Promise<T>, about: readonly unknown[], everyMs?: number) {
  const [seen, setSeen] = useState<Readonly<{ value?: T; error?: string }>>({});
  useEffect(() => {
    let isHere = true;
    const look = (): void => {
      read().then(
        (value) => isHere && setSeen({ value }),
        ({ message }: Error) => isHere && setSeen((before) => ({ ...before, error: message })),
      );
    };
    look();
    const timer = everyMs === undefined ? 0 : window.setInterval(() => document.hidden || look(), everyMs);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, about);
  return seen;
}
