// A throw-away repository in which an agent is tried, and the sessions in it. All of it goes with its scope.
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { outerVariables } from '../../agent/agents.ts';
import { openSession } from '../../agent/session/session.ts';
import type { Session, SessionClocks } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import type { Event } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { childEnvironment } from '../../process/environment.ts';
import { createSweep } from '../../process/host-sweep.ts';
import { createSpawn } from '../../process/spawn.ts';
import type { Mark, Process } from '../../process/sweep.ts';
import { writeFileAtomic } from '../../write-file.ts';
import type { CliContext } from '../context.ts';
import { runQuietly } from '../run-quietly.ts';

/** A session on trial. */
export type Probe = AsyncDisposable &
  Readonly<{
    session: Session;
    /** The agent's own id of the conversation; undefined until it has said so. */
    conversation(): string | undefined;
    /** What runs of it. */
    processes(): Promise<readonly Process[]>;
  }>;

/** What a session is opened with. */
export type ProbeGiven = Readonly<{
  prompt: string;
  /** A conversation to go on with. */
  resume?: string | undefined;
  /** Laid over the environment. */
  env?: Readonly<Record<string, string>>;
}>;

/** The repository, and how sessions are opened in it. */
export type Room = AsyncDisposable & Readonly<{ root: string; open(agent: Agent, given: ProbeGiven): Probe }>;

/** Most that one session may cost where the agent takes a cap, US dollars. */
const maxCostUsd = 0.1;

/** Minutes instead of a night's hours. */
const clocks: SessionClocks = {
  ...{ firstEventMs: 45_000, silenceMs: 90_000, apiMs: 90_000, toolMs: 400_000, sessionMs: 180_000 },
  ...{ drainMs: 15_000, interruptMs: 5_000, termMs: 5_000 },
};

/** Makes the repository. */
export async function makeRoom(context: CliContext): Promise<Room> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-agent-check-')));
  const root = path.join(folder, 'repository');
  const dispose = () => removeOwnFolder(folder);
  try {
    makeFolder(root);
    writeFileAtomic(path.join(root, 'README.md'), 'A throw-away repository of pawl agent check.\n');
    for (const words of commands) await git(context, root, words.split(' '));
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

const commands = [
  'init --quiet --initial-branch main',
  'config user.name pawl',
  'config user.email pawl@example.invalid',
  'config commit.gpgsign false',
  'add --all',
  'commit --quiet --message start',
];

async function git(context: CliContext, cwd: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runQuietly(context, 'git', args, { cwd, env: { GIT_OPTIONAL_LOCKS: '1' } });
  if (code !== 0) throw new Failure('git', `git ${args.join(' ')} failed: ${stderr.trim()}`);
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
  const shorter = context.env['PAWL_TEST_CLOCKS_MS'];
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
      clocks: { ...clocks, ...(shorter === undefined ? {} : JSON.parse(shorter)) },
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
