// Whether the user's own prompts can be filled: by the placeholders of those that come with pawl, before any session.
import { type Library, readTemplate } from './library.ts';
import { findPlaces, unknownPlace } from './template.ts';

export type Purpose = 'task' | 'review' | 'finalize' | 'replan' | 'plan';

const working = [
  ...['answers', 'conflict', 'finished', 'ignored', 'nothing-changed', 'red', 'runner'].map(
    (about) => `correction-${about}`,
  ),
  'steer',
];

export const purposes: Readonly<Record<Purpose, readonly string[]>> = {
  task: ['task', 'task-continue', ...working],
  review: ['review', 'review-again', 'fix', ...working],
  finalize: ['finalize', ...working],
  replan: ['replan', 'replan-again'],
  plan: ['plan', 'plan-answer', 'plan-again', 'plan-comment'],
};

/** Known though no shipped template has them: of ralphex's, and of a task. */
const everywhere =
  'DEFAULT_BRANCH GOAL NONCE NOTES PLANS_DIR PLAN_DESCRIPTION PLAN_FILE PROGRESS_FILE ROOT TASK_ID'.split(
    ' ',
  );

/** Throws the first mistake in a prompt that serves one of these purposes. The shipped folder is the library's last. */
export function tryTemplates(library: Library, wanted: readonly Purpose[]): void {
  for (const name of wanted.flatMap((purpose) => purposes[purpose])) {
    const template = readTemplate(library, name);
    const shipped = findPlaces(readTemplate(library.slice(-1), name).text);
    const known = new Set([...shipped.map((place) => place.name), ...everywhere]);
    const unknown = findPlaces(template.text).find(
      (place) => !known.has(place.name) && !(place.name in (template.agents ?? {})),
    );
    if (unknown) throw unknownPlace(template, unknown, [...known]);
  }
}
