// The real Claude Code CLI in a conversation with the scripted model, in a repository and a home of its own.
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { claudeEnvironment, claudePath, makeHome } from './claude-home.ts';
import { startModel } from './messages-api.ts';
import { type StreamEvent, startTalk, talkArgs } from './talk.ts';
import { makeRepo } from './temp-repo.ts';

/** The CLI's login, more environment and arguments; default: a key. */
export type Setting = { auth?: 'key' | 'oauth'; env?: Record<string, string>; args?: readonly string[] };

/** Starts the CLI on a script; all of it goes at the end of the scope. */
export async function startStory(turns: readonly Turn[], setting: Setting = {}) {
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startModel({ turns }));
  const home = stack.use(await makeHome());
  const repo = stack.use(await makeRepo());
  const env = {
    ...claudeEnvironment({ home: home.path, apiUrl: model.url, auth: setting.auth ?? 'key' }),
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    ...setting.env,
  };
  const args = [...talkArgs, ...(setting.args ?? [])];
  const talk = stack.use(startTalk(claudePath, { cwd: repo.path, env, args }));
  return { model, repo, talk, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** True for the real end of a turn. */
export const isIdle = (event: StreamEvent) => event['state'] === 'idle';
/** Subtype or type of each event, to compare their order. */
export const types = (events: readonly StreamEvent[]) =>
  events.map((event) => event['subtype'] ?? event['type']);
