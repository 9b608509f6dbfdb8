// Formats runs side by side: a column per run on a terminal, and the same table as Markdown. Unknown is written as such,
// never as 0.

import { severities } from '../../event/severity.ts';
import type { Comparison, Contender, ReviewOutcome } from '../../journal/contender.ts';
import type { Tally } from '../../journal/tally.ts';
import { formatCost, formatCount, formatMs, formatSpentTokens, shortOid } from '../text/figure.ts';
import { cleanText, emptyLine, type Line, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';

/** A comparison for others to lay out: its name, a row per figure with a column per run, and what fits in no cell. */
export type ComparisonTable = Readonly<{
  title: string;
  rows: readonly (readonly string[])[];
  notes: readonly string[];
}>;

/** The table; its first row has the names. */
export function tableOf(comparison: Comparison): ComparisonTable {
  return {
    title: comparison.plan === undefined ? 'Runs compared' : titleOf(comparison),
    rows: rowsOf(comparison),
    notes: notesOf(comparison),
  };
}

/** Aligned columns, and below them what does not fit into a cell. */
export function formatComparison(comparison: Comparison): readonly Line[] {
  const [head = '', ...body] = alignRows(rowsOf(comparison), 24);
  return [
    ...(comparison.plan === undefined ? [] : [line('head', titleOf(comparison))]),
    line('head', head),
    ...body.map((text) => line('plain', text)),
    ...notesOf(comparison).map((text) => line('warn', text)),
  ];
}

/** The same as a Markdown document. */
export function writeComparison(comparison: Comparison): string {
  const { title, rows, notes } = tableOf(comparison);
  const [head = [], ...body] = rows;
  const row = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`;
  const table = [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...body.map(row)];
  const list = notes.map((text) => `- ${cellOf(text)}`);
  return [`## ${cellOf(title)}`, '', ...table, ...(list.length > 0 ? ['', ...list] : []), ''].join('\n');
}

/** Escapes Markdown and HTML in a cell: names of models and reasons are other people's words. */
function cellOf(text: string): string {
  return cleanText(text)
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&')
    .trim();
}

function titleOf({ plan = '', base }: Comparison): string {
  return `${plan}${base === undefined ? '' : `, from commit ${shortOid(base)}`}`;
}

type Row = readonly string[];

function rowsOf({ contenders, plan: one }: Comparison): readonly Row[] {
  const row = (label: string, of: (contender: Contender) => string | undefined): Row => [
    label,
    ...contenders.map((contender) => of(contender) ?? 'unknown'),
  ];
  const tally = (label: string, of: (tally: Tally) => string) =>
    row(label, (contender) => (contender.tally === undefined ? none(contender) : of(contender.tally)));
  const isOfSeveral = one === undefined && new Set(contenders.map(({ plan }) => plan)).size > 1;
  return [
    ['', ...contenders.map(({ name }) => name)],
    // Contenders of one plan work on copies of it; runs that were named may be of several.
    ...(isOfSeveral ? [row('plan', ({ plan }) => plan)] : []),
    row('end', ({ standing }) => standing),
    row('tasks closed', ({ tasks, ...rest }) => (tasks ? formatTasks(tasks) : none(rest))),
    tally('attempts', ({ attempts }) => `${attempts}`),
    tally('corrections', ({ corrections }) => `${corrections}`),
    row('checks green', ({ checks, ...rest }) => (checks ? `${checks.green}` : none(rest))),
    row('checks red', ({ checks, ...rest }) => (checks ? `${checks.red}` : none(rest))),
    tally('cost', ({ spent }) => formatCost(spent).replace('cost unknown', 'unknown')),
    tally('tokens', ({ spent }) => formatSpentTokens(spent)),
    tally('of these output', ({ spent }) => formatSpentTokens(spent, ({ output }) => output)),
    row('time at work', ({ atWorkMs, ...rest }) =>
      atWorkMs === undefined ? none(rest) : formatMs(atWorkMs),
    ),
    tally('time waiting', ({ ms }) => formatMs(ms.waiting)),
    row('interventions', ({ interventions, ...rest }) =>
      interventions === undefined ? none(rest) : `${interventions}`,
    ),
    row('files changed', ({ difference, ...rest }) => (difference ? `${difference.files}` : none(rest))),
    row('lines', ({ difference, ...rest }) =>
      difference ? `+${difference.insertions} −${difference.deletions}` : none(rest),
    ),
    row('findings', ({ review, ...rest }) =>
      review && 'found' in review ? formatFound(review.found) : none(rest),
    ),
    row('branch', ({ branch, ...rest }) => branch ?? none(rest)),
  ];
}

/** Nothing is known about a run that has not begun. */
function none({ standing }: Pick<Contender, 'standing'>): string | undefined {
  return standing === 'waiting' || standing === 'refused' ? '–' : undefined;
}

function formatTasks({ closed, total, unchecked }: NonNullable<Contender['tasks']>): string {
  const but = unchecked > 0 ? `, ${unchecked} unchecked` : '';
  return `${closed} of ${total}${but}`;
}

function formatFound(found: Extract<ReviewOutcome, { found: unknown }>['found']): string {
  const parts = severities.flatMap((severity) =>
    found[severity] > 0 ? `${found[severity]} ${severity}` : [],
  );
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function notesOf({ contenders }: Comparison): readonly string[] {
  const whys = contenders.flatMap(({ name, why }) => (why === undefined ? [] : `${name}: ${why}`));
  const missing = contenders.flatMap(({ name, review }) =>
    review && 'missing' in review ? `${name}: findings unknown: ${review.missing}` : [],
  );
  const own = contenders.filter(({ review }) => review && 'found' in review && !review.shared);
  return [
    ...whys,
    ...missing,
    ...(own.length > 0
      ? [
          `${formatCount(own.length, 'run')} had ${own.length === 1 ? 'a review of its own' : 'reviews of their own'}: findings of different reviewers say little about each other`,
        ]
      : []),
  ];
}

/** What a comparison leaves in the repository, with the commands that merge or remove it. */
export function formatLeft({ contenders }: Comparison): readonly Line[] {
  const left = contenders.flatMap(({ run, plan, branch, worktree }) =>
    run === undefined || branch === undefined ? [] : { plan, branch, worktree },
  );
  if (left.length === 0) return [];
  return [
    emptyLine,
    line('plain', 'Nothing was merged. `git merge BRANCH` takes one over. To remove what is left:'),
    ...left.map(({ plan, branch, worktree }) => {
      const text = worktree === undefined ? `git branch -D ${branch}` : `pawl discard --yes ${plan}`;
      const of =
        worktree === undefined ? '' : `   (${branch} and ${worktree}; uncommitted work is saved first)`;
      return { ...line('plain', `${text}${of}`, 1), commands: [text] };
    }),
  ];
}
