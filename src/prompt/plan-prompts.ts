// The prompts of re-planners.
import type { Plan } from '../plan/plan.ts';
import { bound, formatChecks, formatNotes } from './prompts.ts';
import { fillTemplate, type Template } from './template.ts';

export type ReplanPrompt = Readonly<{
  root: string;
  plan: Plan;
  closed: ReadonlySet<string>;
  why: string;
  /** What was seen; empty if nothing went wrong. */
  evidence: string;
  /** Earlier answers that were not accepted, with the reasons. */
  refused: readonly string[];
  /** They run for every task. */
  checks: readonly string[];
  guide: string;
  nonce: string;
}>;

export function replanPrompt(template: Template, prompt: ReplanPrompt): string {
  const { plan } = prompt;
  const closed = plan.tasks
    .filter((task) => prompt.closed.has(task.id))
    .map(({ id, title }) => `- Task ${id}: ${title}`);
  const open = plan.tasks.filter((task) => !prompt.closed.has(task.id)).map(({ source }) => source.trim());
  const refused = prompt.refused.map((reason) => `- ${reason}`).join('\n');
  return fillTemplate(template, {
    ROOT: prompt.root,
    GOAL: plan.title,
    OVERVIEW: bound(plan.overview) || 'The plan has no overview.',
    WHY: prompt.why,
    EVIDENCE: prompt.evidence && `# What was seen\n\n${bound(prompt.evidence)}\n`,
    REFUSED: refused && `# What another planner answered, and was refused\n\n${refused}\n`,
    CLOSED: closed.join('\n') || 'Nothing yet.',
    OPEN: bound(open.join('\n\n')),
    CHECKS: formatChecks(prompt.checks),
    NOTES: formatNotes(prompt.guide),
    NONCE: prompt.nonce,
  });
}
