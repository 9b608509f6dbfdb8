// The page's token, requests, and the stream that a tab follows.
import { useEffect, useState } from 'preact/hooks';
import type { WorkEvidence } from '../../report/view/attempts.ts';
import type { ActivityItem, DiffView, StreamPiece } from '../view.ts';

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
  return fetch(path, { ...init, headers: { authorization, ...init.headers } });
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
    return { ok: false, error: 'The dashboard does not answer: nothing was done.' };
  }
}

export type Heard = Readonly<{
  piece: (piece: StreamPiece) => void;
  state: (state: 'live' | 'away' | 'refused') => void;
}>;

/** Milliseconds; the server gives a sign of life every 15 seconds, so a silent stream is dead. */
const silentMs = 40_000;

export async function follow(run: string, heard: Heard, signal: AbortSignal): Promise<void> {
  for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 15_000)) {
    const silence = new AbortController();
    let timer = 0;
    const onSign = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => silence.abort(), silentMs);
    };
    try {
      onSign();
      const answer = await ask(`/api/events?run=${encodeURIComponent(run)}`, {
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (answer.status === 401) return heard.state('refused');
      if (answer.ok) heard.state('live');
      for await (const piece of readPieces(answer, onSign)) {
        heard.piece(piece);
        waitMs = 500;
      }
    } catch {
      // It is asked again.
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) return;
    heard.state('away');
    await new Promise((done) => setTimeout(done, waitMs));
    if (signal.aborted) return;
  }
}

async function* readPieces(answer: Response, onSign: () => void): AsyncGenerator<StreamPiece> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) return;
    onSign();
    const blocks = (rest + read.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6));
  }
}

/** Undefined until it has arrived; `error`: why it could not be read, else empty. */
type ReadState<T> = Readonly<{ value: T | undefined; error: string }>;

/** Read again when its subject changes, and `everyMs` while the page is visible. */
export function useRead<T>(
  read: () => Promise<T>,
  about: readonly unknown[],
  everyMs?: number,
): ReadState<T> {
  const [seen, setSeen] = useState<ReadState<T>>({ value: undefined, error: '' });
  useEffect(() => {
    let isHere = true;
    const look = (): void => {
      read().then(
        (value) => isHere && setSeen({ value, error: '' }),
        (cause: Error) => isHere && setSeen(({ value }) => ({ value, error: cause.message })),
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
