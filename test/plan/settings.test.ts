import { describe, expect, test } from 'vitest';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { placeSharedChecks } from '../../src/work/work.ts';

const lint = (text: string) =>
  lintPlan(parsePlan(`${text}\n### Task 1: a\n- check: \`a\`\n- [ ] s\n`, 'x.md')).map(
    ({ rule, place, message }) => [`${rule} ${place.line}:${place.column}`, message] as const,
  );

describe('front matter that describes the document', () => {
  const read = (yaml: string) => {
    const plan = parsePlan(`---\n${yaml}\n---\n### Task 1: a\n- [ ] s\n`, 'x.md');
    const notes = lintPlan(plan).filter(({ rule }) => rule === 'front-matter');
    return {
      keys: [...plan.settings.keys()],
      notes: notes.map(({ severity, message }) => `${severity} ${message}`),
    };
  };

  test.each([
    ['a title and a status', 'title: a\nStatus: draft'],
    ['what is no valid YAML', 'assignee: @me\nid: 7'],
  ])('is left alone: %s', (_, yaml) => {
    expect(read(yaml)).toEqual({ keys: [], notes: [] });
  });

  test('settings beside it hold', () => {
    expect(read('title: a\nbranch: b')).toEqual({ keys: ['branch'], notes: [] });
  });

  test.each([
    ['a budget', 'title: a\nmax_cost: 2', 'error `max_cost` is not a plan setting: known are'],
    ['checks', 'title: a\nchecks: [a]', 'error `checks` is not a plan setting: known are'],
    ['one of another tool', 'title: a\nworth: 3', 'error `worth` is not a plan setting: known are'],
  ])('what was meant as a setting stays an error: %s', (_, yaml, message) => {
    expect(read(yaml).notes).toEqual([expect.stringContaining(message)]);
  });

  test('a Cursor plan is named with a remedy', () => {
    const text = '---\nname: a\ntodos:\n  - id: x\n    content: b\n---\n\n# a\n';
    expect(lintPlan(parsePlan(text, 'x.md')).map(({ message }) => message)).toEqual([
      'the plan has no tasks, only `todos` in its front matter: `pawl import FILE` makes a plan from them',
    ]);
  });
});

describe('front matter notes', () => {
  test.each([
    [
      'a misspelled key',
      'model: a\nefort: high',
      '3:1',
      '`efort` is not a plan setting: did you mean `effort`?',
    ],
    ['a command', 'checks: [rm -rf /]', '2:1', '`checks` is not a plan setting'],
    ['an effort that is none', 'model: a\neffort: 3', '3:1', '`effort` must be text'],
    ['a flag as model', 'model: --dangerous', '2:1', '`model` must be words'],
    [
      'a review that is a program',
      'review: [{ name: a, script: rm -rf / }]',
      '2:1',
      '`review` must be words',
    ],
    ['a role of two words', 'roles: { fix: opus, plan: opus -x }', '2:21', '`roles` must be words'],
    ['less than a check', 'require: unchecked', '2:1', '`require` must be proven or passed'],
    ['a folder outside', 'cwd: ../x', '2:1', '`cwd` must be a folder inside the repository'],
    ['bad YAML', 'model: [a', '3:1', 'the front matter is not valid YAML'],
    ['a list of keys', '- model: a', '2:1', 'the front matter must be a list of `key: value` lines'],
    ['no end', '---\nmodel: a\n', '1:1', 'the front matter is not closed'],
    ['CRLF', '---\r\nmodel: a\r\nefort: b\r\n---', '3:1', '`efort` is not a plan setting'],
    ['blank lines above', ' \r\n\n---\nefort: b\n---', '4:1', '`efort` is not a plan setting'],
    ['a byte order mark', '\uFEFF---\nefort: b\n---', '2:1', '`efort` is not a plan setting'],
  ])('%s', (_, text, place, words) => {
    const notes = lint(/^\s*---/.test(text) ? text : `---\n${text}\n---`);
    expect(notes.map(([where]) => where)).toEqual([`front-matter ${place}`]);
    expect(notes[0]?.[1]).toContain(words);
  });

  test('aliases that multiply are refused', () => {
    const nine = (name: string) => `[${Array.from({ length: 9 }, () => `*${name}`).join(',')}]`;
    const notes = lint(`---\na: &a [1]\nb: &b ${nine('a')}\nc: &c ${nine('b')}\nd: ${nine('c')}\n---`);
    expect(notes).toEqual([
      ['front-matter 2:1', expect.stringContaining('cannot be read: Excessive alias count')],
    ]);
  });

  test('a key that is a list is told by lint alone, not by a warning of Node’s', () => {
    const warnings: unknown[] = [];
    const warn = process.emitWarning;
    process.emitWarning = (warning: unknown) => void warnings.push(warning);
    try {
      expect(lint('---\nbranch: x\n? [a]\n: b\n---\n')).toHaveLength(1);
    } finally {
      process.emitWarning = warn;
    }
    expect(warnings).toEqual([]);
  });

  test('a rule that divides is no front matter', () => {
    expect(lint('---\n\nText.\n')).toEqual([]);
  });
});

test('checks run in their task’s folder, else in the plan’s, the configured ones too', () => {
  const own = '### Task 1: a\n- check: `a`\n\n### Task 2: b\n- cwd: web\n- check: `b`\n';
  const none = parsePlan(`---\ncwd: api\n---\n${own}`, 'x.md');
  const some = parsePlan(`---\ncwd: api\n---\n## Validation Commands\n- \`t\`\n\n${own}`, 'x.md');
  const checks = [none, some].map((plan) => placeSharedChecks(plan, ['c']));
  const all = [...checks, ...some.tasks.map((task) => task.checks)].flat();
  expect(all.map(({ command, cwd }) => `${cwd} ${command}`)).toEqual(['api c', 'api t', 'api a', 'web b']);
});
