// What a reviewer and a fixer are told, with the shipped templates.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FindingState } from '../../src/journal/fold-review.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { readReviewer, readTemplate } from '../../src/prompt/library.ts';
import { workPlaces, workValues } from '../../src/prompt/prompts.ts';
import { formatFinding, type ReviewPrompt, reviewPrompt } from '../../src/prompt/review-prompts.ts';
import { fillTemplate } from '../../src/prompt/template.ts';

const library = [path.resolve(import.meta.dirname, '../../templates')];
const plan = parsePlan(
  '# Plan: Add login\n\n## Overview\nUsers log in.\n\n### Task 1: Endpoint\n- criterion: wrong passwords are refused\n- [ ] POST /login\n',
  'plan.md',
);
const raised = ['quality', 'security'].map((reviewer) => ({ stage: 'first', round: 1, reviewer }));
const named: FindingState = {
  id: 'F3',
  file: 'a.ts',
  line: 7,
  severity: 'major',
  title: 'Compares with ==',
  evidence: 'a == b',
  suggestion: '',
  proof: { command: '', patch: '' },
  anchor: '',
  fingerprint: '',
  raised,
  standing: 'rejected',
};
const common = { ROOT: '/c', NONCE: '12ab', NOTES: '', PLAN_FILE: 'plan.md', BASE: 'pawl-base' };
const about: ReviewPrompt = {
  persona: readReviewer(library, 'quality'),
  reviewer: 'quality',
  goal: 'branch login',
  diff: '',
  tamper: [],
  rejected: [],
  bySchema: false,
};
const review = (change: Partial<ReviewPrompt> = {}) =>
  reviewPrompt(readTemplate(library, 'review'), common, { ...about, plan, ...change });

test.each<[string, string, readonly (string | RegExp)[]]>([
  [
    'its field, goal, plan, criteria and the diff',
    review(),
    [
      'You look for defects',
      'change: Add login',
      'Users log in.',
      '- Task 1: Endpoint\n  - criterion: wrong passwords are refused',
      'git diff pawl-base...HEAD',
      'as the last fenced block',
    ],
  ],
  [
    'the change, if it is small',
    review({ diff: '+a\n+```\n' }),
    ['git diff pawl-base...HEAD', "the plan's own file:\n\n````diff\n+a\n+```\n````\n\nRead"],
  ],
  ['that a tool takes the answer', review({ bySchema: true }), ['by the tool you are given']],
  [
    'signs of tampering',
    review({ tamper: ['a.test.ts:3 was skipped'] }),
    ['# Signs that tests were tampered with\n\n- a.test.ts:3 was skipped'],
  ],
  [
    'what was rejected, and why',
    review({ rejected: [{ ...named, reason: 'by design' }] }),
    ['- F3 a.ts: Compares with ==. Rejected: by design', 'a person will then decide'],
  ],
])('a reviewer is told %s', (_, prompt, wanted) => {
  for (const words of wanted) expect(prompt).toContain(words);
  expect(prompt).not.toMatch(/\{\{|undefined|\n{3}/);
});

test('without a plan it is told so', () => {
  const prompt = reviewPrompt(readTemplate(library, 'review'), common, about);
  expect(prompt).toContain('change: branch login');
  expect(prompt).toContain('There is no plan');
});

test('a fixer is told every finding with its evidence, the checks and the form of its answer', () => {
  const lessons = ['npm test was red: no `config.json`'];
  const given = { plan, checks: ['npm test'], evidence: 'red: npm test', lessons, notes: [] };
  const values = { ...workValues(common, given), FINDINGS: formatFinding(named) };
  const prompt = fillTemplate(readTemplate(library, 'fix'), values, workPlaces);
  for (const words of [
    '## F3 (major): Compares with ==',
    'a.ts:7, raised by quality, security',
    'Evidence: a == b',
    '- `npm test`',
    'red: npm test',
    '<<<PAWL:TASK_DONE 12ab>>>',
  ])
    expect(prompt).toContain(words);
  expect(prompt).not.toMatch(/\{\{|undefined|Suggestion|\n{3}/);
});
