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
});

describe('JSON of a script', () => {
  const bare = { file: 'src/a.ts', title: 'Never ends' };
  const whole = { ...bare, line: 0, severity: 'major', evidence: '', suggestion: '', proof: noProof };
  const one = { value: { findings: [whole] } };
  test.each<[string, string, object]>([
    ['a list', JSON.stringify([bare]), one],
    ['an object with a list', JSON.stringify({ tool: 'x', findings: [{ ...bare, rule: 7 }] }), one],
    ['fenced', fenced(JSON.stringify([bare], null, 2)), one],
    ['after other words', `Reviewing [all] …\ndone\n${JSON.stringify([bare], null, 2)}\n`, one],
    ['after a log', `[info] start\n[12:30] done\n{ a }\n${JSON.stringify([bare])}\n`, one],
    ['over several lines', `[warn] x\n{\n  "findings": [\n    ${JSON.stringify(bare)}\n  ]\n}`, one],
    ['in a linter’s words', '[{"path": "src/a.ts", "message": "Never ends", "line": null}]', one],
    [
      'with all there is',
      JSON.stringify([{ ...whole, line: 3, severity: 'NOTE', evidence: 'x' }]),
      { value: { findings: [{ ...whole, line: 3, severity: 'note', evidence: 'x' }] } },
    ],
    ['the last of two blocks', fenced('[]') + fenced(JSON.stringify([bare])), one],
    [
      'a broken one after an empty one',
      fenced('[]') + fenced('[{"file": }]'),
      { problem: 'the answer is not JSON' },
    ],
    ['an empty list', '[]\n', { value: { findings: [] } }],
    ['no file', '[{"title": "x"}]', { problem: 'findings.0: it names no file' }],
    ['no title', '[{"file": "x"}]', { problem: 'findings.0: it has no title' }],
    ['one bad of two', JSON.stringify([bare, 7]), { problem: expect.stringMatching(/^findings\.1: /) }],
    ['an unknown severity', '[{"file":"a","title":"b","severity":"bad"}]', { problem: expect.any(String) }],
    ['a value of something else', '{"status": "ok"}', { problem: expect.stringMatching(/neither findings/) }],
    ['broken off', '[{"file": "a", "title": "b"}', { problem: expect.stringMatching(/neither findings/) }],
  ])('%s', (_, text, wanted) => {
    expect(readOpinion({ text }, { lines: true })).toEqual(wanted);
  });

  test('is not taken from who was given the schema', () => {
    expect(readOpinion({ text: JSON.stringify([bare]) })).toHaveProperty('problem');
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
