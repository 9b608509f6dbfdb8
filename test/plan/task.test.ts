import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Task } from '../../src/plan/plan.ts';
import { isFolderInside } from '../../src/plan/task.ts';

const read = (body: string, id = '1') => {
  const plan = parsePlan(`### Task ${id}: a\n${body}`, 'x.md');
  const notes = plan.notes.map(({ rule, severity, place }) => `${severity} ${rule} ${place.line - 1}`);
  return { task: plan.tasks[0] as Task, notes };
};

describe('attributes', () => {
  test.each<[string, string, Partial<Task>]>([
    ['files', '- files: src/a.ts, `b c.ts`, src/{d,e}.ts', { files: ['src/a.ts', 'b c.ts', 'src/{d,e}.ts'] }],
    ['changes', '- changes: a.ts\n- files: b.ts', { files: ['a.ts', 'b.ts'] }],
    ['files in a list', '- files:\n  - `a.ts` (new)\n  - b.ts', { files: ['a.ts', 'b.ts'] }],
    ['files: none', '- files: none', { files: [] }],
    ['depends', '- depends: 1, 2a 2.5', { depends: ['1', '2a', '2.5'] }],
    ['depends in words', '- depends: Task 1 and #2', { depends: ['1', '2'] }],
    ['depends: none', '- depends: none', { depends: [] }],
    ['no depends', '- [ ] s', { depends: undefined }],
    ['exclusive', '- exclusive: true', { exclusive: true }],
    ['redefines', '- redefines: test/a.test.ts, test/b/', { redefines: ['test/a.test.ts', 'test/b/'] }],
    ['refactor', '- refactor: true', { refactor: true }],
    ['model', '- model: sonnet:high', { model: 'sonnet:high' }],
    ['agent', '- agent: `codex`', { agent: 'codex' }],
    ['tools', '- tools: Read, Bash(git add, git rm)', { tools: ['Read', 'Bash(git add, git rm)'] }],
    ['budget', '- budget: $2.50', { budget: '$2.50' }],
    ['timeout', '- timeout: 30m', { timeout: '30m' }],
    ['cwd', '- cwd: packages/api', { cwd: 'packages/api' }],
    ['a bold key', '- **cwd**: a\n- **model:** b', { cwd: 'a', model: 'b' }],
    ['another bullet', '* cwd: a', { cwd: 'a' }],
    ['below a step', '- [ ] s\n  - cwd: a', { cwd: 'a' }],
    ['below a subheading', '#### More\n- cwd: a', { cwd: 'a' }],
    [
      'criterion',
      '- criterion: it is\n  quick\n- Criterion: and small',
      { criteria: ['it is quick', 'and small'] },
    ],
  ])('%s', (_, body, expected) => {
    const { task, notes } = read(body);
    expect(task).toMatchObject(expected);
    expect(notes).toEqual([]);
  });

  test.each([
    ['a step is no attribute', '- [ ] cwd: a'],
    ['nor is a quote', '> - cwd: a'],
    ['nor is text', 'cwd: a'],
    ['nor is code', '```\n- cwd: a\n```'],
    ['nor is a link', '- cwd:a'],
  ])('%s', (_, body) => {
    const { task, notes } = read(body);
    expect(task.cwd).toBeUndefined();
    expect(notes).toEqual([]);
  });

  test.each([
    ['timeout: 0s', 'error attribute-value 1'],
    ['budget: 0.00', 'error attribute-value 1'],
    ['budget: 5 euros', 'error attribute-value 1'],
    ['timeout: 30', 'error attribute-value 1'],
    ['exclusive: yes', 'error attribute-value 1'],
    ['refactor: yes', 'error attribute-value 1'],
    ['refactor: the parser first', 'warning attribute-value 1'],
    ['exclusive: only for admins', 'warning attribute-value 1'],
    ['agent: -x', 'error attribute-value 1'],
    ['model: --flag', 'error attribute-value 1'],
    ['cwd: ../other', 'error attribute-value 1'],
    ['cwd: /etc', 'error attribute-value 1'],
    ['model:', 'error attribute-value 1'],
    ['model: a\n- model: b', 'error attribute-value 2'],
    ['depends:', 'error attribute-value 1'],
    ['files:', 'error attribute-value 1'],
    ['criterion:', 'error attribute-value 1'],
  ])('wrong value: %s', (item, note) => {
    expect(read(`- ${item}`).notes).toEqual([note]);
  });

  test.each([
    ['chekc: `a`', 'check'],
    ['acceptence: a', 'acceptance'],
    ['criteria: a', 'criterion'],
    ['file: a', 'files'],
    ['depend: 1', 'depends'],
    ['Cheks: a', 'check'],
  ])('a slip: %s', (item, meant) => {
    const plan = parsePlan(`### Task 1: a\n- ${item}\n`, 'x.md');
    expect(plan.notes).toMatchObject([
      { rule: 'attribute-typo', severity: 'warning', place: { line: 2, column: 3 } },
    ]);
    expect(plan.notes[0]?.message).toContain(`write \`${meant}:\``);
  });

  test.each([
    'Note: a',
    'Goals: a',
    'Code: a',
    'Fixes: #12',
    'Create: a',
    'Files: a',
    'Changes: a',
    'Move: a',
    'move: a',
    'mode: 0755',
    'Model: User has an id',
    'Budget: 2.50',
    'owner: me',
    'Modify: a',
    'Add: b',
    'TODO: c',
    'Out of scope: d',
    'https://a.b',
  ])('prose: %s', (item) => {
    expect(read(`- ${item}`).notes).toEqual([]);
  });
});

