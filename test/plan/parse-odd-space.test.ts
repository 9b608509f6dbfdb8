// White space that is none to markdown or a shell is named wherever it hides a part of a plan.
import { expect, test } from 'vitest';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const found = (text: string) =>
  lintPlan(parsePlan(text, 'x.md')).flatMap(({ rule, severity, place }) =>
    rule === 'odd-space' ? [`${severity}:${place.line}`] : [],
  );
const task = '### Task 1: a\n- [ ] b\n';

test.each<[string, string, number]>([
  ['behind the marks of a heading', '###\u00A0Task 1: a\n- [ ] b\n', 1],
  ['in the name of a section', `${task}\n## Validation\u00A0Commands\n- \`make\`\n`, 4],
  ['of no width, at a section’s end', `${task}\n## Checks\u200B\n- \`make\`\n`, 4],
  ['behind the dash of an attribute', `${task}\n-\u00A0check: \`make\`\n`, 4],
  ['before an attribute', `${task}- \u2003check: \`make\`\n`, 3],
  ['of no width, in an attribute’s key', `${task}- che\u200Bck: \`make\`\n`, 3],
  ['behind the dash of a command', `## Checks\n-\u00A0\`make\`\n${task}`, 2],
  ['in a command', `${task}- check: \`make\u00A0test\`\n`, 3],
  ['of no width, in a command', `${task}- check: \`make te\u200Bst\`\n`, 3],
  ['in a plan’s command', `## Checks\n- \`make\u3000test\`\n${task}`, 2],
])('an error: %s', (_, text, line) => {
  expect(found(text)).toEqual([`error:${line}`]);
});

test.each([
  ['in prose', `${task}\nTwo\u00A0words, and\u200B more.\n`],
  ['in a title', '### Task 1: a\u00A0b\n- [ ] c\u00A0d\n'],
  ['in emoji of several parts', `${task}- check: \`grep 👩‍👩‍👧 a\`\n- ⚠️ check it\n`],
  ['in a fence that is no check', `${task}\n\`\`\`\n###\u00A0Task 2: b\n\`\`\`\n`],
])('not %s', (_, text) => expect(found(text)).toEqual([]));

test('in quotes it may be meant', () => {
  expect(found(`${task}- check: \`grep '\u00A0' a\`\n`)).toEqual(['warning:3']);
});

test('a check of the settings is found too, unless the plan has its own', () => {
  const rules = (text: string) =>
    lintPlan(parsePlan(text, 'x.md'), { checks: ['make\u00A0test'] }).map(({ rule }) => rule);
  expect(rules(task)).toContain('odd-space');
  expect(rules(`## Checks\n- \`make\`\n${task}`)).not.toContain('odd-space');
});
