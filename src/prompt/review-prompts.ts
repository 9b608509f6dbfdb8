// The prompts of reviewers, fixers and finalizing.
import type { Finding } from '../event/finding.ts';
import { isConfirmed } from '../event/severity.ts';
import type { FindingState } from '../journal/fold-review.ts';
import type { Plan } from '../plan/plan.ts';
import { codeBlock, type Persona } from './library.ts';
import { bound, formatNotes, type WorkPrompt, workValues } from './prompts.ts';
import { fillKnown, fillTemplate, type Template } from './template.ts';

/** `tests`: files of its red proof; absent: nothing proves it. */
export type NamedFinding = Readonly<{
  id: string;
  finding: Finding;
  reviewers: readonly string[];
  tests?: readonly string[];
}>;

export function nameFinding(state: FindingState): NamedFinding {
  const { id, finding, raised, tried } = state;
  const reviewers = [...new Set(raised.map(({ reviewer }) => reviewer))];
  return { id, finding, reviewers, ...(tried && isConfirmed(state) ? { tests: tried.files } : {}) };
}

export type ReviewPrompt = Readonly<{
  root: string;
  persona: Persona;
  reviewer: string;
  /** Absent: a review without a plan. */
  plan?: Plan;
  /** What the change is about, without a plan. */
  goal: string;
  /** A name of the base commit that the checkout knows. */
  base: string;
  /** Empty unless it is small. */
  diff: string;
  tamper: readonly string[];
  unproven?: readonly string[];
  /** This reviewer's, with the fixer's reason. */
  rejected: readonly (NamedFinding & Readonly<{ reason: string }>)[];
  guide: string;
  planFile: string;
  progressFile: string;
  /** The CLI itself asks for the answer by schema. */
  bySchema: boolean;
}>;

export function reviewPrompt(template: Template, prompt: ReviewPrompt): string {
  const { plan } = prompt;
  return fillTemplate(template, {
    ROOT: prompt.root,
    REVIEWER: prompt.reviewer,
    PERSONA: fillKnown(prompt.persona.text, {
      GOAL: plan?.title ?? prompt.goal,
      DEFAULT_BRANCH: prompt.base,
      PLAN_FILE: prompt.planFile,
      PROGRESS_FILE: prompt.progressFile,
    }),
    GOAL: plan?.title ?? prompt.goal,
    OVERVIEW: plan ? bound(plan.overview) : '',
    PLAN: plan ? formatPlan(plan) : 'There is no plan: what the change is for stands in its commits.',
    BASE: prompt.base,
    DIFF:
      prompt.diff === ''
        ? ''
        : `This is the diff, without the plan's own file:\n\n${codeBlock(prompt.diff, 'diff')}\n`,
    TAMPER: [
      formatList('Signs that tests were tampered with', prompt.tamper),
      formatList(
        'Read these first: experiments found no test that decides about them',
        prompt.unproven ?? [],
      ),
    ].join(''),
    REJECTED: formatRejected(prompt.rejected),
    NOTES: formatNotes(prompt.guide),
    HOW: prompt.bySchema
      ? ', by the tool you are given for it'
      : ', as the last fenced block of your last message',
  });
}

export type FixPrompt = WorkPrompt & Readonly<{ findings: readonly NamedFinding[] }>;

export function fixPrompt(template: Template, prompt: FixPrompt): string {
  const findings = prompt.findings.map(formatFinding).join('\n\n');
  return fillTemplate(template, { ...workValues(prompt), FINDINGS: findings }, ['EVIDENCE', 'NOTES']);
}

/** The user's own words, and the commit before the work. */
export type FinalizePrompt = WorkPrompt & Readonly<{ prompt: string; base: string }>;

export function finalizePrompt(template: Template, prompt: FinalizePrompt): string {
  const values = { ...workValues(prompt), PROMPT: prompt.prompt, BASE: prompt.base };
  return fillTemplate(template, values, ['PROMPT', 'EVIDENCE', 'NOTES']);
}

function formatFinding({ id, finding, reviewers, tests }: NamedFinding): string {
  const { file, line, severity, title, evidence, suggestion } = finding;
  return [
    `## ${id} (${severity}): ${title}`,
    `${line === 0 ? file : `${file}:${line}`}, raised by ${reviewers.join(', ')}`,
    ...(evidence === '' ? [] : [`Evidence: ${bound(evidence)}`]),
    ...(suggestion === '' ? [] : [`Suggestion: ${bound(suggestion)}`]),
    ...(tests === undefined ? [] : [formatProof(finding, tests)]),
  ].join('\n\n');
}

function formatProof({ proof }: Finding, tests: readonly string[]): string {
  const files =
    tests.length === 0 ? '' : ` Its test is in the tree already, and stays as it is: ${tests.join(', ')}.`;
  return `Confirmed: \`${proof.command}\` was run and failed. It has to pass if you say fixed.${files}`;
}

function formatPlan(plan: Plan): string {
  const tasks = plan.tasks.map((task) => {
    const criteria = task.criteria.map((criterion) => `  - criterion: ${criterion}`);
    return [`- Task ${task.id}: ${task.title}`, ...criteria].join('\n');
  });
  return `# The plan\n\n${bound(tasks.join('\n'))}`;
}

function formatList(title: string, notes: readonly string[]): string {
  return notes.length === 0 ? '' : `# ${title}\n\n${notes.map((note) => `- ${note}`).join('\n')}\n`;
}

function formatRejected(rejected: ReviewPrompt['rejected']): string {
  if (rejected.length === 0) return '';
  const lines = rejected.map(
    ({ id, finding, reason }) => `- ${id} ${finding.file}: ${finding.title}. Rejected: ${reason}`,
  );
  return `# What was raised before and rejected\n\n${lines.join('\n')}\n\nRaise one of these again only if the reason is wrong; a person will then decide.\n`;
}
