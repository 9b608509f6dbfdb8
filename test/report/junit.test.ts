// JUnit XML: well-formed, valid by the schema of Apache Ant's JUnit task, and never a passed test that no check proved.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import type { Fact } from '../../src/event.ts';
import { toJunit } from '../../src/report/findings/junit.ts';
import { fact } from '../helpers/facts.ts';
import { type Element, readXml } from './read-xml.ts';
import { disputedReview, stateOf } from './review-state.ts';

const integer = z.string().regex(/^\d+$/);
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
/** xs:token: no line breaks, no blanks at the ends, none twice. */
const token = z.string().regex(/^(?:\S+(?: \S+)*)?$/);
const empty = z.strictObject({});
const name = token.min(1);

/** The schema: elements in their order, each with exactly its attributes. */
const elements: Readonly<Record<string, Readonly<{ attributes: z.ZodType; children: RegExp }>>> = {
  testsuites: { attributes: empty, children: /^(testsuite )*$/ },
  testsuite: {
    attributes: z.strictObject({
      ...{ name, package: token, id: integer, hostname: name, time: decimal },
      ...{ tests: integer, failures: integer, errors: integer, skipped: integer.optional() },
      timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    }),
    children: /^properties (testcase )*system-out system-err $/,
  },
  properties: { attributes: empty, children: /^(property )*$/ },
  property: { attributes: z.strictObject({ name, value: z.string() }), children: /^$/ },
  testcase: {
    attributes: z.strictObject({ name: token, classname: token, time: decimal }),
    children: /^((skipped|error|failure) )?$/,
  },
  // Ant's schema leaves it open; Jenkins' knows the message.
  skipped: { attributes: z.strictObject({ message: z.string() }), children: /^$/ },
  error: { attributes: z.strictObject({ message: z.string(), type: z.string() }), children: /^$/ },
  failure: { attributes: z.strictObject({ message: z.string(), type: z.string() }), children: /^$/ },
  'system-out': { attributes: empty, children: /^$/ },
  'system-err': { attributes: empty, children: /^$/ },
};

function check(element: Element): void {
  const rule = elements[element.name];
  if (!rule) throw new Error(`no element ${element.name} in the schema`);
  rule.attributes.parse(element.attributes);
  expect(element.children.map((child) => `${child.name} `).join('')).toMatch(rule.children);
  for (const child of element.children) check(child);
}

/** The document of a run, which must be valid. */
function documentOf(...facts: readonly Fact[]): Element {
  const root = readXml(toJunit(stateOf(...facts)));
  expect(root.name).toBe('testsuites');
  check(root);
  return root;
}

/** Each test case as `name how type`. */
function casesOf(root: Element): readonly string[] {
  return root.children.flatMap(({ children }) =>
    children
      .filter((child) => child.name === 'testcase')
      .map(({ attributes, children: [not] }) =>
        [attributes['name'], not?.name ?? 'passed', not?.attributes['message'] ?? ''].join(' | '),
      ),
  );
}

const begun = (task: string) => [
  fact('task-started', { task, vacuous: [], red: [] }),
  fact('attempt-started', { task, attempt: 1 }),
];

describe('a task', () => {
  test.each<[string, readonly Fact[], string]>([
    ['proven', [...begun('2'), fact('task-closed')], 'passed | '],
    [
      'unchecked',
      [...begun('2'), fact('task-closed', { proof: 'unchecked', reason: 'there is no check' })],
      'skipped | closed without the proof of a check: there is no check',
    ],
    ['failed', [...begun('2'), fact('check-ended'), fact('task-failed')], 'failure | red: npm test'],
    [
      'in progress',
      [...begun('2'), fact('round-ended', { task: '2', verdict: 'again', reason: 'red: npm test' })],
      'error | red: npm test',
    ],
    ['not begun', [], 'skipped | not begun'],
    ['skipped', [fact('skip-asked'), fact('task-skipped')], 'skipped | skipped by a person'],
  ])('%s', (_, facts, wanted) => {
    expect(casesOf(documentOf(...facts))).toEqual([
      'Task 1: Add middleware | skipped | closed before the run',
      `Task 2: Add login | ${wanted}`,
    ]);
  });

  it('is timed by its sessions and checks, and shows its last checks when it failed', () => {
    const session = [
      fact('session-started', { session: 1, task: '2' }),
      fact('session-ended', { session: 1, durationMs: 60_000 }),
    ];
    const root = documentOf(...begun('2'), ...session, fact('check-ended'), fact('task-failed'));
    const [suite] = root.children;
    const [, failed] = suite?.children.filter((child) => child.name === 'testcase') ?? [];
    expect(failed?.attributes['time']).toBe('72.300');
    expect(failed?.children[0]?.text).toMatch(/^npm test: red/);
    expect(suite?.attributes).toMatchObject({
      ...{ tests: '2', failures: '1', errors: '0', skipped: '1', time: '72.300' },
      ...{ package: 'docs.plans.auth', timestamp: '2026-11-21T22:30:00' },
    });
  });
});

