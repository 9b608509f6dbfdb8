// A seat at a real terminal: pawl runs below `script`, which gives it one; what is typed goes to its keyboard, and what it
// shows is read as it comes.
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { builtFile, isShortened } from './built-pawl.ts';
import { script } from './needs.ts';
import type { Scene } from './pawl.ts';
import { Screen } from './screen.ts';

/** pawl on a terminal: what it shows so far, what is typed, and how both were left. */
export type Seat = Disposable &
  Readonly<{
    type(keys: string): void;
    screen(): string;
    /** Its exit code, and the terminal's settings before and after. */
    ended: Promise<Readonly<{ exit: number; before: string; after: string }>>;
  }>;

/** Starts `pawl run` on the scene's plan in a terminal of 100 columns. */
export function sitDown(scene: Scene, ...args: readonly string[]): Promise<Seat> {
  return sitDownTo(scene, 'run', 'docs/plans/plan.md', '--trust', ...args);
}

/** Starts `pawl …` in such a terminal. */
export async function sitDownTo({ repo, home, env }: Scene, ...args: readonly string[]): Promise<Seat> {
  const file = path.join(home, 'seat.sh');
  const clocks = isShortened(env) ? [`--import=${builtFile('short-clocks')}`] : [];
  const words = [process.execPath, ...clocks, builtFile('main'), ...args].map((word) => `'${word}'`);
  await writeFile(
    file,
    `trap : INT QUIT\nstty cols 100 rows 30\nstty -a > '${home}/before'\n${words.join(' ')}\nexit=$?\nstty -a > '${home}/after'\nexit $exit\n`,
  );
  const child = spawn(script, ['-qefc', `sh '${file}'`, '/dev/null'], {
    cwd: repo.path,
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const read = (name: string) => readFile(path.join(home, name), 'utf8');
  const ended = new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? -1))).then(
    async (exit) => ({ exit, before: await read('before'), after: await read('after') }),
  );
  return {
    type: (keys) => child.stdin.write(keys),
    screen: () => shown,
    ended,
    // A terminal that is closed hangs pawl up.
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

/** Waits until the screen has shown it that many times. */
export async function shows({ screen }: Seat, text: string, times = 1): Promise<void> {
  await expect
    .poll(() => screen().split(text).length - 1, { message: text, timeout: 240_000, interval: 20 })
    .toBeGreaterThanOrEqual(times);
}

/** What is on the screen at the end, when a status line was there and is gone; a control character that no terminal should get throws. */
export function screenAtEnd(shown: string): string {
  const screen = new Screen(100);
  screen.stream.write(shown);
  expect(screen.isAtStart).toBe(true);
  expect(shown).toContain(statusRule);
  const text = screen.rows.join('\n');
  expect(text).not.toContain(statusRule);
  return text;
}

/** What begins the rows at the bottom, and nothing else. */
export const statusRule = '─'.repeat(40);
