// A session of a test: real processes, a folder of its own, every event kept. Whatever is left of it is ended with it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent, AgentRequest, LineReading } from '../../../src/agent/agent.ts';
import { type ClaudeSettings, claudeAgent } from '../../../src/agent/claude/claude.ts';
import { Session } from '../../../src/agent/session/session.ts';
import type { SessionClocks } from '../../../src/agent/session/session-plan.ts';
import type { Event } from '../../../src/event.ts';
import { sweep } from '../../../src/process/host-sweep.ts';
import { spawn } from '../../../src/process/spawn.ts';
import type { Mark, Process } from '../../../src/process/sweep.ts';

const clocks: SessionClocks = {
  firstEventMs: 30_000,
  silenceMs: 30_000,
  apiMs: 30_000,
  toolMs: 30_000,
  sessionMs: 60_000,
  drainMs: 10_000,
  interruptMs: 3_000,
  termMs: 3_000,
};

/** Claude Code without any rule of its own, or what stands in for it. */
export function plainClaude(settings: Partial<ClaudeSettings> & Pick<ClaudeSettings, 'command'>): Agent {
  return claudeAgent({
    args: [],
    permissions: 'bypass',
    dropsKey: false,
    input: 'stream',
    clocks: { silenceMs: 600_000, apiMs: 900_000, toolMs: 3_600_000 },
    ...settings,
  });
}

/** What a conversation has to say, line by line. */
export const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one));
export const answered = (reading: LineReading) => linesOf(reading.answer);

export type TestSession = AsyncDisposable &
  Readonly<{
    session: Session;
    events: readonly Event[];
    /** The facts' types in order, without activity. */
    facts(): readonly string[];
    /** Live processes of the session. */
    processes(): Promise<readonly Process[]>;
    raw(): Promise<string>;
    folder: string;
  }>;

export type TestPlan = Readonly<{
  agent: Agent;
  prompt?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  request?: Partial<AgentRequest>;
  clocks?: Partial<SessionClocks>;
  bare?: readonly string[];
  reviewer?: string;
  rawFile?: string;
  mostBytes?: number;
  signal?: AbortSignal;
  onEvent?: (event: Event) => void;
}>;

export const nonce = 'a1b2';

let count = 0;

/** Opens a session with short clocks; the prompt names the nonce `a1b2`. */
export async function startSession(plan: TestPlan): Promise<TestSession> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pawl-session-'));
  count += 1;
  const mark: Mark = `PAWL_SESSION=test-${process.pid}-${count}/1`;
  const events: Event[] = [];
  const promptFile = path.join(folder, '001.prompt.md');
  const session = new Session(
    {
      spawn,
      sweep,
      signal: plan.signal,
      emit: (event) => {
        events.push(event);
        plan.onEvent?.(event);
      },
    },
    {
      number: 1,
      role: 'task',
      task: '1',
      attempt: 1,
      agent: plan.agent,
      request: { trusted: true, promptFile, ...plan.request },
      prompt: plan.prompt ?? `Do it. End with <<<PAWL:TASK_DONE ${nonce}>>>`,
      marker: { nonce, bare: new Set(plan.bare) },
      cwd: plan.cwd ?? folder,
      env: plan.env ?? { PATH: process.env['PATH'] ?? '', HOME: folder },
      mark,
      clocks: { ...clocks, ...plan.clocks },
      mostBytes: plan.mostBytes,
      reviewer: plan.reviewer,
      rawFile: plan.rawFile ?? path.join(folder, '001.ndjson'),
      stderrFile: path.join(folder, '001.stderr'),
    },
  );
  return {
    session,
    events,
    folder,
    facts: () => events.filter(({ type }) => type !== 'activity').map(({ type }) => type),
    processes: () => sweep.find(mark),
    raw: () => readFile(path.join(folder, '001.ndjson'), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await session.stop('the test is over');
      await session.close().catch(() => {});
      await sweep.end(mark);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
