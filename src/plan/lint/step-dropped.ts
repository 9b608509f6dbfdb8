// Open work its author seems to have given up: an agent would do it all the same.
import { isClosed } from '../plan.ts';
import { ruleOf } from './rule.ts';

const struck = /^\s*~~.+~~[\s.]*$/;
const setAside =
  /[[(]\s*(?:cancell?ed|deferred|dropped|obsolete|on hold|postponed|skip(?:ped)?|won['’]?t ?(?:do|fix))\s*[\])]/i;

export const stepDropped = ruleOf('step-dropped', 'warning', (plan) =>
  plan.tasks
    .filter((task) => !isClosed(task))
    .flatMap((task) => [
      ...(isDropped(task.title) ? [{ text: task.title, place: task.place }] : []),
      ...task.steps
        .filter(({ ticked, manual, implicit, text }) => !ticked && !manual && !implicit && isDropped(text))
        .map(({ text, box }) => ({ text, place: box })),
    ])
    .map(({ text, place }) => ({
      message: `"${text}" looks given up, but is open, so an agent does it: tick it, remove it, or mark it \`(manual)\``,
      place,
    })),
);

function isDropped(text: string): boolean {
  return struck.test(text) || setAside.test(text.replace(/`[^`]*`/g, ''));
}
