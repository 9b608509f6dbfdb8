// The message of pawl's commits: subject from the settings, the agent's summary, and trailers that a resume reads. Pure.
import type { FactOf } from '../event.ts';
import type { Context } from './phase.ts';
import type { Work } from './work.ts';

const longestSubject = 72;
const longestBody = 2_000;

/** Message of the commit that closes a task. */
export function closeMessage(
  ctx: Pick<Context, 'config' | 'run' | 'plan'>,
  work: Work,
  closing: FactOf<'closing'>,
): string {
  const subject = fillSubject(ctx.config.commit.subject, {
    title: work.task.title,
    task: work.task.id,
    plan: work.truth.plan.title,
  });
  const trailers = [
    `Pawl-Run: ${ctx.run.id}`,
    `Pawl-Task: ${work.task.id}`,
    `Pawl-Checks: ${closing.proof === 'checked' ? 'green' : 'none'}`,
    `Pawl-Close: ${closing.key}`,
    ...(ctx.config.commit.coAuthor === undefined ? [] : [`Co-Authored-By: ${ctx.config.commit.coAuthor}`]),
  ];
  return [subject, plainBody(closing.summary), trailers.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fillSubject(template: string, values: Readonly<Record<string, string>>): string {
  const line = template
    .replaceAll(/\{(title|task|plan)\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = [...line];
  return letters.length <= longestSubject ? line : `${letters.slice(0, longestSubject - 1).join('')}…`;
}

/** The agent's summary as prose: no line of it may pass for a comment or a trailer. */
function plainBody(summary: string): string {
  const text = [...summary.trim()].slice(0, longestBody).join('');
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^#/, ' #')
        .replace(/^([A-Za-z][A-Za-z-]*):/, '$1 -')
        .trimEnd(),
    )
    .join('\n');
}
