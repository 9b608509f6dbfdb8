// A run with a review for the reporters' tests: one stage that was not clean, with a finding in each standing.
import { type Finding, noProof } from '../../src/event/finding.ts';
import type { Fact } from '../../src/event.ts';
import { fact } from '../helpers/facts.ts';

/** A reviewer's opinion in round `round`, each finding by its id. */
export function opinion(
  reviewer: string,
  findings: Readonly<Record<string, Partial<Finding>>>,
  round = 1,
): Fact {
  return fact('opinion-given', {
    reviewer,
    round,
    findings: Object.entries(findings).map(([id, change]) => ({
      ...{ file: 'src/auth.ts', line: 12, severity: 'major' as const, title: `Complaint ${id}` },
      ...{ evidence: '', suggestion: '', proof: noProof, anchor: '', fingerprint: `print-${id}` },
      ...change,
      id,
    })),
  });
}

const say = (finding: string, answer: 'fixed' | 'rejected', reason: string) => ({ finding, answer, reason });

/** One stage, two rounds: F1 fixed, F2 rejected, F3 open and critical, F4 disputed, F5 a note that is open. */
export const disputedReview: readonly Fact[] = [
  fact('stage-started'),
  fact('review-round-started'),
  opinion('quality', {
    F1: { title: 'The token is compared with ==' },
    F2: { severity: 'minor', file: 'src/b.ts', line: 0 },
    F4: { evidence: 'x, y: 100%\nz', suggestion: 'drop it' },
  }),
  opinion('testing', { F4: {}, F5: { severity: 'note', file: './src/a b.ts', line: 3 } }),
  fact('findings-answered', {
    answers: [
      say('F1', 'fixed', 'constant time'),
      say('F2', 'rejected', 'it is meant so'),
      say('F4', 'rejected', 'harmless'),
    ],
  }),
  fact('work-ended'),
  fact('review-round-ended'),
  fact('review-round-started', { round: 2 }),
  opinion('quality', { F4: {}, F3: { severity: 'critical', line: 40 } }, 2),
  fact('review-round-ended', { round: 2, verdict: 'end', reason: 'F4 is disputed' }),
  fact('stage-ended', { end: 'open', reason: 'F4 was rejected and raised again', open: ['F3', 'F4'] }),
];
