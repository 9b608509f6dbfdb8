// The prompts of planners; a new session of a dialogue gets all that was said before.
import type { FactOf } from '../event.ts';
import type { DialogueFact } from '../journal/state.ts';
import type { Plan } from '../plan/plan.ts';
import { codeBlock } from './library.ts';
import { bound, formatChecks } from './prompts.ts';
import { fillTemplate, type Template, type Values } from './template.ts';

type StartPrompt = Readonly<{
  request: string;
  /** They run for every task of a plan that names none. */
  checks: readonly string[];
  /** What was said before; empty: it begins. */
  dialogue: string;
}>;

export function startPrompt(
  template: Template,
  common: Values,
  { request, checks, dialogue }: StartPrompt,
): string {
  const values = {
    ...common,
    REQUEST: request.trim(),
    CHECKS:
      checks.length === 0
        ? 'So far no command runs for every task: name those under `## Validation Commands`.'
        : `For every task these run, unless the plan has its own under \`## Validation Commands\`:\n\n${formatChecks(checks)}`,
    DIALOGUE: dialogue,
    // A variable of ralphex's template.
    PLAN_DESCRIPTION: request.trim(),
  };
  return fillTemplate(template, values, ['DIALOGUE', 'NOTES']);
}

/** For a planner who was not there; empty if nothing was said. */
export function formatDialogue(
  words: readonly DialogueFact[],
  readDraft: (draft: FactOf<'dialogue-drafted'>) => string,
): string {
  if (words.length === 0) return '';
  // Only the last draft matters; the comments cover the others.
  const latest = words.findLast((word) => word.state === 'drafted');
  const parts = words.flatMap((word) => {
    if (word.state === 'answered')
      return `- The planner asked: ${questionOf(words, word)}\n- The answer: ${word.answer}`;
    if (word === latest)
      return `Draft ${latest.draft}, the last one:\n\n${codeBlock(readDraft(latest), 'markdown')}`;
    if (word.state === 'drafted') return `Draft ${word.draft} was given.`;
    if (word.state === 'corrected')
      return `It was sent back: this cannot be taken as it is:\n\n${word.problem}`;
    const isComment = word.state === 'judged' && word.choice === 'commented' && word.text !== undefined;
    return isComment ? `A person said to draft ${word.draft}:\n\n${word.text}` : [];
  });
  return `# What was said so far\n\nAnother planner began this dialogue and could not go on. Take its place: nothing of this is asked again.\n\n${parts.join('\n\n')}\n`;
}

export function questionOf(
  words: readonly DialogueFact[],
  { question }: FactOf<'dialogue-answered'>,
): string {
  const asked = words.find((word) => word.state === 'asked' && word.question === question);
  return asked?.state === 'asked' ? asked.text : '';
}

type ReplanPrompt = Readonly<{
  plan: Plan;
  closed: ReadonlySet<string>;
  why: string;
  /** What was seen; empty if nothing went wrong. */
  evidence: string;
  /** Earlier answers that were not accepted, with the reasons. */
  refused: readonly string[];
  /** They run for every task. */
  checks: readonly string[];
}>;

export function replanPrompt(template: Template, common: Values, prompt: ReplanPrompt): string {
  const { plan } = prompt;
  const closed = plan.tasks
    .filter((task) => prompt.closed.has(task.id))
    .map(({ id, title }) => `- Task ${id}: ${title}`);
  const open = plan.tasks.filter((task) => !prompt.closed.has(task.id)).map(({ source }) => source.trim());
  const refused = prompt.refused.map((reason) => `- ${reason}`).join('\n');
  return fillTemplate(template, {
    ...common,
    GOAL: plan.title,
    OVERVIEW: bound(plan.overview) || 'The plan has no overview.',
    WHY: prompt.why,
    EVIDENCE: prompt.evidence && `# What was seen\n\n${bound(prompt.evidence)}\n`,
    REFUSED: refused && `# What another planner answered, and was refused\n\n${refused}\n`,
    CLOSED: closed.join('\n') || 'Nothing yet.',
    OPEN: bound(open.join('\n\n')),
    CHECKS: formatChecks(prompt.checks),
  });
}