describe('what is prose in a plan of everyday words', () => {
  test.each(['model: the data model', 'agent: who calls it', 'timeout: short', 'budget: none yet'])(
    '%s, with a warning',
    (item) => {
      const { task, notes } = read(`- ${item}`);
      const { model, agent, timeout, budget } = task;
      expect([model, agent, timeout, budget].join('')).toBe('');
      expect(notes).toEqual(['warning attribute-value 1']);
    },
  );

  test.each([
    ['a file to look at', '- Verify: `.github/workflows/ci.yml`'],
    ['a file with a blank in its name', '- Check: `docs/My%20notes/a.txt` exists'],
    ['one with lines of it', '- Check: `src/a.ts:12-40` (the loop)'],
    ['several files', '- Verify: `src/**/*.ts`'],
    ['a member of an object', '- Check: `JSON.parse` is not called'],
    ['in a list of files', '**Files:**\n- Verify: `make test`\n- Check: `git status`'],
    ['in one that items show', '- Modify: `Makefile`\n- Verify: `bin/check`'],
    ['in one below an item', '- Files to change:\n  - Verify: `make`'],
  ])('a capital and %s', (_, body) => {
    const { task, notes } = read(body);
    expect([task.checks, task.criteria, notes]).toEqual([[], [], []]);
  });

  test.each([
    ['Verify: `make test`', 'make test'],
    ['Verify: `make`', 'make'],
    ['Check: `scripts/check.sh`', 'scripts/check.sh'],
    ['Check: `./verify.mjs`', './verify.mjs'],
    ['check: `src/a.ts`', 'src/a.ts'],
    ['Verify: `python3.11 -m pytest`', 'python3.11 -m pytest'],
  ])('but a command is a check: %s', (item, command) => {
    expect(read(`- ${item}`).task.checks.map((check) => check.command)).toEqual([command]);
  });
});

