// Starts the scripted agent with a script in a repository of its own, for the tests of this folder.
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { makeAgent } from '../helpers/script.ts';
import { type StreamEvent, startTalk, talkArgs } from '../helpers/talk.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

/** More of the agent's environment and arguments. */
export type Setting = { env?: Record<string, string>; args?: readonly string[] };

/** Starts an agent; its files go at the end of the scope, it too if it still runs. */
export async function startAgent(turns: readonly Turn[], setting: Setting = {}) {
  const stack = new AsyncDisposableStack();
  const agent = stack.use(await makeAgent(turns));
  const repo = stack.use(await makeRepo());
  const env = { PATH: process.env['PATH'], CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1', ...setting.env };
  const args = [...talkArgs, ...(setting.args ?? [])];
  const talk = stack.use(startTalk(agent.command, { cwd: repo.path, env, args }));
  return { agent, repo, talk, env, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Starts an agent that plays the same steps for every message. */
export const playing = (...steps: Step[]) => startAgent([{ steps, once: false }]);
/** True for the line that ends a turn. */
export const isResult = (event: StreamEvent) => event['type'] === 'result';
/** True for the line that announces a tool call. */
export const isTool = (event: StreamEvent) => event['message']?.content[0].type === 'tool_use';
/** One word for each event, to compare their order. */
export const kinds = (events: readonly StreamEvent[]) =>
  events.map(
    (event) => event['state'] ?? event['subtype'] ?? event['message']?.content[0].type ?? event['type'],
  );
