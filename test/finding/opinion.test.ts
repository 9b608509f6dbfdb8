// Every form an answer may have, and what is no answer.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noProof, opinionJsonSchema } from '../../src/event/finding.ts';
import { readAnswers, readOpinion } from '../../src/finding/opinion.ts';

const finding = {
  file: 'src/a.ts',
  line: 3,
  severity: 'major',
  title: 'Never ends',
  evidence: 'while (true)',
  suggestion: '',
  proof: noProof,
} as const;
const value = { findings: [finding] };
const json = JSON.stringify(value);
const fenced = (text: string) => `I looked.\n\n\`\`\`json\n${text}\n\`\`\`\n`;

describe('an opinion', () => {
  test.each([
    ['a value by schema', { structured: value, text: 'whatever' }, value],
    ['an empty list', { structured: { findings: [] }, text: '' }, { findings: [] }],
    ['a fenced block', { text: fenced(json) }, value],
    [
      'a block after one that quotes the shape',
      { text: fenced('{"findings": [...]}') + fenced(json) },
      value,
    ],
    ['a block before one of something else', { text: fenced(json) + fenced('{"name": "x"}') }, value],
    ['the whole text', { text: ` ${json}\n` }, value],
    ['a block that is not closed', { text: `\`\`\`json\n${json}\n` }, value],
    ['a block after one of code', { text: `\`\`\`ts\nwhile (true) {}\n\`\`\`\n${fenced(json)}` }, value],
    ['a block after code that is not closed', { text: `\`\`\`ts\nwhile (true) {}\n${fenced(json)}` }, value],
    ['a block within a quoted answer', { text: `\`\`\`markdown\n${fenced(json)}\`\`\`\nDone.` }, value],
    ['a block of no language', { text: `\`\`\`\n${json}\n\`\`\`` }, value],
    ['a block with the line ends of Windows', { text: fenced(json).replaceAll('\n', '\r\n') }, value],
  ])('%s', (_, answered, wanted) => {
    expect(readOpinion(answered)).toEqual({ value: wanted });
  });

  test.each([
    ['nothing', { text: '' }, 'the answer holds no JSON'],
    ['praise', { text: 'All good, REVIEW_DONE' }, 'the answer holds no JSON'],
    ['broken JSON', { text: fenced('{"findings": [') }, 'the answer is not JSON'],
    [
      'a broken answer after the shape of one',
      { text: fenced('{"findings": []}') + fenced('{"findings": [{"file": }]}') },
      'the answer is not JSON',
    ],
    [
      'a cut-off answer after the shape of one',
      { text: `${fenced('{"findings": []}')}\`\`\`json\n{"findings": [{"file": "a.ts"` },
      'the answer is not JSON',
    ],
    [
      'an answer in the wrong shape after the shape of one',
      { text: fenced('{"findings": []}') + fenced('{"findings": {}}') },
      /^findings: /,
    ],
    ['a list of nothing known', { structured: { findings: [{}] }, text: '' }, /^findings\.0\.file: /],
    ['no list', { structured: {}, text: '' }, /^findings: /],
    [
      'an unknown severity',
      { structured: { findings: [{ ...finding, severity: 'bad' }] }, text: '' },
      /severity/,
    ],
    [
      'a value that does not fit beside a text that does',
      { structured: null, text: fenced(json) },
      /expected object/i,
    ],
    ['lines, where none are agreed', { text: 'NO ISSUES FOUND' }, 'the answer holds no JSON'],
  ])('not: %s', (_, answered, problem) => {
    const reading = readOpinion(answered);
    expect(reading).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('never throws, and is never made of nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.boolean(), (text, lines) => {
        fc.pre(!/no issues found|findings|:\d/i.test(text));
        expect(readOpinion({ text }, { lines })).toHaveProperty('problem');
      }),
    );
  });

  test('is asked for with every field required', () => {
    const schema = JSON.stringify(opinionJsonSchema());
    // Strict modes of APIs refuse schemas with bounds.
    expect(schema).not.toMatch(/"(?:minLength|minimum|maximum|exclusiveMinimum|exclusiveMaximum|pattern)"/);
    expect(schema).toContain('"required":["file","line","severity","title","evidence","suggestion","proof"]');
    expect(schema).toContain('"additionalProperties":false');
  });
});

describe('lines of a script', () => {
  test.each([
    ['src/a.ts:3 - never ends', ['src/a.ts', 3, 'major', 'never ends']],
    ['1. src/a.ts:3 - never ends', ['src/a.ts', 3, 'major', 'never ends']],
    ['12) **[minor] src/a.ts:3 - never ends', ['src/a.ts', 3, 'minor', 'never ends']],
    ['- 2. src/a.ts:3 - never ends', ['src/a.ts', 3, 'major', 'never ends']],
    ['- `src/a b.ts:3:7` — [minor] never: ends', ['src/a b.ts', 3, 'minor', 'never: ends']],
    ['* lib/x.py:10: critical: deletes all', ['lib/x.py', 10, 'critical', 'deletes all']],
    ['a.ts:1 - majority is wrong', ['a.ts', 1, 'major', 'majority is wrong']],
    ['- [note] a.ts:1 - taste', ['a.ts', 1, 'note', 'taste']],
    ['CRITICAL: a.ts:1 - minor: both', ['a.ts', 1, 'minor', 'both']],
  ])('%s', (text, [file, line, severity, title]) => {
    expect(readOpinion({ text: `Hello\n${text}\n` }, { lines: true })).toEqual({
      value: { findings: [{ file, line, severity, title, evidence: '', suggestion: '', proof: noProof }] },
    });
  });

  test('the word for nothing found', () => {
    expect(readOpinion({ text: '\n**NO ISSUES FOUND**.\n' }, { lines: true })).toEqual({
      value: { findings: [] },
    });
  });

  test('a finding beside the word for nothing stays a finding', () => {
    const reading = readOpinion({ text: 'a.ts:1 - bad\nNO ISSUES FOUND' }, { lines: true });
    expect(reading).toHaveProperty('value.findings.length', 1);
  });

  test.each([
    ['JSON in another shape', '[{"file": "src/a.ts", "title": "Never ends"}]'],
    ['broken JSON beside the word for nothing', `${fenced('{"findings": [')}NO ISSUES FOUND`],
  ])('%s is no answer', (_, text) => {
    expect(readOpinion({ text }, { lines: true })).toHaveProperty('problem');
  });
});

describe('answers of a fixer', () => {
  const fixed = { finding: 'F1', answer: 'fixed', reason: '' };
  const rejected = { finding: 'F2', answer: 'rejected', reason: 'by design' };
  const say = (...answers: unknown[]) => ({ text: fenced(JSON.stringify({ answers })) });

  test.each([
    ['all', say(fixed, rejected), ['F1', 'F2'], { value: [fixed, rejected] }],
    ['the first of two about one', say(fixed, { ...fixed, answer: 'rejected' }), ['F1'], { value: [fixed] }],
    ['without others', say({ ...fixed, finding: 'F9' }, fixed), ['F1'], { value: [fixed] }],
    ['half', say(fixed), ['F1', 'F2', 'F3'], { problem: 'nothing is said about F2, F3' }],
    [
      'no reason',
      say(fixed, { ...rejected, reason: ' ' }),
      ['F1', 'F2'],
      { problem: 'rejected without a reason: F2' },
    ],
    ['nothing', { text: 'done' }, ['F1'], { problem: 'the answer holds no JSON' }],
  ])('%s', (_, answered, asked, wanted) => {
    expect(readAnswers(answered, asked)).toEqual(wanted);
  });
});
