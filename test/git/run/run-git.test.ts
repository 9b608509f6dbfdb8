import { expect, test, vi } from 'vitest';
import { type GitRequest, runGit } from '../../../src/git/run/run-git.ts';
import type { ProcessExit, Spawn } from '../../../src/process/spawn.ts';

async function* text(words: string) {
  if (words !== '') yield Buffer.from(words);
}

/** Programs that end as told, one after the other, and what each was started with. */
function scripted(...ends: readonly ProcessExit[]): { spawn: Spawn; starts: string[] } {
  const starts: string[] = [];
  const spawn: Spawn = (request) => {
    const ended = ends[starts.length] ?? { code: 0, signal: null };
    starts.push(request.args.join(' '));
    return {
      pid: 1,
      stdout: text(ended.signal === null ? `answer ${starts.length}` : ''),
      stderr: text(''),
      send: async (input) => {
        starts.push(`${starts.pop()} ${input}`);
        return true;
      },
      closeInput: () => {},
      signal: () => {},
      ended: Promise.resolve(ended),
    };
  };
  return { spawn, starts };
}

const request: GitRequest = { args: ['status'], cwd: '/', env: {}, timeoutMs: 60_000 };
const by = (signal: NodeJS.Signals): ProcessExit => ({ code: null, signal });

test.each(['SIGINT', 'SIGQUIT', 'SIGHUP'] as const)(
  'starts again what %s ended before it began',
  async (signal) => {
    const { spawn, starts } = scripted(by(signal));
    expect(await runGit(spawn, request)).toMatchObject({ ended: { code: 0 }, timedOut: false });
    expect(starts).toEqual(['status', 'status']);
  },
);

test('gives up one that its clock, TERM and KILL do not end', async () => {
  const never = new Promise<never>(() => {});
  const signals: string[] = [];
  async function* silence() {
    yield await never;
  }
  const spawn: Spawn = () => ({
    ...{ pid: 7, stdout: silence(), stderr: silence(), ended: never },
    ...{ send: async () => true, closeInput: () => {}, signal: (signal) => signals.push(signal) },
  });
  vi.useFakeTimers();
  try {
    let failure: unknown;
    void runGit(spawn, { ...request, timeoutMs: 1_000 }).catch((error: unknown) => {
      failure = error;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(failure).toMatchObject({
      code: 'environment',
      message: 'git (process 7) does not end, even after SIGKILL',
    });
    expect(signals).toEqual(['SIGTERM', 'SIGCONT', 'SIGKILL']);
  } finally {
    vi.useRealTimers();
  }
});

test('once: a second one is an end', async () => {
  const { spawn, starts } = scripted(by('SIGINT'), by('SIGINT'), by('SIGINT'));
  expect((await runGit(spawn, request)).ended.code).toBeNull();
  expect(starts).toHaveLength(2);
});

test.each([
  [by('SIGKILL'), null],
  [by('SIGTERM'), null],
  [{ code: 128, signal: null }, 128],
])('leaves any other end as it is: %j', async (end, code) => {
  const { spawn, starts } = scripted(end);
  expect((await runGit(spawn, request)).ended.code).toBe(code);
  expect(starts).toHaveLength(1);
});