describe('the review', () => {
  const stage = (end: Parameters<typeof fact<'stage-ended'>>[1]) => [
    fact('stage-started'),
    fact('stage-ended', end),
  ];
  test.each<[string, readonly Fact[], string]>([
    ['clean', stage({ end: 'clean' }), 'passed'],
    ['settled', stage({ end: 'settled' }), 'passed'],
    ['incomplete', stage({ end: 'incomplete' }), 'failure'],
    ['capped', stage({ end: 'capped' }), 'failure'],
    ['skipped', stage({ end: 'skipped' }), 'skipped'],
    ['cut off', [fact('stage-started')], 'error'],
  ])('%s', (_, facts, how) => {
    expect(casesOf(documentOf(...facts)).at(-1)).toMatch(new RegExp(`^Review first \\| ${how} \\|`));
  });

  it('is timed by its reviewers and fixers', () => {
    const session = (number: number, durationMs: number, more: object) => [
      fact('session-started', { session: number, task: undefined, ...more }),
      fact('session-ended', { session: number, durationMs }),
    ];
    const root = documentOf(
      ...[fact('stage-started'), fact('review-round-started')],
      ...[...session(1, 1_000, {}), fact('opinion-given', { session: 1 })],
      ...[...session(2, 20_000, {}), fact('opinion-missing', { session: 2, reviewer: 'testing' })],
      ...[fact('fix-planned', { task: 'fix-1' }), ...session(3, 300_000, { role: 'fix', task: 'fix-1' })],
      ...[...session(4, 4_000, {}), fact('stage-ended')],
    );
    expect(root.children[1]?.attributes['time']).toBe('321.000');
  });

  it('names what is open', () => {
    const [, review] = documentOf(...disputedReview).children;
    const stageCase = review?.children.find((child) => child.name === 'testcase');
    expect(stageCase?.children[0]?.text).toBe(
      [
        'F3 critical src/auth.ts:40 Complaint F3',
        'F5 note ./src/a b.ts:3 Complaint F5',
        'F4 major src/auth.ts:12 Complaint F4',
      ].join('\n'),
    );
  });
});

it('keeps what has a form, and leaves out what has none', () => {
  const title = 'a & b <c> "d" \u0000\ufffe\ud800\u001b[1me 😀';
  const tasks = [{ id: '2', title, closed: false, steps: 1, manual: [] }];
  expect(casesOf(documentOf(fact('plan-read', { tasks })))).toEqual([
    'Task 2: a & b <c> "d" e 😀 | skipped | not begun',
  ]);
});

it('is well-formed whatever agents and people write', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(text, text, (title, reason) => {
      documentOf(
        fact('plan-read', { tasks: [{ id: '2', title, closed: false, steps: 1, manual: [] }] }),
        ...begun('2'),
        fact('task-failed', { reason }),
      );
    }),
  );
});

it('the reader of this test refuses what is not well-formed', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const wrong = [
    '<a>',
    '<a></b>',
    '<a b="1" b="2"/>',
    '<a>&</a>',
    '<a>&x;</a>',
    '<a b="<"/>',
    '<a/><b/>',
    '<a>\u0001</a>',
  ];
  for (const each of wrong) expect(() => readXml(head + each), each).toThrow();
  expect(readXml(`${head}<a b="&lt;">x<c/></a>`).children).toHaveLength(1);
});
