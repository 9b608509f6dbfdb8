import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { judgeSessions, purposesOf } from '../../src/start/judge-sessions.ts';
import { eachWorld } from '../cli/world.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const world = eachWorld();

function judge(settings: object): void {
  const config = configSchema.parse(settings);
  const library = [path.join(world.cwd, '.pawl/templates'), shipped];
  const { env } = world.context();
  judgeSessions({ library, config, root: world.cwd, env }, purposesOf(config));
}

const firstStage = { review: { stages: ['first'] } };
const reviewed = (stage: object) => ({ review: { stages: [{ name: 'x', ...stage }] } });

test.each<[RegExp, Readonly<Record<string, string>>, object]>([
  [/^there is no reviewer nope$/, {}, reviewed({ reviewers: ['nope'] })],
  [/script of the review stage x .* was not found/, {}, reviewed({ script: './r.sh' })],
  [/is not executable/, { 'r.sh': '#!/bin/sh\n' }, reviewed({ script: './r.sh' })],
  [/no-such-program was not found/, {}, reviewed({ script: 'no-such-program' })],
  [/fix\.md:1: \{\{X\}\}/, { 'prompts/fix.md': '{{X}}\n' }, reviewed({ reviewers: ['quality'] })],
  [/finalize\.md:1: \{\{X\}\}/, { 'prompts/finalize.md': '{{X}}\n' }, { finalize: { prompt: 'x' } }],
  [/first\.txt:1: there is no reviewer a/, { 'prompts/review_first.txt': '{{agent:a}}\n' }, firstStage],
])('refused before the first session: %s', (wanted, files, settings) => {
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
