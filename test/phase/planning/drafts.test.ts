// The accepted draft in the repository: written once, over nothing of a person's, and whole after any end.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { writePlan } from '../../../src/phase/planning/drafts.ts';
import type { Place } from '../../../src/place/place.ts';
import { openTemp } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';

function placeOf({ home, repo }: Awaited<ReturnType<typeof openTemp>>, output?: string) {
  const told: Partial<Fact>[] = [];
  const started = { ...sampleFacts['run-started'], run: 'r', planning: { from: '' } };
  const run = {
    id: 'r',
    folder: home,
    options: { planning: { asked: { output } } },
    now: () => new Date(0),
    state: () => ({ started }),
    emit: (fact: Partial<Fact>) => told.push(fact),
  };
  writeFileSync(path.join(home, 'draft-001.md'), text);
  return { place: { repo, run } as unknown as Place, told };
}

const draft = { file: 'draft-001.md', title: 'Plan' } as FactOf<'dialogue-drafted'>;
const text = '# Plan: 計画\n\n### Task 1: a\n- [ ] b\n';
const name = '1970-01-01-plan.md';

test.each([
  ['nothing is there', undefined, [name]],
  ['it is there', text, [name]],
  ['a person’s own has the name', `${text}- [ ] mine\n`, [name, '1970-01-01-plan-2.md']],
])('%s', async (_, before, names) => {
  await using made = await openTemp({ files: { 'a.txt': '' } });
  const { place, told } = placeOf(made);
  const folder = path.join(made.repo.root, 'docs/plans');
  mkdirSync(folder, { recursive: true });
  if (before !== undefined) writeFileSync(path.join(folder, name), before);
  expect(writePlan(place, { draft, at: undefined })).toBeUndefined();
  const written = names.at(-1) ?? '';
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  expect(readFileSync(path.join(folder, written), 'utf8')).toBe(text);
  expect(told).toEqual([{ type: 'dialogue', state: 'written', to: `docs/plans/${written}` }]);
});

test('a file that appeared where it was to be: nothing is overwritten, and the dialogue can go on', async () => {
  await using made = await openTemp({ files: { 'mine.md': 'mine' } });
  const file = path.join(made.repo.root, 'mine.md');
  const { place, told } = placeOf(made, file);
  expect(writePlan(place, { draft, at: undefined })).toEqual({
    silence: `the draft is accepted, but not written: ${file} already exists and is not overwritten`,
    hint: '`pawl plan -o another.md --resume r` writes it to another file.',
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(told).toEqual([]);
});
