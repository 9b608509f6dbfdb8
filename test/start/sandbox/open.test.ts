// What a run's sandbox may reach follows from its agents: that of the settings, and later ones.
import { expect, test } from 'vitest';
import { shippedAgent } from '../../../src/agent/agents.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { childEnvironment } from '../../../src/process/environment.ts';
import { mayReach } from '../../../src/sandbox/egress.ts';
import { passthroughEnvironment } from '../../../src/sandbox/env-passthrough.ts';
import { admitting, reachOf } from '../../../src/start/sandbox/open.ts';

type Given = Readonly<{ settings?: object; env?: Record<string, string> }>;

const reach = ({ settings = {}, env = {} }: Given) =>
  reachOf({ run: { config: configSchema.parse(settings) }, env });

const claude = 'api.anthropic.com';
const codex = ['api.openai.com', 'chatgpt.com', 'auth.openai.com'];
const [own, gate] = ['a.example.com', 'gate.example.com'];

test.each<[string, Given, readonly string[]]>([
  ['the settings', {}, [claude]],
  ['the settings, another', { settings: { agent: { name: 'codex' } } }, codex],
  ['the user’s list', { settings: { sandbox: { allow: ['a.example.com'] } } }, [claude, own]],
  [
    'a variable that only the inside has',
    { settings: { sandbox: { env: ['ANTHROPIC_BASE_URL=https://gate.example.com'] } } },
    [gate],
  ],
])('of %s', (_, given, wanted) => {
  const { egress } = reach(given);
  expect([claude, ...codex, own, gate].filter((host) => mayReach(egress, host, 443))).toEqual(wanted);
});

const logins = { ANTHROPIC_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 'k', OPENAI_API_KEY: 'k', GH_TOKEN: 'k' };
const cloud = { CLAUDE_CODE_USE_BEDROCK: '1' };
const all = Object.keys(logins);

test.each<[agent: string, Given, readonly string[]]>([
  ['claude', {}, ['ANTHROPIC_API_KEY']],
  ['claude', { env: cloud }, ['ANTHROPIC_API_KEY', 'AWS_SECRET_ACCESS_KEY']],
  ['claude', { settings: { sandbox: { env: ['GH_TOKEN'] } } }, ['ANTHROPIC_API_KEY', 'GH_TOKEN']],
  ['work', { settings: { agents: { work: { use: 'codex', env: {} } } } }, ['OPENAI_API_KEY']],
  ['copilot', {}, ['GH_TOKEN']],
  ['opencode', {}, all],
  ['script', {}, all],
])('a session of %s, %j, gets %j', (name, { settings = {}, env }, wanted) => {
  const given = { ...logins, ...env };
  const config = configSchema.parse(settings);
  const agent = admitting(
    { agentNamed: (named) => shippedAgent(config, undefined, named, '/a.sh'), emit: () => {} },
    reachOf({ run: { config }, env: given }),
  )(name);
  const { env: set } = agent.command({ trusted: true, promptFile: '/p' });
  // What checks get, too.
  const base = passthroughEnvironment(given, config.sandbox.env);
  const seen = Object.keys(childEnvironment(base, { set }));
  expect(all.filter((one) => seen.includes(one))).toEqual(wanted);
});

test('an agent that is asked for later is let through, and told once', () => {
  const later = reach({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:4001' } });
  expect(mayReach(later.egress, '127.0.0.1', 4001)).toBe(false);
  // Its port has to be there inside from the start.
  expect(later.ports).toEqual([4001]);
  const told: string[] = [];
  const agentNamed = admitting(
    {
      agentNamed: (name = 'claude', script) => shippedAgent(configSchema.parse({}), undefined, name, script),
      emit: (event) => told.push(event.type === 'noticed' ? event.text : event.type),
    },
    later,
  );
  for (const name of [undefined, 'codex', 'codex']) agentNamed(name);
  expect(told).toEqual(['for the agent codex the sandbox reaches 127.0.0.1:4001 too']);
  expect(mayReach(later.egress, '127.0.0.1', 4001)).toBe(true);
  expect(later.egress.loopbackPorts).toEqual([4001]);
});
