// A plan made in a dialogue: a request becomes questions, answers, drafts and a file. What a planner writes elsewhere changes
// nothing, and no draft is lost.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../../src/demo/script.ts';
import { factsOf, makeScene, tell } from '../helpers/pawl.ts';
import { readRun } from '../helpers/story.ts';

const question = (value: unknown): Step => ({
  say: `I looked.\n\n<<<PAWL:QUESTION {{nonce}}>>>\n${JSON.stringify(value)}\n<<<PAWL:END {{nonce}}>>>`,
});
const draft = (text: string): Step => ({
  say: `Here it is.\n\n<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${text}<<<PAWL:END {{nonce}}>>>`,
});
const store = {
  question: 'Where are sessions kept?',
  options: [{ label: 'Redis', why: 'it is there', recommended: true }, { label: 'Memory' }],
};
const days = { question: 'For how many days?', options: ['1', '30'] };

const good = `# Plan: Add sessions

## Overview
People stay logged in.

### Task 1: Keep them
- check: \`grep -qx kept kept.txt\`
- [ ] Keep them
`;
const bad = good.replace('### Task 1:', '### Task 1');
const vacuous = good.replace('grep -qx kept kept.txt', 'test -f README.md');

const starts = (...steps: readonly Step[]): Turn => ({ when: 'What is wanted', once: true, steps });
const on = (when: string, ...steps: readonly Step[]): Turn => ({ when, steps });

test('questions, a draft that is corrected before anybody sees it, and a file, with nobody there', async () => {
  await using scene = await makeScene({
    turns: [
      starts({ bash: 'echo mine > planner.txt' }, question(store)),
      on('Where are sessions kept', question(days)),
      on('For how many days', draft(bad)),
      on('near-miss-heading', draft(vacuous)),
      on('passes before any work', draft(good)),
    ],
  });
  await scene.repo.write('answers.yaml', 'sessions kept: Memory\n');
  const ended = await scene.pawl(
    'plan',
    'Add sessions',
    '--answers',
    'answers.yaml',
    '--yes',
    '--json',
    '--trust',
  );
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'question-answered').map(({ answer, by }) => `${by}: ${answer}`)).toEqual([
    'file: Memory',
    'default: 1',
  ]);
  expect(factsOf(ended, 'session-started').map(({ role }) => role)).toEqual(['plan']);
  expect(factsOf(ended, 'check-ended').map(({ command, result }) => `${command}: ${result}`)).toEqual([
    'test -f README.md: green',
    'grep -qx kept kept.txt: red',
  ]);
  expect(factsOf(ended, 'planner-corrected').map(({ what }) => what)).toEqual(['draft', 'checks']);
  const to = factsOf(ended, 'plan-written')[0]?.to ?? '';
  expect(to).toMatch(/^docs\/plans\/\d{4}-\d\d-\d\d-add-sessions\.md$/);
  expect(await scene.repo.read(to)).toBe(good);
  expect(await readRun(scene, 'draft-001.md')).toBe(bad);
  expect(await scene.repo.exists('planner.txt')).toBe(false);
  expect(await scene.repo.git('status', '--porcelain')).toBe('?? answers.yaml\n?? docs/');
});
