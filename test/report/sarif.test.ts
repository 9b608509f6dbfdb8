// SARIF: valid by the part of the 2.1.0 schema that is used, every object closed as there; and never more hopeful than
// the review was.
import { describe, expect, it, test } from 'vitest';
import type { Fact, FactOf } from '../../src/event.ts';
import { judgeFindings } from '../../src/report/findings/findings.ts';
import { toSarif } from '../../src/report/findings/sarif.ts';
import { fact } from '../helpers/facts.ts';
import { sarifLog } from '../helpers/sarif-log.ts';
import { disputedReview, opinion, stateOf } from './review-state.ts';

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
