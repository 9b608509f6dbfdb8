// The review as SARIF, without fixed and refuted findings; rejected ones are suppressed.
// An incomplete review is never successful.
import { defined } from '../../defined.ts';
import { cleanLines, cleanText } from '../text/line.ts';
import { sarifLocation, sarifOf } from '../text/sarif.ts';
import { formatStage, wordsOf } from './findings.ts';
import { type FindingItem, type Findings, isGoodEnd, type StageItem } from './judge-findings.ts';

/** `version` is pawl's own. */
export function toSarif(found: Findings, version: string): object {
  const results = found.findings.filter(({ standing }) => standing !== 'fixed' && standing !== 'refuted');
  const rules = [...new Set(results.map(ruleOf))].sort();
  return sarifOf({
    version,
    id: `pawl/review/${found.run}`,
    rules: rules.map(ruleObject),
    invocations: [invocationOf(found.stages)],
    results: results.map((finding) => resultOf(finding, rules.indexOf(ruleOf(finding)))),
    properties: { title: found.title, branch: found.branch, plan: found.plan },
  });
}

/** Models word a finding anew each time: what stays is who raises it. */
function ruleOf({ reviewers }: FindingItem): string {
  return reviewers[0] ?? 'review';
}

function ruleObject(id: string) {
  return {
    id,
    shortDescription: { text: `A finding of the reviewer ${id}.` },
    fullDescription: { text: `What the reviewer ${id} complains about, with what shows it.` },
    help: { text: 'Verify the evidence, then fix it or say why not.' },
    defaultConfiguration: { level: 'warning' },
  };
}

function resultOf(finding: FindingItem, ruleIndex: number) {
  const { id, standing, severity, level, tried, reviewers, stages, fingerprint, reason } = finding;
  return {
    ruleId: ruleOf(finding),
    ruleIndex,
    level,
    message: { text: cleanLines(wordsOf(finding).join('\n\n')) },
    locations: [sarifLocation(finding.file, finding.line)],
    partialFingerprints: { 'pawlFinding/v1': fingerprint },
    ...(standing === 'rejected'
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: cleanText(reason ?? '') }] }
      : {}),
    properties: { id, standing, severity, reviewers, stages, ...defined({ tried }) },
  };
}

function invocationOf(stages: readonly StageItem[]) {
  const notifications = stages
    .filter(({ end }) => !isGoodEnd(end))
    .map((stage) => ({
      level: stage.end === 'skipped' || stage.optional ? 'note' : 'warning',
      message: { text: cleanText(formatStage(stage)) },
    }));
  return {
    executionSuccessful: stages.length > 0 && stages.every((stage) => stage.optional || isWhole(stage)),
    toolExecutionNotifications:
      stages.length === 0
        ? [{ level: 'error', message: { text: 'There was no review in this run.' } }]
        : notifications,
  };
}

/** It ended by itself with an answer from every reviewer, whatever they found. */
function isWhole({ end }: StageItem): boolean {
  return end !== undefined && !['incomplete', 'over-budget', 'skipped'].includes(end);
}
