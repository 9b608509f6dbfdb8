import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Config, configSchema } from '../../../src/config/schema.ts';
import { digestText } from '../../../src/digest.ts';
import type { Event, FactOf } from '../../../src/event.ts';
import type { RunState } from '../../../src/journal/state.ts';
import type { Replan } from '../../../src/journal/task-state.ts';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { mayReplan, restorePlan } from '../../../src/work/plan/plan-snapshot.ts';
import { fact, stampAll } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const text = '### Task 1: a\n- [ ] a\n';
const open = parsePlan(text, '');
const now = { why: 'failure', task: '1', tree: 't' } as const;
const [first] = stampAll([fact('replan-started', { task: '1', plan: digestText(text) })]);
const started = first as Replan['started'];

/** About the same task, plan and work as `now`. */
function asked(...results: readonly FactOf<'replan-ended'>['result'][]): readonly Replan[] {
  return results.map((result) => ({ started, tree: 't', ended: fact('replan-ended', { result }) }));
}

function may(
  wish: Parameters<typeof mayReplan>[2],
  { replan = 'on-failure', ...past }: { replan?: Config['replan'] } & Partial<RunState> = {},
  plan = open,
): boolean {
  const state = { replans: [], interventions: [], ...past };
  return mayReplan({ config: configSchema.parse({ replan }), state: () => state }, plan, wish);
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
] as const)('%s: %s', (replan, why, expected) => {
  expect(may({ ...now, why }, { replan })).toBe(expected);
});

const other = { ...now, task: '2' };
const looked = { ...started, why: 'after-task' } as const;
const closed = asked('unchanged').map((one) => ({ ...one, started: looked }));
const spoken = stampAll([fact('intervention')]).map((one) => ({ ...one, at: '9999' }));

test.each([
  ['one is left', other, { replans: asked('taken') }, true],
  ['both were asked', other, { replans: asked('taken', 'refused') }, false],
  ['one failed, one left the plan as it is', other, { replans: asked('failed', 'unchanged') }, false],
  ['after closed tasks none counts', other, { replans: [...closed, ...closed, ...asked('taken')] }, true],
  ['one that is open is not over', other, { replans: [...asked('taken'), { started }] }, true],
  ['taken for the same task', now, { replans: asked('taken') }, true],
  ['refused for the same', now, { replans: asked('refused') }, false],
  ['failed for the same', now, { replans: asked('failed') }, false],
  ['left as it is for the same', now, { replans: asked('unchanged') }, false],
  ['the work is another since', { ...now, tree: 'u' }, { replans: asked('refused') }, true],
  ['a person has spoken since', now, { replans: asked('refused'), interventions: spoken as never }, true],
])('%s', (_, wish, past, expected) => {
  expect(may(wish, past)).toBe(expected);
});

test.each([
  ['the plan is another since', '### Task 1: a\n- [ ] b\n', true],
  ['another tool’s list', '## 1. a\n- [ ] a\n', false],
  ['a flat list', '- [ ] a\n', false],
  ['nothing is open', '### Task 1: a\n- [x] a\n', false],
])('%s', (_, changed, expected) => {
  const plan = parsePlan(changed, '');
  expect(may(now, { replans: asked('refused') }, plan)).toBe(expected);
});

test.each([
  ['a text', Buffer.from(`${text}and more\n`), 'edited'],
  ['bytes that are no UTF-8', Buffer.from(`${text}caf\xe9\n`, 'latin1'), 'edited'],
  ['more than a plan may have', Buffer.from(`${text}${'x'.repeat(2 << 20)}`), 'edited'],
  ['nothing', Buffer.from('\n'), 'emptied'],
])('of a plan that is %s by now, every byte is set aside', (_, bytes, detail) => {
  using folder = makeTempFolder();
  const file = path.join(folder.path, 'plan.md');
  writeFileSync(file, bytes);
  const told: Event[] = [];
  const run = {
    folder: folder.path,
    state: () => ({ setAside: [] }),
    emit: (event: Event) => told.push(event),
  };
  restorePlan({ plan: { file, name: 'plan.md' }, run } as unknown as Place, text, {});
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readFileSync(path.join(folder.path, 'plan-001.proposed.md')).equals(bytes)).toBe(true);
  expect(told).toMatchObject([{ type: 'plan-edit-set-aside', detail }, { act: 'edited-plan' }]);
});
