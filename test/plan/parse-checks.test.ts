import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';

const read = (text: string) => {
  const plan = parsePlan(text, 'x.md');
  const notes = plan.notes.map(({ rule, severity, place }) => `${severity} ${rule} ${place.line}`);
  return { checks: plan.checks, commands: plan.checks.map(({ command }) => command), notes };
};

describe('plan checks', () => {
  test('28 a list, a fenced block and prose', () => {
    const text = [
      '## Validation Commands',
      'Run these:',
      '- `npm test`',
      '- `npm run e2e` (at end)',
      '',
      '```sh',
      'set -e',
      'npm run lint',
      '```',
      '',
      'Thanks.',
      '## Notes',
      '- `not this`',
    ].join('\n');
    const { checks, notes } = read(text);
    expect(checks.map(({ id, scope, command, atEnd }) => [id, scope, command, atEnd])).toEqual([
      ['plan:1', 'plan', 'npm test', false],
      ['plan:2', 'plan', 'npm run e2e', true],
      ['plan:3', 'plan', 'set -e\nnpm run lint', false],
    ]);
    expect(checks.map(({ place }) => place.line)).toEqual([3, 4, 6]);
    expect(notes).toEqual(['warning no-command 2', 'warning no-command 11']);
  });

  test.each([
    ['the alias', '## Checks\n- `a`', ['a']],
    ['two sections', '## Checks\n- `a`\n## B\n## Validation Commands\n- `b`', ['a', 'b']],
    ['behind the tasks', '### Task 1: t\n- [x] s\n## Checks\n- `a`', ['a']],
    ['a subsection', '## Checks\n### Backend\n- `a`\n', ['a']],
    ['up to a task', '## Checks\n- `a`\n### Task 1: t\n- `b`\n', ['a']],
    ['a label over a list', '## Checks\n- Backend\n  - `a`\n', ['a']],
    ['a label over a fence', '## Checks\n- Backend\n  ```\n  a\n  ```\n', ['a']],
    ['a fence as an item', '## Checks\n- ```sh\n  a\n  ```\n', ['a']],
    ['a fence without a language', '## Checks\n```\na\n```\n', ['a']],
    ['a fence with CRLF', '## Checks\r\n```sh\r\na\r\nb\r\n```\r\n', ['a\nb']],
    ['one with a description', '## Checks\n- `a` - runs `b`\n', ['a']],
    ['one with backticks inside', '## Checks\n- ``echo `a` ``\n', ['echo `a`']],
    ['a comment between', '## Checks\n<!-- `x` -->\n- `a`\n\n---\n', ['a']],
  ])('%s', (_, text, commands) => {
    const found = read(text);
    expect([found.commands, found.notes]).toEqual([commands, []]);
  });

  test.each([
    ['an item without backticks', '## Checks\n- npm test\n', [], ['warning no-command 2']],
    ['a command that does not come first', '## Checks\n- run `a`\n', [], ['warning no-command 2']],
    ['a fence in another language', '## Checks\n```python\na\n```\n', [], ['warning no-command 2']],
    ['indented code', '## Checks\n\n    npm test\n', [], ['warning no-command 3']],
    ['many items are told once', '## Checks\n- npm test\n- `a`\n- b\n- c\n', ['a'], ['warning no-command 2']],
    ['a quote', '## Checks\n> - `a`\n', [], ['warning no-command 2']],
    ['an empty fence', '## Checks\n```sh\n# nothing\n\n```\n', [], ['error empty-check 2']],
    [
      'a boxed command is a check, and its box is linted',
      '## Checks\n- [ ] `a`\n',
      ['a'],
      ['warning step-outside-task 2'],
    ],
    ['a second command on the line', '## Checks\n- `a`, `b`\n', ['a'], ['warning check-words 2']],
  ])('%s', (_, text, commands, notes) => {
    const found = read(text);
    expect([found.commands, found.notes.toSorted()]).toEqual([commands, notes]);
  });

  test.each([
    [
      '- npm test\n- all is well',
      '`npm test` is not written as a command, so it is not a check: put it in backticks, as "- `npm test`", or in a fenced `sh` block',
    ],
    [
      '- all is well',
      'a line that does not begin with a command in backticks in the checks section is not a check: write "- `command`" or a fenced `sh` block, or move it elsewhere',
    ],
  ])('words for %j', (body, message) => {
    expect(parsePlan(`## Checks\n\n${body}\n`, 'p.md').notes).toMatchObject([{ message }]);
  });

  test.each([
    ['- `a` (known red)', { atEnd: false, knownRed: true }],
    ['- `a` (at end) (known red)', { atEnd: true, knownRed: true }],
    ['- check numbers: `a` (known red)', { name: 'numbers', atEnd: false, knownRed: true }],
    ['```sh (at end)\na\n```', { atEnd: true, knownRed: false }],
    ['```(at end)\na\n```', { atEnd: true, knownRed: false }],
  ])('suffix of %j', (body, expected) => {
    expect(read(`## Checks\n${body}\n`).checks).toMatchObject([{ command: 'a', ...expected }]);
  });
});
