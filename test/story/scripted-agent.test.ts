// The scripted agent against the real CLI: for the same script both print the same events in the same order, and pawl reads
// the same in them.
import { expect, test } from 'vitest';
import { readClaude } from '../../src/agent/claude/read-line.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { claudeEnvironment, claudePath, makeHome } from '../helpers/claude-home.ts';
import { startModel } from '../helpers/messages-api.ts';
import { makeAgent } from '../helpers/script.ts';
import { share } from '../helpers/share.ts';
import { type StreamEvent, startTalk, talkArgs } from '../helpers/talk.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

/** The CLI's login, more environment and arguments; default: a key. */
type Setting = { auth?: 'key' | 'oauth'; env?: Record<string, string>; args?: readonly string[] };

/** Starts the CLI on a script; all of it goes at the end of the scope. */
async function startStory(turns: readonly Turn[], setting: Setting = {}) {
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
const isIdle = (event: StreamEvent) => event['state'] === 'idle';

/** Subtype or type of each event, to compare their order. */
const types = (events: readonly StreamEvent[]) => events.map((event) => event['subtype'] ?? event['type']);

/** What pawl reads in an event: fields with their kinds. */
function readingOf(event: StreamEvent): readonly object[] {
  return readClaude(JSON.stringify(event)).map((read) =>
    Object.fromEntries(
      Object.entries(read).map(([name, value]) => [name, name === 'type' ? value : typeof value]),
    ),
  );
}

const sameForBoth: [name: string, turn: Turn['steps'], setting: Setting][] = [
  ['work', [{ say: 'a' }, { bash: 'echo x' }, { bash: 'exit 3' }, { say: 'b' }], {}],
  ['a refusal', [{ api: { status: 403 } }], {}],
  ['a limit', [{ limit: { resetsInS: 600 } }], { auth: 'oauth' }],
  ['a retry', [{ api: { status: 529, times: 1 } }, { say: 'c' }], {}],
  ['an answer', [{ answer: { a: 1 } }], { args: ['--json-schema', '{"type":"object"}'] }],
];
test.each(share(sameForBoth, 4))(
  'the scripted agent prints what the CLI prints: %s',
  async (_name, steps, setting) => {
    await using real = await startStory([{ steps }], setting);
    await using agent = await makeAgent([{ steps }]);
    const env = { PATH: process.env['PATH'], CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
    const args = [...talkArgs, ...(setting.args ?? [])];
    await using scripted = startTalk(agent.command, { cwd: real.repo.path, env, args });
    for (const talk of [real.talk, scripted]) {
      talk.say('go');
      await talk.until(isIdle);
      talk.control('get_session_cost');
      await talk.until((event) => event['type'] === 'control_response');
    }
    expect(types(scripted.events)).toEqual(types(real.talk.events));
    expect(scripted.events.map(readingOf)).toEqual(real.talk.events.map(readingOf));
    expect((await scripted.end()).code).toBe((await real.talk.end()).code);
  },
);
