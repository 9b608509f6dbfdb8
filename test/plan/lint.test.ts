import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import type { LintOptions, LintRule } from '../../src/plan/lint/rule.ts';
import { formatNote, lintPlan } from '../../src/plan/lint.ts';
import { programsOf } from '../../src/plan/missing.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const lint = (text: string, options?: LintOptions) =>
  lintPlan(parsePlan(text, 'x.md'), options).map(
    (note) => `${note.severity} ${note.rule} ${note.place.line}`,
  );
const missingIn = (text: string) => {
  const plan = parsePlan(text, 'x.md');
  return programsOf(plan, plan.checks);
};
const message = (text: string) => lintPlan(parsePlan(text, 'x.md'))[0]?.message;

describe('lintPlan', () => {
  const good = '## Checks\n- `a`\n### Task 1: a\n- [ ] s\n';
  const goodBut = (from: string, to: string) => good.replace(from, to);
  const goodWith = (line: string) => goodBut('- [ ] s', `${line}\n- [ ] s`);
  const bare = '### Task 1: a\n- [ ] s\n';
  const bareWith = (line: string) => bare.replace('- [ ] s', `${line}\n- [ ] s`);
  const nope = bareWith('- check: `nope x`');
  const bringsNope = nope.replace('1: a', '1: bring nope');
  const config = { checks: ['a'] };
  const submodules = ['vendor/sub'];
  const agents = ['a', 'b'];
  const green = new Set(['task:1:1', 'plan:1']);
  const unchecked = 'warning task-without-check';

  test.each<[string, string, string[], LintOptions?]>([
    ['a good plan', good, []],
    ['no tasks', '# a\n', ['error no-tasks 1']],
    ['one number twice', `${good}### Task 1: b\n- [ ] t\n`, ['warning duplicate-id 5']],
    [
      'one number twice, for which another task waits',
      `${good}### Task 1: b\n- [ ] t\n### Task 2: c\n- depends: 1\n- [ ] u\n`,
      ['warning duplicate-id 5', 'error duplicate-id 8'],
    ],
    ['a task without steps', goodBut('- [ ] s', ''), ['warning task-without-steps 3']],
    ['a task without a check', bare, [`${unchecked} 1`]],
    ['tasks that all are without a check, once', `${bare}${bare.replace('1', '2')}`, [`${unchecked} 1`]],
    [
      'tasks that all are without a box, once',
      '## Checks\n- `a`\n### Task 1: a\nOne.\n### Task 2: b\nTwo.\n',
      ['warning task-without-steps 3'],
    ],
    ['a closed task without a check', '### Task 1: a\n- [x] s\n', []],
    ['a submodule in words', goodWith('- [ ] Move `vendor/sub` on'), ['warning submodule 3'], { submodules }],
    [
      'a submodule’s file to change',
      goodWith('- files: ./vendor/sub/lib.c'),
      ['error submodule 3'],
      { submodules, strict: true },
    ],
    [
      'other folders, and a closed task',
      `${goodWith('- files: vendor/sub-two/*, my/vendor/sub\n- [ ] vendor/submit')}### Task 2: Move vendor/sub on\n- [x] s\n`,
      [],
      { submodules },
    ],
    ['an agent', goodWith('- agent: b'), [], { agents }],
    ['an agent that there is not', goodWith('- agent: c'), ['error attribute-value 3'], { agents }],
    ['checks of the configuration', bare, [], config],
    ['a check of the task', bareWith('- check: `a`'), []],
    ['a check of the task that waits for the end', bareWith('- check: `a` (at end)'), []],
    ['a plan check that waits for the end', goodBut('`a`', '`a` (at end)'), [`${unchecked} 3`]],
    [
      'a check of the plan that is none is told once, not at each task',
      `## Checks\n- npm test\n${bare}${bare.replace('1', '2')}`,
      ['warning no-command 2'],
    ],
    [
      'a check of a task that is none is told once, and at no other',
      `${bareWith('- check: npm test')}${bare.replace('1', '2')}`,
      ['error no-command 2', `${unchecked} 4`],
    ],
    [
      'what is none beside a check of the plan explains nothing',
      `## Checks\n- \`a\` (at end)\n- b\n${bare}`,
      ['warning no-command 3', `${unchecked} 4`],
    ],
    ['a check that is excused', goodBut('`a`', '`a` (known red)'), [`${unchecked} 3`]],
    [
      'the configuration does not help a plan with checks',
      goodBut('`a`', '`a` (at end)'),
      [`${unchecked} 3`],
      config,
    ],
    ['strict makes errors', bare, ['error task-without-check 1'], { strict: true }],
    ['a vacuous check', bareWith('- check: `a`'), ['warning vacuous-check 2'], { green }],
    ['a green check of a closed task', '### Task 1: a\n- check: `a`\n- [x] s\n', [], { green }],
    ['a green plan check', good, [], { green }],
    ['no such program', nope, ['warning no-program 2'], { missing: missingIn(nope) }],
    ['one that the task speaks of', bringsNope, [], { missing: missingIn(bringsNope) }],
    [
      'notes by place',
      `- [ ] a\n### task 1: a\n${bare}`,
      ['warning step-outside-task 1', 'error near-miss-heading 2', `${unchecked} 3`],
    ],
  ])('%s', (_, text, expected, options = {}) => {
    expect(lint(text, options)).toEqual(expected);
  });

  const tasks = (...depends: string[]) =>
    depends
      .map((ids, index) => `### Task ${index + 1}: a\n- depends: ${ids}\n- check: \`a\`\n- [ ] s\n`)
      .join('');

  test.each([
    ['a tree', tasks('none', '1', '1, 2'), []],
    ['itself', tasks('1'), ['error cyclic-depends 2']],
    ['a circle of two', tasks('2', '1'), ['error cyclic-depends 2']],
    ['a circle behind a task', tasks('2', '3', '2'), ['error cyclic-depends 6']],
    ['a circle in a circle', tasks('2, 3', '3', '1, 1'), ['error cyclic-depends 2']],
    ['two circles', tasks('2', '1', '4', '3'), ['error cyclic-depends 2', 'error cyclic-depends 10']],
    ['an unknown id', tasks('none', '7'), ['error unknown-depends 6']],
    ['two unknown ids', tasks('8, 9'), ['error unknown-depends 2', 'error unknown-depends 2']],
  ])('depends: %s', (_, text, expected) => {
    expect(lint(text)).toEqual(expected);
  });

  test('a task that waits for itself is told by its number', () => {
    expect(lintPlan(parsePlan(tasks('1'), 'p.md'))).toMatchObject([
      { message: 'task 1 depends on itself, so it can never start: take 1 out of its `depends`' },
    ]);
  });

  test('a chain of a thousand dependencies', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => (index === 999 ? 'none' : String(index + 2)));
    expect(lint(tasks(...ids))).toEqual([]);
  });

  test('many ways to the same task are walked once', () => {
    const pairs = Array.from({ length: 80 }, (_, index) => {
      const next = index - (index % 2) + 3;
      return next > 80 ? 'none' : `${next}, ${next + 1}`;
    });
    expect(lint(tasks(...pairs))).toEqual([]);
  });

  test('messages name what to do', () => {
    expect(message(tasks('2', '3', '1'))).toBe(
      'these tasks wait for each other, so none can start: 1 → 2 → 3 → 1: remove one `depends`',
    );
    expect(message(tasks('none', '7'))).toBe(
      'task 2 depends on task 7, which the plan does not have: the plan has 1, 2',
    );
    expect(message('## Checks\n- `a`\n### Task 10: a\n- depends: 10a\n- [ ] s\n')).toContain(
      'did you mean 10?',
    );
    expect(message('### Task 1: a\n- [ ] b\n### Task 1: c\n- check: `a`\n')).toContain(
      'no check proves task 1',
    );
    expect(message('{ "stories": [] }\n')).toBe(
      'the plan has no tasks, as it is JSON: `pawl import FILE` makes a plan from a prd.json, Task Master’s tasks.json, or a saved issue',
    );
    expect(message('### Task 1: a\n- [ ] b\n### Task 2: c\n- [ ] d\n')).toBe(
      'no check proves any of the 2 open tasks, so they can only close unchecked: write "- check: `command`" in them, a `## Validation Commands` section, or the setting `checks` (`pawl init` proposes some)',
    );
  });
});

