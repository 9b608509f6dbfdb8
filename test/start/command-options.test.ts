// Which model, effort and agent a planner gets: by its role, over the agent's own, from every layer; `--model` of `pawl plan`
// is the planner's and leaves who carries the plan out as they are.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { loadConfig } from '../../src/config/load.ts';
import { readModel } from '../../src/config/schema.ts';
import { planOptions } from '../../src/start/command-options.ts';
import { readFlags } from '../../src/start/load-settings.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

type Layers = Readonly<{ file?: string; env?: Record<string, string>; options?: Record<string, unknown> }>;

const strong = 'roles: { plan: "opus:high", task: haiku }\n';

test.each<[string, Layers, object]>([
  ['none is asked for', {}, { plan: {}, task: {}, agent: 'claude' }],
  [
    'one line makes a strong planner and a cheap executor',
    { file: strong },
    { plan: { model: 'opus', effort: 'high' }, task: { model: 'haiku' } },
  ],
  ['an effort alone', { file: 'roles: { plan: ":high" }\n' }, { plan: { effort: 'high' } }],
  [
    'the environment goes over the file',
    { file: strong, env: { PAWL_ROLES_PLAN: 'sonnet' } },
    { plan: { model: 'sonnet' }, task: { model: 'haiku' } },
  ],
  [
    '--model goes over both, for the planner alone',
    { file: strong, env: { PAWL_ROLES_PLAN: 'sonnet' }, options: { model: 'fable:low' } },
    { plan: { model: 'fable', effort: 'low' }, task: { model: 'haiku' } },
  ],
  ['another agent', { options: { agent: 'codex' } }, { agent: 'codex' }],
])('%s', async (_, { file, env = {}, options = {} }, expected) => {
  using top = makeTempFolder();
  mkdirSync(path.join(top.path, '.pawl'));
  if (file !== undefined) writeFileSync(path.join(top.path, '.pawl', 'config.yaml'), file);
  const { config } = loadConfig({
    root: top.path,
    env,
    folders: findFolders({}, path.join(top.path, 'home')),
    trusted: true,
    flags: readFlags(options, planOptions),
  });
  const { roles, agent } = config;
  const found = { plan: readModel(roles.plan), task: readModel(roles.task), agent: agent.name };
  expect(found).toEqual({ ...found, ...expected });
});
