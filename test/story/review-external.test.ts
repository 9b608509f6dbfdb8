// Reviewers from outside in whole runs: the real codex CLI on the scripted Responses API, and scripts. What they find is
// fixed as any reviewer's; one that fails or is not there is named as what it is, and what others read says so, too.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeCodexHome } from '../helpers/codex-home.ts';
import { startOpenModel } from '../helpers/open-model.ts';
import { expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewOf } from '../helpers/review.ts';
import { inSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

/** An executable that reviews. */
async function writeScript(folder: string, name: string, body: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}

async function read(scene: Scene, ...args: readonly string[]): Promise<string> {
  const shown = await expectExit(0, scene.pawl(...args));
  return shown.stdout;
}

test('codex finds, the fixer fixes, codex is content; a script notes something mild', async () => {
  using folder = makeTempFolder();
  const script = await writeScript(
    folder.path,
    'review.sh',
    `grep -q 'right' "$1" && cat >/dev/null && grep -qx right src/word.txt && echo '[note] src/word.txt:1 - short'`,
  );
  const first = [{ bash: 'cat src/word.txt' }, { bash: 'echo codex > src/word.txt' }];
  await using model = await startOpenModel({
    turns: [
      { once: true, steps: [...first, { answer: { findings: [complaint()] } }] },
      { steps: [{ bash: 'cat src/README.md' }, { answer: { findings: [] } }] },
    ],
  });
  await using home = await makeCodexHome(model.url);
  await using scene = await makeReview({
    stages: `[{name: external, reviewers: [external], agent: codex}, {name: own, script: ${script}}]`,
    turns: [fixer([{ bash: 'echo "# right is the word" > src/README.md' }, answersTo({ F1: true })])],
    env: { ...home.login, PAWL_AGENT_CODEX_COMMAND: home.program },
  });
  const ended = await expectExit(0, scene.run());
  expect(reviewOf(ended)).toEqual([
    ...['external 1', 'external: F1', 'F1 fixed', 'fixer: committed'],
    ...['external 2', 'external: nothing', 'external ended clean'],
    ...['own 1', 'script: F2', 'own ended clean'],
  ]);
  expect(factsOf(ended, 'session-started').map(({ role, agent }) => `${role} ${agent}`)).toEqual([
    ...['task claude', 'review codex', 'fix claude', 'review codex', 'review script'],
  ]);
  expect(await scene.repo.read('src/word.txt')).toBe('right\n');

  const sarif = JSON.parse(await read(scene, 'report', '--sarif'));
  expect(sarif.runs[0]).toMatchObject({
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    results: [{ ruleId: 'script', level: 'note' }],
  });
  const receipt = await read(scene, 'report');
  expect(receipt).toContain('## Review: 1 fixed, 1 opinion for you\n\n- external: clean after 2 rounds');
  expect(receipt).toContain('- Open: F2 note `src/word.txt:1` short');
});

inSoak('a script that fails is no answer; a codex that is not there is passed over', async () => {
  using folder = makeTempFolder();
  const script = await writeScript(folder.path, 'review.sh', 'echo "NO ISSUES FOUND"; exit 1');
  await using scene = await makeReview({
    stages: `[{name: own, script: ${script}}, {name: external, reviewers: [external], agent: codex, optional: true}]`,
    turns: [],
    env: { PAWL_AGENT_CODEX_COMMAND: path.join(folder.path, 'codex') },
  });
  const ended = await expectExit(4, scene.run());
  expect(reviewOf(ended)).toEqual([
    ...['own 1', 'script is missing, again', 'script is missing', 'own ended incomplete'],
    ...['external 1', 'external ended skipped'],
  ]);
  expect(await read(scene, 'report')).toMatch(/^\*\*REVIEW NOT CLEAN: own incomplete\*\*/);
});