test('formatNote', () => {
  const [note] = lintPlan(parsePlan('# a\n', 'x.md'));
  expect(note && formatNote('docs/x.md', note)).toBe(
    'docs/x.md:1:1 error no-tasks the plan has no tasks: a task is a heading such as `### Task 1: title` with `- [ ]` lines below it; from any other text, `pawl plan --from FILE` drafts a plan',
  );
});

test.each([
  ['a step that is struck through', '### Task 1: a\n- [ ] ~~b~~\n- [ ] c\n', ['2']],
  ['a step put off', '### Task 1: a\n- [ ] [DEFERRED] b\n- [ ] c (won’t do)\n', ['2', '3']],
  ['a title put off', '### Task 1: a [cancelled]\n- [ ] b\n', ['1']],
  ['a title struck through', '### Task 1: ~~a~~\n- [ ] b\n', ['1']],
  ['one that is ticked', '### Task 1: a\n- [x] ~~b~~\n- [ ] c\n', []],
  ['one for a person', '### Task 1: a\n- [ ] ~~b~~ (manual)\n- [ ] c\n', []],
  ['a part that is struck through', '### Task 1: a\n- [ ] ~~b~~ c instead\n', []],
  ['such words in code', '### Task 1: a\n- [ ] print `[deferred]`\n', []],
])('what looks given up is asked about: %s', (_, text, lines) => {
  const notes = lintPlan(parsePlan(text, 'x.md')).filter(({ rule }) => rule === 'step-dropped');
  expect(notes.map(({ place }) => String(place.line))).toEqual(lines);
});

test('a rule of one’s own walks the tree and reports with its name, also as an error', () => {
  const noImages: LintRule = () => (tree, file) => {
    visit(tree, 'image', ({ position }) => {
      const at = position?.start;
      file.message('no images', { ...(at ? { place: at } : {}), ruleId: 'images', source: 'team' });
      file.message('none at all', { ruleId: 'none', source: 'team' }).fatal = true;
    });
  };
  const text = '---\nmodel: a\n---\n\n### Task 1: a\n- [ ] b\n\n![c](d)\n';
  const notes = lintPlan(parsePlan(text, 'x.md'), { rules: [noImages] });
  expect(
    notes.flatMap(({ rule, severity, place }) =>
      rule.startsWith('team:') ? [[rule, severity, place.line]] : [],
    ),
  ).toEqual([
    ['team:none', 'error', 1],
    ['team:images', 'warning', 8],
  ]);
});
