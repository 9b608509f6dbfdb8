// Shapes of plans that ralphex runs, in texts of our own, read as its parser reads them: which headings are tasks, where each
// ends, and which boxes are its own. ralphex reads lines (pkg/plan/parse.go of c36bfdc), pawl reads markdown.
import { expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';

/** Tasks as `1[x,-]`; of a task without boxes ralphex has none, and pawl its title. */
const read = (text: string) =>
  parsePlan(text, 'plan.md').tasks.map(({ id, steps }) => {
    const boxes = steps.filter(({ implicit }) => !implicit).map(({ ticked }) => (ticked ? 'x' : '-'));
    return `${id}[${boxes.join(',')}]`;
  });

const fence = '```';

test.each<[string, string, string[]]>([
  [
    'a title, an overview, two tasks',
    '# Plan: A\n\n## Overview\nWhy.\n\n### Task 1: a\n- [ ] b\n- [x] c\n\n### Task 2: d\n- [ ] e\n',
    ['1[-,x]', '2[-]'],
  ],
  ['Iteration', '# A\n\n### Iteration 1: a\n- [x] b\n\n### Iteration 2: c\n- [ ] d\n', ['1[x]', '2[-]']],
  ['no boxes', '# A\n\n### Task 1: a\nProse.\n\n### Task 2: b\n- [ ] c\n', ['1[]', '2[-]']],
  ['a capital X', '### Task 1: a\n- [X] b\n- [x] c\n', ['1[x,x]']],
  ['boxes before the first task', '# A\n\n- [ ] b\n\n### Task 1: c\n- [ ] d\n', ['1[-]']],
  ['a ## section ends a task', '### Task 1: a\n- [x] b\n\n## Success criteria\n- [ ] c\n', ['1[x]']],
  ['a # section ends a task', '# A\n\n### Task 1: a\n- [x] b\n\n# Overview\n- [ ] c\n', ['1[x]']],
  [
    'a ### section does not',
    '# A\n\n### Task 1: a\n\n### Steps\n- [ ] b\n\n### Notes\n- [x] c\n\n### Task 2: d\n- [ ] e\n',
    ['1[-,x]', '2[-]'],
  ],
  ['nor does a #### one', '### Task 1: a\n- [ ] b\n\n#### More\n- [ ] c\n', ['1[-,-]']],
  [
    'a section between tasks',
    '### Task 1: a\n- [x] b\n\n## Phase two\nWords.\n\n### Task 2: c\n- [ ] d\n',
    ['1[x]', '2[-]'],
  ],
  [
    'numbers put in between',
    '### Task 2: a\n- [x] b\n\n### Task 2.5: c\n- [ ] d\n\n### Task 2a: e\n- [ ] f\n',
    ['2[x]', '2.5[-]', '2a[-]'],
  ],
  ['a letter for a number', '### Task A: a\n- [ ] b\n', ['A[-]']],
  ['boxes below boxes', '### Task 1: a\n- [ ] b\n  - [ ] c\n    - [x] d\n', ['1[-,-,x]']],
  ['brackets in a box', '### Task 1: a\n- [ ] write `- [ ] x` lines\n- [x] a string[]\n', ['1[-,x]']],
  [
    'a fence below a number',
    `### Task 1: a\n\n3. Write the file:\n\n   ${fence}markdown\n   ## Test plan\n   - [ ] no\n   ${fence}\n\n- [x] b\n`,
    ['1[x]'],
  ],
  ['a tilde fence', '### Task 1: a\n~~~markdown\n- [ ] no\n~~~\n\n- [x] b\n', ['1[x]']],
  [
    'several fences',
    `### Task 1: a\n${fence}\n- [ ] no\n${fence}\n\n- [x] b\n\n${fence}bash\n- [ ] no\n${fence}\n\n- [ ] c\n`,
    ['1[x,-]'],
  ],
  ['a fence without an end', `### Task 1: a\n- [x] b\n\n${fence}\n- [ ] no\n\n### Task 2: no\n`, ['1[x]']],
  ['code within a line', '### Task 1: a\n- [x] run ```make``` twice\n- [ ] b\n', ['1[x,-]']],
  [
    'a fence of four',
    `### Task 1: a\n${fence}\`markdown\n${fence}\n- [ ] no\n${fence}\n${fence}\`\n\n- [x] b\n`,
    ['1[x]'],
  ],
  [
    'a fence that opens in a fence',
    `### Task 1: a\n${fence}markdown\n- [ ] no\n${fence}go\n- [ ] no\n${fence}\n\n- [x] b\n`,
    ['1[x]'],
  ],
  [
    'a task heading in a fence',
    `### Task 1: a\n${fence}markdown\n### Task 2: no\n- [ ] no\n${fence}\n- [ ] b\n`,
    ['1[-]'],
  ],
  ['Windows line ends', '# A\r\n\r\n### Task 1: a\r\n- [ ] b\r\n\r\n## End\r\n- [ ] c\r\n', ['1[-]']],
  [
    'a rule above the title',
    '---\n# A\n\n## Overview\n- why: so\n\n### Task 1: a\n- [x] b\n\n---\n\n### Task 2: c\n- [ ] d\n',
    ['1[x]', '2[-]'],
  ],
  [
    'files, snippets and checks',
    '## Validation Commands\n- `go test ./...`\n\n### Task 1: a\n\n**Files:**\n- Modify: `Makefile`\n- Verify: `ci.yml`\n\n- [ ] b\n- [ ] run tests, must pass\n',
    ['1[-,-]'],
  ],
  [
    'boxes right below HTML',
    '### Task 1: a\n<details>\n<summary>More</summary>\n- [ ] b\n</details>\n- [x] c\n',
    ['1[-,x]'],
  ],
])('%s', (_, text, tasks) => {
  expect(read(text)).toEqual(tasks);
});

test('one number twice is two tasks, told apart', () => {
  const plan = parsePlan('### Task 3: a\n- [ ] b\n\n### Task 3: c\n- [ ] d\n', 'plan.md');
  expect(plan.tasks.map(({ id, title }) => `${id} ${title}`)).toEqual(['3 a', '3-2 c']);
  expect(plan.notes.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(['warning duplicate-id']);
});
