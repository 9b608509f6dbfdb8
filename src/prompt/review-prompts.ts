// What reviewers and fixers are told.
import type { Finding } from '../event/finding.ts';
import { isConfirmed } from '../event/severity.ts';
import type { FindingState } from '../journal/fold-review.ts';
import type { Plan } from '../plan/plan.ts';
import { codeBlock, type Persona } from './library.ts';
import { bound } from './prompts.ts';
import { fillKnown, fillTemplate, type Template, type Values } from './template.ts';

export type ReviewPrompt = Readonly<{
  persona: Persona;
  reviewer: string;
  /** Absent: a review without a plan. */
  plan?: Plan;
  /** What the change is about, without a plan. */
  goal: string;
  /** Empty unless it is small. */
  diff: string;
  tamper: readonly string[];
  unproven?: readonly string[];
  /** This reviewer's. */
  rejected: readonly FindingState[];
  /** The CLI itself asks for the answer by schema. */
  bySchema: boolean;
}>;

/** `given`: what any prompt may name, with the checkout as its root and a name that it knows the base commit by. */
export function reviewPrompt(template: Template, given: Values, prompt: ReviewPrompt): string {
  const { plan, diff } = prompt;
  const common = { ...given, GOAL: plan?.title ?? prompt.goal };
  return fillTemplate(template, {
    ...common,
    REVIEWER: prompt.reviewer,
    PERSONA: fillKnown(prompt.persona.text, common),
    OVERVIEW: plan ? bound(plan.overview) : '',
    PLAN: plan ? formatPlan(plan) : 'There is no plan: what the change is for stands in its commits.',
    DIFF: diff && `This is the diff, without the plan's own file:\n\n${codeBlock(diff, 'diff')}\n`,
    TAMPER: [
      formatList('Signs that tests were tampered with', prompt.tamper),
      formatList(
        'Read these first: experiments found no test that decides about them',
        prompt.unproven ?? [],
      ),
    ].join(''),
    REJECTED: formatRejected(prompt.rejected),
    HOW: prompt.bySchema
      ? ', by the tool you are given for it'
      : ', as the last fenced block of your last message',
  });
}

/** For the fixer. */
export function formatFinding(state: FindingState): string {
  const { id, file, line, severity, title, evidence, suggestion, raised, tried } = state;
  const reviewers = [...new Set(raised.map(({ reviewer }) => reviewer))];
  return [
    `## ${id} (${severity}): ${title}`,
    `${line === 0 ? file : `${file}:${line}`}, raised by ${reviewers.join(', ')}`,
    ...(evidence === '' ? [] : [`Evidence: ${bound(evidence)}`]),
    ...(suggestion === '' ? [] : [`Suggestion: ${bound(suggestion)}`]),
    ...(tried && isConfirmed(state) ? [formatProof(state, tried.files)] : []),
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
    ({ id, file, title, reason, tried }) =>
      `- ${id} ${file}: ${title}. Rejected: ${reason ?? tried?.reason ?? ''}`,
  );
  return `# What was raised before and rejected\n\n${lines.join('\n')}\n\nRaise one of these again only if the reason is wrong; a person will then decide.\n`;
}
