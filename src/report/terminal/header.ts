// The header of a run on a terminal: five lines of 80 columns, whatever the plan.
import type { Event } from '../../event.ts';
import { type Line, span, spanned } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
import type { RunHead } from '../view/run-head.ts';

export const headerTypes: ReadonlySet<Event['type']> = new Set([
  'run-started',
  'plan-read',
  'plan-committed',
  'branch-created',
  'budgets-set',
]);

/** A terminal's usual width; the indent is wider than what a cut saves. */
const columns = 78;

/** Of a resumed run only what it is and what is left. */
export function headerLines(head: RunHead): readonly Line[] {
  const { title, counts, isWithoutCheck, limits, unusual } = head;
  const file = head.file === '' ? '' : `  ${head.file}`;
  const isShort = widthOf(title) + widthOf(file) <= columns;
  const none = isWithoutCheck ? [span('warn', ' · no check: every task will be unchecked')] : [];
  const alarm = span('warn', unusual.map((text) => `! ${text}`).join(' · '));
  const what = [
    spanned('head', [span('head', cutToWidth(title, columns)), ...(isShort ? [span('dim', file)] : [])]),
    ...(counts.length === 0 ? [] : [spanned('plain', [counts.join(' · '), ...none], 1)]),
  ];
  if (head.isResumed) return what;
  return [
    ...what,
    placeLine(head),
    spanned('plain', [limits.join(' · ')], 1),
    ...(unusual.length === 0 ? [] : [spanned('warn', [alarm], 1)]),
  ];
}

function placeLine({ branch, aboutBranch, agent }: RunHead): Line {
  const where = cutToWidth(branch === '' ? 'no branch' : branch, columns / 2);
  return spanned('plain', [where, span('dim', ` (${aboutBranch.join(', ')})`), ` · ${agent}`], 1);
}
