// SARIF: valid by the part of the 2.1.0 schema that is used, every object closed as there; and never more hopeful than
// the review was.
import { describe, expect, it, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { judgeFindings } from '../../../src/report/findings/judge-findings.ts';
import { toSarif } from '../../../src/report/findings/sarif.ts';
import { proofToSarif } from '../../../src/report/proof/work-proof.ts';
import { fact, stateOf } from '../../helpers/facts.ts';
import { sarifLog } from '../../helpers/sarif-log.ts';
import { disputedReview, opinion } from '../review-state.ts';

/** The only run of the log, which must be valid. */
function runOf(...facts: readonly Fact[]) {
  const log = sarifLog.parse(toSarif(judgeFindings(stateOf(...facts)), '1.2.3'));
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as (typeof log.runs)[number];
}

const run = runOf(...disputedReview);

it('lists what is not fixed, with its rule, level and place', () => {
  expect(run.results.map((each) => `${each.properties?.['id']} ${each.ruleId} ${each.level}`)).toEqual([
    ...['F3 quality error', 'F5 testing note', 'F4 quality error', 'F2 quality warning'],
  ]);
  expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(['quality', 'testing']);
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  const places = run.results.map(({ locations }) => locations[0]?.physicalLocation);
  expect(places).toMatchObject([
    { artifactLocation: { uri: 'src/auth.ts', uriBaseId: '%SRCROOT%' }, region: { startLine: 40 } },
    { artifactLocation: { uri: 'src/a%20b.ts' }, region: { startLine: 3 } },
    { artifactLocation: { uri: 'src/auth.ts' }, region: { startLine: 12 } },
    { artifactLocation: { uri: 'src/b.ts' }, region: { startLine: 1 } },
  ]);
});

it('suppresses what was rejected with its reason, and nothing else', () => {
  expect(run.results.map(({ suppressions }) => suppressions?.[0]?.justification)).toEqual([
    ...[undefined, undefined, undefined, 'it is meant so'],
  ]);
});

it('keeps the paragraphs of what was said, without control characters', () => {
  const begin = [fact('stage-started'), fact('review-round-started')];
  const loud = opinion('quality', { F1: { title: 'a\u001b[31mb', evidence: 'c\nd', suggestion: 'e' } });
  expect(runOf(...begin, loud).results[0]?.message.text).toBe('ab\n\nc\nd\n\nSuggested: e');
});

it('names a file outside the repository by its own place', () => {
  const begin = [fact('stage-started'), fact('review-round-started')];
  const outside = opinion('quality', { F1: { file: '/etc/x y' } });
  expect(runOf(...begin, outside).results[0]?.locations[0]?.physicalLocation.artifactLocation).toEqual({
    uri: 'file:///etc/x%20y',
  });
});

describe('success', () => {
  type End = FactOf<'stage-ended'>['end'];
  const ended = (end: End, optional = false) => [
    fact('stage-started', { optional }),
    fact('stage-ended', { end, open: [] }),
  ];
  test.each<[string, readonly Fact[], boolean, readonly string[]]>([
    ['clean', ended('clean'), true, []],
    ['settled', ended('settled'), true, []],
    ['open', ended('open'), true, ['warning']],
    ['incomplete', ended('incomplete'), false, ['warning']],
    ['over-budget', ended('over-budget'), false, ['warning']],
    ['skipped', ended('skipped', true), true, ['note']],
    ['optional and incomplete', ended('incomplete', true), true, ['note']],
    ['cut off', [fact('stage-started')], false, ['warning']],
    ['never begun', [], false, ['error']],
  ])('%s', (_, facts, success, levels) => {
    const [invocation] = runOf(...facts).invocations ?? [];
    expect(invocation?.executionSuccessful).toBe(success);
    expect(invocation?.toolExecutionNotifications.map((each) => each.level)).toEqual(levels);
  });
});

test('a proof is valid, with every kind of what it found', () => {
  const hunks = { lines: 1, provenLines: 1, onlyRemoving: 0, withoutCode: 0, untried: 0 };
  const log = sarifLog.parse(
    proofToSarif(
      {
        ...{ word: 'passed', reasons: ['old expectations no longer hold: test/a b.js:3'], output: '' },
        ...{ base: 'a'.repeat(40), head: 'b'.repeat(40), files: 3, checks: ['npm test'], checksFrom: 'x' },
        experiments: {
          ...{ clean: 'green', withoutWork: 'red', pinsText: false, indifferent: [], runs: 9, durationMs: 9 },
          configs: ['pytest.ini'],
          redefined: [{ file: 'test/a b.js', from: 3, to: 4 }],
          deaf: ['test/ü.js'],
          hunks: { ...hunks, unproven: [{ file: 'src/[id].ts', from: 1, to: 2, executed: false }] },
        },
      },
      '1.2.3',
    ),
  );
  expect(
    log.runs[0]?.results.map(({ ruleId, locations: [place] }) => [ruleId, place?.physicalLocation]),
  ).toEqual(
    [
      ['green-by-configuration', 'pytest.ini', 1, 1],
      ['old-expectation', 'test/a%20b.js', 3, 4],
      ['decides-nothing', 'test/%C3%BC.js', 1, 1],
      ['unproven', 'src/%5Bid%5D.ts', 1, 2],
    ].map(([rule, uri, startLine, endLine]) => [
      rule,
      { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine, endLine } },
    ]),
  );
});
