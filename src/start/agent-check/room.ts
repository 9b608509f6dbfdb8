// A throw-away repository in which an agent is tried, and the sessions in it. All of it is removed with its scope.
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { outerVariables } from '../../agent/agents.ts';
import { endingMs } from '../../agent/session/clocks.ts';
import { openSession } from '../../agent/session/session.ts';
import type { Session } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import { removeOwnFolder } from '../../disk.ts';
import type { Event } from '../../event.ts';
import { childEnvironment } from '../../process/environment.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import type { Mark, Process } from '../../process/sweep.ts';
import { writeFileAtomic } from '../../write-file.ts';
import type { CliContext } from '../context.ts';
import { makeRepository } from '../make-repository.ts';

export type Probe = AsyncDisposable &
  Readonly<{
    session: Session;
    /** The agent's own id of the conversation; undefined until it has reported it. */
    conversation(): string | undefined;
    /** Its running processes. */
    processes(): Promise<readonly Process[]>;
  }>;

export type ProbeGiven = Readonly<{
  prompt: string;
  /** A conversation to continue. */
  resume?: string | undefined;
  /** Merged over the environment. */
  env?: Readonly<Record<string, string>>;
}>;

export type Room = AsyncDisposable & Readonly<{ root: string; open(agent: Agent, given: ProbeGiven): Probe }>;

/** The most that one session may cost if the agent accepts a cap, US dollars. */
const maxCostUsd = 0.1;

/** Minutes, not a night's hours. */
const clocks = {
  ...{ firstEventMs: 45_000, silenceMs: 90_000, apiMs: 90_000, toolMs: 400_000 },
  sessionMs: 180_000,
};

export async function makeRoom(context: CliContext): Promise<Room> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-agent-check-')));
  const root = path.join(folder, 'repository');
  const dispose = () => removeOwnFolder(folder);
  try {
    const files = { 'README.md': 'A throw-away repository of pawl agent check.\n' };
    await makeRepository(context, root, { author: 'pawl', files });
  } catch (error) {
    dispose();
    throw error;
  }
  let number = 0;
  return {
    root,
    open: (agent, given) => openProbe(context, { agent, given, folder, root, number: ++number }),
    [Symbol.asyncDispose]: async () => dispose(),
  };
}

function openProbe(
  context: CliContext,
  opening: Readonly<{ agent: Agent; given: ProbeGiven; folder: string; root: string; number: number }>,
): Probe {
  const { agent, given, folder, root, number } = opening;
  const { prompt, resume, env = {} } = given;
  const sweep = createSweep();
  const mark: Mark = `PAWL_SESSION=${folder}/${number}`;
  const name = path.join(folder, `${number}`);
  const promptFile = `${name}.prompt.md`;
  writeFileAtomic(promptFile, prompt, 0o600);
  let conversation: string | undefined;
  const emit = (event: Event) => {
    if (event.type === 'session-ready') conversation = event.agentSession;
  };
  const session = openSession(
    { spawn: createSpawn(), sweep, emit, signal: context.signal },
    {
      ...{ number, role: 'task', agent, prompt, cwd: root, mark },
      request: {
        ...{ trusted: true, promptFile, ...defined({ resume }) },
        ...(agent.can.budget ? { maxCostUsd } : {}),
      },
      ...(resume === undefined ? {} : { continues: { session: 1, earlier: [] } }),
      marker: { nonce: '0000', bare: new Set() },
      env: { ...childEnvironment(context.env, { drop: outerVariables }), ...env },
      clocks: { ...clocks, ...endingMs },
      ...{ rawFile: `${name}.ndjson`, stderrFile: `${name}.stderr.log` },
    },
  );
  return {
    session,
    conversation: () => conversation,
    processes: () => sweep.find(mark),
    [Symbol.asyncDispose]: async () => {
      await session.stop('the trial is over');
      await session.close();
    },
  };
}
