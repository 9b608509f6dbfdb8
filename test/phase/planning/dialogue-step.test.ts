// What comes next in the dialogue about a plan, one row for each last word; and that no dialogue goes round for ever.
import { expect, test } from 'vitest';
import type { FactOf } from '../../../src/event.ts';
import { dialogueAnew } from '../../../src/journal/fold-life.ts';
import type { DialogueFact } from '../../../src/journal/state.ts';
import { mostCorrections, nextStep } from '../../../src/phase/planning/dialogue-step.ts';
import { fact, sampleFacts } from '../../helpers/facts.ts';

const asked = sampleFacts['dialogue-asked'];
const answered = sampleFacts['dialogue-answered'];
const corrected = sampleFacts['dialogue-corrected'];
const good: FactOf<'dialogue-drafted'> = { ...sampleFacts['dialogue-drafted'], errors: [], notes: [] };
const bad: FactOf<'dialogue-drafted'> = { ...good, errors: ['1:1 error'] };
const { session: _, ...own } = bad;
const tried = fact('dialogue-tried', { draft: 1, tried: true, problems: [] });
const vacuous = { ...tried, problems: ['vacuous'] };
const judged = (choice: FactOf<'dialogue-judged'>['choice']) =>
  fact('dialogue-judged', { draft: 1, choice, by: 'person' });
const many = Array.from({ length: mostCorrections }, () => corrected);

test.each<[string, readonly DialogueFact[], object]>([
  ['the planner begins', [], { do: 'hear' }],
  ['a question is asked', [asked], { do: 'ask', question: asked }],
  ['an answer is told', [asked, answered], { do: 'hear', saying: answered }],
  ['a correction is told', [bad, corrected], { do: 'hear', saying: corrected }],
  ['mistakes go back', [bad], { do: 'correct', what: 'draft', problems: ['1:1 error'] }],
  ['so does what it lacks', [{ ...good, notes: ['no risks'] }], { do: 'correct', problems: ['no risks'] }],
  ['but not for ever', [...many, bad], { do: 'show', draft: bad }],
  ['with mistakes its checks are not tried', [...many, bad], { do: 'show' }],
  ['what it only lacks', [...many, { ...good, notes: ['no risks'] }], { do: 'try-checks' }],
  ['a person said something: it may be corrected again', [...many, answered, bad], { do: 'correct' }],
  ['a person’s own edit is theirs to put right', [own], { do: 'show', draft: own }],
  ['checks are tried', [good], { do: 'try-checks', draft: good }],
  ['without any it is shown at once', [{ ...good, checks: 0 }], { do: 'show' }],
  ['those that are red are shown with it', [good, tried], { do: 'show', draft: good, tried }],
  ['a vacuous one goes back', [good, vacuous], { do: 'correct', what: 'checks', problems: ['vacuous'] }],
  ['but not for ever either', [...many, good, vacuous], { do: 'show' }],
  ['accepted', [good, judged('accepted')], { do: 'write', draft: good }],
  ['commented on', [good, judged('commented')], { do: 'hear', saying: judged('commented') }],
  ['rejected', [good, judged('rejected')], { do: 'end' }],
  ['written', [sampleFacts['dialogue-written']], { do: 'end' }],
])('%s', (_, words, step) => {
  expect(nextStep(words)).toMatchObject(step);
});

test('who goes on after a rejection looks at the draft again, and at nothing else', () => {
  const words = [good, tried, judged('rejected')];
  expect(dialogueAnew(words)).toEqual([good, tried]);
  expect(dialogueAnew([good, tried])).toEqual([good, tried]);
});
