import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { readStages } from '../../src/config/stages.ts';
import { judgeSessions, purposesOf } from '../../src/start/judge-sessions.ts';
import { eachWorld } from '../cli/world.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const world = eachWorld();

function judge(settings: object): void {
  const config = configSchema.parse(settings);
  const stages = readStages(config.review.stages);
  const library = [path.join(world.cwd, '.pawl/templates'), shipped];
  const { env } = world.context();
  judgeSessions({ library, config, stages, root: world.cwd, env }, purposesOf(config, { stages }));
}

const reviewed = (stage: object) => ({ review: { stages: [{ name: 'x', ...stage }] } });

test.each<[string, Readonly<Record<string, string>>, object, RegExp]>([
  ['an unknown reviewer', {}, reviewed({ reviewers: ['nope'] }), /^there is no reviewer nope$/],
  ['a missing script', {}, reviewed({ script: './r.sh' }), /script of the review stage x .* was not found/],
  ['a script that is none', { 'r.sh': '#!/bin/sh\n' }, reviewed({ script: './r.sh' }), /is not executable/],
  ['a missing program', {}, reviewed({ script: 'no-such-program' }), /no-such-program was not found/],
  [
    'an unknown name in fix.md',
    { 'prompts/fix.md': '{{X}}\n' },
    reviewed({ reviewers: ['quality'] }),
    /fix\.md:1: \{\{X\}\}/,
  ],
  [
    'an unknown name in finalize.md',
    { 'prompts/finalize.md': '{{X}}\n' },
    { finalize: { prompt: 'x' } },
    /finalize\.md:1: \{\{X\}\}/,
  ],
  [
    'an unknown agent of a stage’s prompt',
    { 'prompts/review_first.txt': '{{agent:nobody}}\n' },
    { review: { stages: ['first'] } },
    /review_first\.txt:1: there is no reviewer nobody/,
  ],
])('%s is refused before the first session', (_, files, settings, wanted) => {
  for (const [file, text] of Object.entries(files))
    world.write(file.includes('/') ? `.pawl/templates/${file}` : file, text);
  expect(() => judge(settings)).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringMatching(wanted) }),
  );
});

test('what can be used is not refused', () => {
  chmodSync(world.write('r.sh', '#!/bin/sh\n'), 0o755);
  world.write('.pawl/templates/reviewers/a.md', '---\nagent: code-reviewer\n---\nLook.\n');
  const stages = [
    { name: 'x', reviewers: ['a'] },
    { name: 'y', script: './r.sh' },
    { name: 'z', script: './gone', optional: true },
  ];
  judge({ review: { stages } });
});
