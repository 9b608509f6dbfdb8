// The planner's prompt as it is shipped: what it shows as an example is what pawl takes, without a note.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseBlock } from '../../src/agent/marker.ts';
import { findLacks } from '../../src/plan/draft.ts';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { parseQuestion } from '../../src/plan/question.ts';
import { startPrompt } from '../../src/prompt/dialogue-prompts.ts';

const file = path.resolve(import.meta.dirname, '../../templates/prompts/plan.md');
const text = readFileSync(file, 'utf8');
const promptWith = (checks: readonly string[]) => {
  const common = { ROOT: '/copy', NONCE: '12ab', NOTES: '' };
  return startPrompt({ name: 'plan', file, text }, common, { request: 'R', checks, dialogue: '' });
};
const prompt = promptWith([]);

test('its plan is taken without a note, and lacks nothing', () => {
  const [, example = ''] = /^```markdown\n([\s\S]*?)^```$/m.exec(prompt) ?? [];
  const plan = parsePlan(example, 'p.md');
  expect(plan.tasks.map(({ id, checks, steps }) => [id, checks.length, steps.length])).toEqual([
    ['1', 1, 3],
    ['2', 1, 4],
  ]);
  // Every task says what it needs and what it changes, so that a draft of this form allows several at once.
  expect(plan.tasks.map(({ depends, files }) => [depends, files.length > 0])).toEqual([
    [[], true],
    [['1'], true],
  ]);
  expect(lintPlan(plan)).toEqual([]);
  expect(findLacks(plan)).toEqual([]);
});

test('its question is read, with the option that it would take', () => {
  const upTo = prompt.slice(0, prompt.indexOf('<<<PAWL:END 12ab>>>') + '<<<PAWL:END 12ab>>>'.length);
  const block = parseBlock(upTo, 'QUESTION', '12ab');
  const question = parseQuestion(block && 'text' in block ? block.text : '');
  expect(question).toMatchObject({
    value: { header: 'Cache', options: [{ recommended: true, why: expect.any(String) }, {}] },
  });
});

test('an agent that echoes it has given no draft', () => {
  expect(parseBlock(prompt, 'PLAN_DRAFT', '12ab')).toMatchObject({ problem: expect.any(String) });
});

test.each([
  ['none', [], 'So far no command runs for every task: name those under `## Validation Commands`.'],
  ['some', ['npm test'], 'unless the plan has its own under `## Validation Commands`:\n\n- `npm test`\n'],
])('it names the checks that run without the plan: %s', (_, checks, words) => {
  expect(promptWith(checks)).toContain(words);
});
