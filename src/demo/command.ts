// Runs one shell command as Claude Code's Bash tool does: in a session and process group of its own, its output in
// a file, so that what it leaves running keeps neither pipe nor group of the agent's.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How a command ended: its exit code (128 + number for a signal), stdout and stderr as one text. */
export type CommandEnd = Readonly<{ code: number; output: string; stopped: boolean; timedOut: boolean }>;

/** Runs a command to the end of its shell; an abort or a timeout kills its process group. */
export async function runCommand(
  command: string,
  given: { cwd: string; sessionId: string; timeoutMs: number; signal: AbortSignal },
): Promise<CommandEnd> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-scripted-'));
  const file = path.join(folder, 'output');
  const fd = openSync(file, 'w+', 0o600);
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
  closeSync(fd);
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
    return { code, output: readFileSync(file, 'utf8'), stopped: given.signal.aborted, timedOut };
  } finally {
    clearTimeout(timer);
    given.signal.removeEventListener('abort', stop);
    rmSync(folder, { recursive: true, force: true });
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group ended by itself in the meantime.
  }
}
