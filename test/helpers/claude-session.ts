// One session of pawl's with the real Claude Code CLI on the scripted model, in a home of its own.
import {
  plainClaude,
  startSession,
  type TestPlan,
  type TestSession,
} from '../agent/session/session-setup.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { claudeEnvironment, claudePath } from './claude-home.ts';
import { type Model, startModel } from './messages-api.ts';
import { makeTempFolder } from './temp-folder.ts';

/** What the session is given; `auth` is its login, by default a key. */
export type ClaudePlan = Omit<TestPlan, 'agent'> & {
  turns: readonly Turn[];
  auth?: 'key' | 'oauth';
  /** Laid over the environment that the settings make. */
  cliEnv?: Readonly<Record<string, string>>;
  /** Address of another API than the scripted one. */
  apiUrl?: string;
};

/** Starts it; all of it goes at the end of its scope. */
export async function startClaude(
  plan: ClaudePlan,
): Promise<AsyncDisposable & { test: TestSession; model: Model }> {
  const { turns, auth = 'key', cliEnv = {}, apiUrl, ...rest } = plan;
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startModel({ turns }));
  const home = stack.use(makeTempFolder());
  const agent = plainClaude({ command: claudePath });
  const env = claudeEnvironment({ home: home.path, apiUrl: apiUrl ?? model.url, auth });
  const command: typeof agent.command = (request) => {
    const own = agent.command(request);
    return { ...own, env: { ...own.env, ...cliEnv } };
  };
  const test = stack.use(await startSession({ agent: { ...agent, command }, env, ...rest }));
  return { test, model, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
