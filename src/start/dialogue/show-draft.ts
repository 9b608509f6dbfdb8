// Formats a draft, and the options of a question, for a person: important lines highlighted, followed by pawl's notes.
import { defined } from '../../defined.ts';
import { estimateTasks } from '../../journal/estimate.ts';
import type { DraftShown } from '../../place/person.ts';
import { diffLines } from '../../plan/line-diff.ts';
import { formatDiff, formatDraft } from '../../report/events/format-draft.ts';
import { formatEstimate } from '../../report/stats/format-estimate.ts';
import type { Line } from '../../report/text/line.ts';
import type { CliContext } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { readHistory } from '../read-history.ts';

/** The whole draft, how long it may take judging by this repository's earlier runs, and the notes on it. */
export function showDraft(context: CliContext, { draft, text, tried }: DraftShown): readonly Line[] {
  const estimate = estimateTasks(draft.tasks, readHistory(needPlace(context).commonDir));
  const expected = estimate && formatEstimate(estimate);
  return formatDraft({
    draft,
    text,
    ...defined({ tried, expected }),
  });
}

/** The changed lines since the draft before. */
export function diffOf({ before = '', text }: DraftShown): readonly Line[] {
  return formatDiff(diffLines(before, text));
}

export function formatOption({ label, why, recommended }: WordedOption): string {
  return `${label}${recommended ? ' (recommended)' : ''}${why === undefined ? '' : `: ${why}`}`;
}

type WordedOption = Readonly<{ label: string; why?: string | undefined; recommended: boolean }>;