describe('task checks', () => {
  const commands = (task: Task) => task.checks.map(({ command }) => command);

  test('26 acceptance and check say the same', () => {
    const { task } = read('- acceptance: `pytest -q` exits 0\n- check: `pytest -q`\n- verify: `pytest -q`');
    const [first, ...rest] = task.checks.map(({ id, place, ...check }) => check);
    expect(first).toMatchObject({ scope: 'task', command: 'pytest -q', atEnd: false, knownRed: false });
    expect(rest).toEqual([first, first]);
    expect(task.checks.map(({ id }) => id)).toEqual(['task:1:1', 'task:1:2', 'task:1:3']);
    expect(task.criteria).toEqual([]);
  });

  test('27 acceptance without a command is a criterion', () => {
    const { task, notes } = read('- acceptance: looks right');
    expect([task.criteria, task.checks]).toEqual([['looks right'], []]);
    expect(notes).toEqual(['warning no-command 1']);
  });

  test.each([
    [
      'check with prose is an error, since it promises a command',
      '- check: looks right',
      ['error no-command 1'],
      ['looks right'],
    ],
    ['nothing behind the key', '- check:', ['error empty-check 1'], []],
    ['an empty code span', '- verify: ` `', ['error empty-check 1'], []],
    ['a comment only', '- verify: `# later`', ['error empty-check 1'], []],
  ])('%s', (_, body, expected, criteria) => {
    const { task, notes } = read(body);
    expect([notes, commands(task), task.criteria]).toEqual([expected, [], criteria]);
  });

  test.each([
    'exits 0',
    'exit 0.',
    'exits with code 0',
    'returns exit code 0',
    'passes',
    'must pass',
    'succeeds',
    'is green',
    '- all of it',
    '— all of it, `even` this',
    '(at end) (the slow one)',
    '# why',
  ])('words that change nothing: %s', (words) => {
    const { task, notes } = read(`- check: \`make\` ${words}`);
    expect([commands(task), notes, task.criteria]).toEqual([['make'], [], []]);
  });

  test.each(['exits 1', 'prints 3', 'and `more`', ', `more`', 'fails', 'passes twice'])(
    'words that claim more: %s',
    (words) => {
      const { task, notes } = read(`- check: \`make\` ${words}`);
      expect([commands(task), notes]).toEqual([['make'], ['warning check-words 1']]);
      expect(task.criteria).toEqual([`\`make\`${words.startsWith(',') ? ' ' : ' '}${words}`]);
    },
  );

  test.each([
    ['- check numbers: `make`', 'numbers', 'make'],
    ['- Check e2e:`make`', 'e2e', 'make'],
    ['- check: `make`', undefined, 'make'],
    ['- check the numbers: `make`', undefined, undefined],
    ['- check numbers: by hand', undefined, undefined],
  ])('the short name of %s', (line, name, command) => {
    const [check] = read(line).task.checks;
    expect([check?.name, check?.command]).toEqual([name, command]);
  });

  test.each([
    ['at end', { atEnd: true, knownRed: false }],
    ['known red', { atEnd: false, knownRed: true }],
    ['Known Red', { atEnd: false, knownRed: true }],
  ])('suffix (%s)', (words, expected) => {
    expect(read(`- check: \`make\` (${words})`).task.checks).toMatchObject([expected]);
  });

  test.each([
    ['a list below', '- check:\n  - `a`\n  - `b` exits 0', ['a', 'b']],
    ['a fenced block below', '- check:\n  ```sh\n  a\n  b\n  ```', ['a\nb']],
    ['a code span on the next line', '- check:\n  `a`', ['a']],
    ['a bold key', '- **check:** `a`', ['a']],
    ['backticks inside', '- check: ``echo `date` ``', ['echo `date`']],
    ['no blank before it', '- check:`a`', ['a']],
    ['over two lines', '- check: `a\n  b`', ['a b']],
    ['over two lines with CRLF', '- check: `a\r\n  b`', ['a b']],
  ])('command in %s', (_, body, expected) => {
    const { task, notes } = read(body);
    expect([commands(task), notes]).toEqual([expected, []]);
  });

  test('steps below a key stay steps', () => {
    const { task, notes } = read('- criterion: a\n- cwd: b\n  - [ ] c');
    expect(task.steps.map(({ text }) => text)).toEqual(['c']);
    expect(notes).toEqual([]);
  });

  test('a checks section inside a task is no silent nothing', () => {
    const { task, notes } = read('- [ ] s\n#### Validation Commands\n- `make`');
    expect(task.checks).toEqual([]);
    expect(notes).toEqual(['warning stray-checks 2']);
  });

  test.each([
    ['right below a step', '- [ ] s\nCheck: `make`', ['warning stray-checks 2']],
    ['indented below a step', '- [ ] s\n  verify: `make`', ['warning stray-checks 2']],
    ['a paragraph in bold', '- [ ] s\n\n**Acceptance:** `make`', ['warning stray-checks 3']],
    ['a file is none', '- [ ] s\n\nVerify: `ci.yml`', []],
    ['words are none', '- [ ] s\n\nVerify: by hand, with `make`', []],
  ])('a check that begins no list item is told: %s', (_, body, expected) => {
    const { task, notes } = read(body);
    expect([commands(task), notes]).toEqual([[], expected]);
  });
});

test.each([
  ['a', true],
  ['a/../b', true],
  ['.', true],
  ['..', false],
  ['a/../../b', false],
  ['/a', false],
  ['', false],
])('isFolderInside %s', (folder, inside) => {
  expect(isFolderInside(folder)).toBe(inside);
});
