// What all agents together mean for pawl: a name finds its agent, and nothing of an outer session reaches a program.
import { describe, expect, test } from 'vitest';
import { adapterOf, isAgentVariable, outerVariables, shippedAgent } from '../../src/agent/agents.ts';
import { readContextTokens } from '../../src/agent/session/recorded.ts';
import { type AgentName, agentNames } from '../../src/agent-name.ts';
import { configSchema } from '../../src/config/schema.ts';
import { childEnvironment } from '../../src/process/environment.ts';
import { refuseBlind } from '../../src/start/run-plan.ts';
import { makeWorld } from '../cli/world.ts';

const config = configSchema.parse({
  agent: { script: { command: './work.sh' } },
  agents: { acp: { command: './serve.sh' } },
});

const codexItem = { method: 'item/started', params: { threadId: 't1', item: { type: 'commandExecution' } } };
const codexUsage = {
  method: 'thread/tokenUsage/updated',
  params: { threadId: 't1', turnId: 'u1', tokenUsage: { last: { totalTokens: 77 } } },
};
const acpUpdate = (update: object) => ({ method: 'session/update', params: { sessionId: 's1', update } });

describe('an agent by its name', () => {
  test.each(agentNames)('%s', (name) => {
    const agent = shippedAgent(config, undefined, name);
    expect(agent.name).toBe(name);
    expect(agent.open().read('{').events).toEqual([{ type: 'noise', text: '{' }]);
    expect(
      adapterOf(config, name).billingOf(config, {
        env: {},
        home: '/',
        platform: 'linux',
        uid: 1,
        isInside: false,
      }),
    ).not.toBe('');
  });

  test('another name is told, with those there are', () => {
    expect(() => shippedAgent(config, undefined, 'cursor')).toThrow('there is no agent cursor');
  });
});

describe('a login in a sandbox, where a home is not seen', () => {
  test.each<[AgentName, Record<string, string>, 'warn' | 'ok' | undefined]>([
    ['gemini', {}, 'warn'],
    ['gemini', { GEMINI_API_KEY: '' }, 'warn'],
    ['gemini', { GEMINI_API_KEY: 'k' }, undefined],
    ['gemini', { ANTHROPIC_API_KEY: 'k' }, 'warn'],
    ['qwen', { OPENAI_API_KEY: 'k' }, undefined],
    ['copilot', { GH_TOKEN: 't' }, undefined],
    ['opencode', { ANTHROPIC_API_KEY: 'k' }, undefined],
    ['kimi', { OPENCODE_MODEL: 'm' }, 'warn'],
    ['codex', {}, 'warn'],
    ['codex', { CODEX_API_KEY: 'k' }, 'ok'],
  ])('of %s by %j: %s', (name, env, state) => {
    const where = { env, home: '/none', platform: 'linux', uid: 1, isInside: true };
    expect(adapterOf(config, name).examineLogin?.(config, where)?.state).toBe(state);
    const outside = adapterOf(config, name).examineLogin?.(config, { ...where, isInside: false })?.state;
    expect(outside).toBe(name === 'codex' ? state : undefined);
  });
});

/** How full the context was, as a session's record tells a restart. */
test.each<[AgentName, string, object[], number | undefined]>([
  ['codex', 'has not begun', [{ method: 'turn/started', params: {} }], undefined],
  ['codex', 'has begun', [codexItem], 0],
  ['codex', 'has told', [codexItem, codexUsage, codexItem], 77],
  ['opencode', 'has begun', [acpUpdate({ sessionUpdate: 'agent_thought_chunk' })], 0],
  ['opencode', 'has told', [acpUpdate({ sessionUpdate: 'usage_update', used: 9 })], 9],
])('of a session of %s that %s the record is read', (name, _, lines, tokens) => {
  using world = makeWorld();
  const file = world.write('1.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(readContextTokens(shippedAgent(config, undefined, name), file)).toBe(tokens);
});

/** Whose dollars, and whose tokens, can be added up. */
const tellers: Readonly<Record<'cost' | 'tokens', readonly AgentName[]>> = {
  cost: ['claude'],
  tokens: ['claude', 'codex', 'gemini'],
};
test.each(agentNames)('%s is refused a budget that it could not be held to', (name) => {
  const agent = shippedAgent(config, undefined, name);
  for (const budget of ['cost', 'tokens'] as const) {
    const caps = { settings: [{ budget, cap: 1, from: 'test' }], asked: [] };
    const refusal = expect(() => refuseBlind(agent, { id: '1' }, caps));
    if (tellers[budget].includes(name)) refusal.not.toThrow();
    else refusal.toThrow(`cannot be enforced: the agent ${name} does not report`);
  }
});

test('a session inside a session: the variables of the outer one go, logins and folders stay', () => {
  const kept = { CLAUDE_CODE_OAUTH_TOKEN: 't', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/d', A: '1' };
  const outer = { CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_PID: '7', CODEX_THREAD_ID: 'x' };
  expect(childEnvironment({ ...kept, ...outer }, { drop: outerVariables })).toEqual(kept);
});

test.each([
  ['ANTHROPIC_API_KEY', true],
  ['CLAUDE_CODE_USE_BEDROCK', true],
  ['AWS_REGION', true],
  ['OPENAI_API_KEY', true],
  ['DISABLE_TELEMETRY', true],
  ['CLAUDE_CONFIG_DIR', false],
  ['GITHUB_TOKEN', false],
])('%s is an agent’s own: %s', (name, isOwn) => expect(isAgentVariable(name)).toBe(isOwn));
