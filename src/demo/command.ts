// Runs one shell command as Claude Code's Bash tool does: in a session and process group of its own, its output in
// a file, so that what it leaves running keeps neither pipe nor group of the agent's.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How a command ended: its exit code (128 + number for a signal), stdout and stderr as one text. */
export type CommandEnd = Readonly<{ code: number; output: string; stopped: boolean; timedOut: boolean }>;

/** Runs a command to the end of its shell; an abort or a timeout kills its process group. */
export async function runCommand(
  command: string,
  given: { cwd: string; sessionId: string; timeoutMs: number; signal: AbortSignal },
): Promise<CommandEnd> {
  const fd = openNameless();
  const env = {
    ...process.env,
    CLAUDECODE: '1',
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_SESSION_ID: given.sessionId,
  };
  const child = spawn('bash', ['-c', command], {
    cwd: given.cwd,
    env,
    detached: true,
    stdio: ['ignore', fd, fd],
  });
  let timedOut = false;
  const stop = () => killGroup(child.pid, 'SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid, 'SIGTERM');
  }, given.timeoutMs);
  given.signal.addEventListener('abort', stop);
  if (given.signal.aborted) stop();
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exit, signal) => resolve(exit ?? (signal === 'SIGKILL' ? 137 : 143)));
    });
    return { code, output: readAll(fd), stopped: given.signal.aborted, timedOut };
  } finally {
    clearTimeout(timer);
    given.signal.removeEventListener('abort', stop);
    closeSync(fd);
  }
}

/** A file that is gone from its folder already, so that no kill can leave it behind. */
function openNameless(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-scripted-'));
  const fd = openSync(path.join(folder, 'output'), 'w+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return fd;
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(fstatSync(fd).size);
  const length = readSync(fd, bytes, 0, bytes.length, 0);
  return bytes.toString('utf8', 0, length);
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group ended by itself in the meantime.
  }
}
