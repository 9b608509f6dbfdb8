import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { FactOf } from '../../../src/event.ts';
import type { Replan } from '../../../src/journal/state-parts.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { mayReplan } from '../../../src/work/plan/plan-snapshot.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const open = parsePlan('### Task 1: a\n- [ ] a\n', '');
const [started] = stampAll([fact('replan-started')]) as [Replan['started']];

function asked(...results: readonly (FactOf<'replan-ended'>['result'] | undefined)[]): readonly Replan[] {
  return results.map((result) =>
    result === undefined ? { started } : { started, ended: fact('replan-ended', { result }) },
  );
}

test.each([
  ['never', 'failure', false],
  ['on-failure', 'failure', true],
  ['on-failure', 'request', false],
  ['on-request', 'failure', true],
  ['on-request', 'request', true],
  ['on-request', 'after-task', false],
  ['after-each-task', 'failure', true],
  ['after-each-task', 'request', true],
  ['after-each-task', 'after-task', true],
] as const)('%s: %s', (replan, why, may) => {
  const config = configSchema.parse({ replan });
  expect(mayReplan({ config, replans: [] }, why, open)).toBe(may);
});

test.each([
  ['one is left', asked('taken'), true],
  ['both were asked', asked('taken', 'refused'), false],
  ['one failed', asked('failed', 'refused'), false],
  ['those that changed nothing do not count', asked('unchanged', 'unchanged', 'taken'), true],
  ['one that is open is not over', asked('taken', undefined), true],
])('%s', (_, replans, may) => {
  expect(mayReplan({ config: configSchema.parse({}), replans }, 'failure', open)).toBe(may);
});

test.each([
  ['another tool’s list', '## 1. a\n- [ ] a\n'],
  ['a flat list', '- [ ] a\n'],
  ['nothing is open', '### Task 1: a\n- [x] a\n'],
])('not for %s', (_, text) => {
  expect(mayReplan({ config: configSchema.parse({}), replans: [] }, 'failure', parsePlan(text, ''))).toBe(
    false,
  );
});
