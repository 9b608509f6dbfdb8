import { describe, expect, test } from 'vitest';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { readSettings } from '../../src/plan/settings.ts';

const read = (yaml: string) => readSettings(parsePlan(`---\n${yaml}\n---\n# a\n`, 'x.md'));
const lint = (text: string) =>
  lintPlan(parsePlan(`${text}\n### Task 1: a\n- check: \`a\`\n- [ ] s\n`, 'x.md')).map(
    ({ rule, place, message }) => [`${rule} ${place.line}:${place.column}`, message] as const,
  );

describe('readSettings', () => {
  test('all that a plan may set', () => {
    const yaml = [
      'model: opus # the best',
      'effort: high',
      'roles: { plan: opus:max, task: sonnet, review: a, fix: b }',
      'attempts: 2',
      'budgets:',
      '  maxCost: 2.5',
      '  maxTokens: 1000000',
      '  maxTime: 90m',
      '  maxSessions: 4',
      'branch: feature/x',
      'review: [first, final]',
      'cwd: packages/api',
    ].join('\n');
    expect(read(yaml)).toEqual({
      settings: {
        model: 'opus',
        effort: 'high',
        roles: { plan: 'opus:max', task: 'sonnet', review: 'a', fix: 'b' },
        attempts: 2,
        budgets: { maxCost: 2.5, maxTokens: 1_000_000, maxTime: 5_400_000, maxSessions: 4 },
        branch: 'feature/x',
        review: ['first', 'final'],
        cwd: 'packages/api',
      },
      notes: [],
    });
  });

  test('a wrong key does not take the right ones away', () => {
    expect(read('model: opus\nefort: high\nattempts: 0').settings).toEqual({ model: 'opus' });
  });

  test.each([
    ['', ''],
    ['only a comment', '# model: a'],
  ])('nothing: %s', (_, yaml) => {
    expect(read(yaml)).toEqual({ settings: {}, notes: [] });
  });
});

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
    ['an inner role', 'roles:\n  reviewer: a', '3:3', 'did you mean `review`?'],
    ['text for a number', 'attempts: two', '2:1', '`attempts` must be a whole number'],
    ['zero attempts', 'attempts: 0', '2:1', '`attempts` must be 1 or more'],
    ['a number for text', 'model: 4', '2:1', '`model` must be text'],
    ['no value', 'model:', '2:1', '`model` must be text'],
    ['a flag as model', 'model: --dangerous', '2:1', '`model` must be one word'],
    ['a free budget', 'budgets: { maxCost: -1 }', '2:12', '`budgets.maxCost` must be more than 0'],
    ['a time without a unit', 'budgets: { maxTime: 4 }', '2:12', '`budgets.maxTime` must be text'],
    ['no time at all', 'budgets: { maxTime: 0s }', '2:12', 'must be a time with its unit'],
    ['a bad time', 'budgets: { maxTime: 4x }', '2:12', 'must be a time with its unit'],
    ['budgets as text', 'budgets: 3', '2:1', '`budgets` must be a map of keys'],
    ['stages as text', 'review: final', '2:1', '`review` must be a list of stage names'],
    ['a folder outside', 'cwd: ../x', '2:1', '`cwd` must be a folder inside the repository'],
    ['bad YAML', 'model: [a', '3:1', 'the front matter is not valid YAML'],
    ['a list of keys', '- model: a', '2:1', 'the front matter must be a list of `key: value` lines'],
    ['no end', '---\nmodel: a\n', '1:1', 'the front matter is not closed'],
    ['CRLF', '---\r\nmodel: a\r\nefort: b\r\n---', '3:1', '`efort` is not a plan setting'],
    ['a byte order mark', '\uFEFF---\nefort: b\n---', '2:1', '`efort` is not a plan setting'],
  ])('%s', (_, text, place, words) => {
    const notes = lint(/^\uFEFF?---/.test(text) ? text : `---\n${text}\n---`);
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
