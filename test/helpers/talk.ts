// A conversation with a program that speaks stream-json, as tests hold it: say a message, wait for an event, end it.
// It understands nothing of what it hears but JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// biome-ignore lint/suspicious/noExplicitAny: tests look into another program's JSON.
export type StreamEvent = Record<string, any>;

/** How the program ended. */
type TalkEnd = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

/** A running program; killed at the end of its scope if it still runs. */
export type Talk = AsyncDisposable &
  Readonly<{
    /** All events so far; a line that is not JSON is `{ noise: line }`. */
    events: readonly StreamEvent[];
    say(text: string): void;
    control(subtype: string): void;
    /** The next event, of those not yet waited for, that fits; rejects when the program ends without one. */
    until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent>;
    /** Closes stdin and waits for the program's end. */
    end(): Promise<TalkEnd>;
  }>;

/** The arguments that make Claude Code, or the scripted agent, hold a conversation. */
export const talkArgs: readonly string[] = [
  '-p',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
  '--dangerously-skip-permissions',
];

/** Starts a program and listens to it. */
export function startTalk(
  file: string,
  given: { cwd: string; env: Readonly<Record<string, string | undefined>>; args?: readonly string[] },
): Talk {
  const child = spawn(file, [...(given.args ?? talkArgs)], { cwd: given.cwd, env: { ...given.env } });
  const events: StreamEvent[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let seen = 0;
  let isOver = false;
  const wake = () => {
    for (const check of waiting) check();
  };
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(parse(line));
    wake();
  });
  const ended = new Promise<TalkEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      isOver = true;
      wake();
      resolve({ code, signal });
    });
  });
  const until = (fits: (event: StreamEvent) => boolean) =>
    new Promise<StreamEvent>((resolve, reject) => {
      const check = () => {
        const at = events.findIndex((event, index) => index >= seen && fits(event));
        const found = events[at];
        if (found === undefined && !isOver) return;
        waiting.delete(check);
        seen = at + 1;
        if (found) resolve(found);
        else reject(new Error(`the program ended without the event; stderr: ${stderr}`));
      };
      waiting.add(check);
      check();
    });
  const send = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`);
  const end = () => {
    child.stdin.end();
    return ended;
  };
  return {
    events,
    say: (text) => send({ type: 'user', message: { role: 'user', content: text } }),
    control: (subtype) =>
      send({ type: 'control_request', request_id: `test-${subtype}`, request: { subtype } }),
    until,
    end,
    [Symbol.asyncDispose]: async () => {
      if (!isOver) child.kill('SIGKILL');
      await ended;
    },
  };
}

function parse(line: string): StreamEvent {
  try {
    return JSON.parse(line) as StreamEvent;
  } catch {
    return { noise: line };
  }
}
