// The accepted draft in the repository: written once, over nothing of a person's, and whole after any end.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { writePlan } from '../../../src/phase/planning/drafts.ts';
import type { Place } from '../../../src/place/place.ts';
import { openTemp } from '../../git/open.ts';

const text = '# Plan: 計画\n\n### Task 1: a\n- [ ] b\n';
const name = '1970-01-01-plan.md';

test.each([
  ['nothing is there', undefined, [name]],
  ['it is there', text, [name]],
  ['a person’s own has the name', `${text}- [ ] mine\n`, [name, '1970-01-01-plan-2.md']],
])('%s', async (_, before, names) => {
  await using made = await openTemp({ files: { 'a.txt': '' } });
  const told: Partial<Fact>[] = [];
  const run = {
    id: 'r',
    folder: made.home,
    options: {},
    now: () => new Date(0),
    emit: (fact: Partial<Fact>) => told.push(fact),
  };
  const place = { repo: made.repo, run } as unknown as Place;
  const folder = path.join(made.repo.root, 'docs/plans');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(made.home, 'draft-001.md'), text);
  if (before !== undefined) writeFileSync(path.join(folder, name), before);
  const draft = { file: 'draft-001.md', title: 'Plan' } as FactOf<'dialogue-drafted'>;
  expect(writePlan(place, { draft, at: undefined })).toBeUndefined();
  const written = names.at(-1) ?? '';
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  expect(readFileSync(path.join(folder, written), 'utf8')).toBe(text);
  expect(told).toEqual([{ type: 'dialogue', state: 'written', to: `docs/plans/${written}` }]);
});
