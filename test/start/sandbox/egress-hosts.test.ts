// What a run's sandbox may reach follows from the agents it may start: those of settings, stages, tasks, and later ones.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { shippedAgent } from '../../../src/agent/agents.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { mayReach } from '../../../src/sandbox/egress.ts';
import { admitting, reachOf } from '../../../src/start/sandbox/egress-hosts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

type Given = Readonly<{ settings?: object; plan?: string; env?: Record<string, string> }>;

function reach({ settings = {}, plan, env = {} }: Given) {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'plan.md');
  if (plan !== undefined) writeFileSync(file, `# Plan: A\n\n### Task 1: A\n${plan}- [ ] A\n`);
  return reachOf({
    run: { config: configSchema.parse(settings), options: { tasksOnly: false, takeEdits: false } },
    env,
    plan: { file, name: 'plan.md', tracked: true },
  });
}

const claude = 'api.anthropic.com:443';
const codex = ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'];

test.each<[string, Given, readonly string[]]>([
  ['the settings', {}, [claude]],
  ['the settings, another', { settings: { agent: { name: 'codex' } } }, codex],
  ['a stage', { settings: { review: { stages: ['first', 'external'] } } }, [claude, ...codex]],
  [
    'a stage’s own program',
    {
      settings: { review: { stages: [{ name: 'own', script: './x' }] } },
      env: { OPENAI_BASE_URL: 'http://gate' },
    },
    [claude, 'gate:80'],
  ],
  ['a task', { plan: '- agent: codex\n' }, [claude, ...codex]],
  ['the user’s list', { settings: { sandbox: { allow: ['a.example.com'] } } }, [claude, 'a.example.com']],
  [
    'a variable that only the inside has',
    { settings: { sandbox: { env: ['ANTHROPIC_BASE_URL=https://gate.example.com'] } } },
    ['gate.example.com:443'],
  ],
  ['a plan that names an unknown agent', { plan: '- agent: nobody\n' }, [claude]],
])('of %s', (_, given, wanted) => expect(reach(given).hosts).toEqual(wanted));

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
  expect(later.hosts).toEqual([claude, '127.0.0.1:4001']);
});
