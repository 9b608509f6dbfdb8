// Formats a draft of a plan for the person who judges it.
import type { FactOf } from '../../event.ts';
import { formatCount } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';

export type DraftWorded = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  tried?: FactOf<'dialogue-tried'>;
  /** How long it may take; absent if nothing is known. */
  expected?: string;
}>;

export function formatDraft({ draft, text, tried, expected }: DraftWorded): readonly Line[] {
  const lines = text.trimEnd().split(/\r?\n/);
  let isFenced = false;
  const shown = lines.map((each): Line => {
    const isFence = /^\s*(`{3,}|~{3,})/.test(each);
    if (isFence) isFenced = !isFenced;
    return isFenced || isFence ? line('dim', each, 1) : formatLine(each);
  });
  const [head, ...judged] = formatJudged(draft, tried);
  return [
    line('plain', ''),
    ...shown,
    line('plain', ''),
    ...(head ? [head] : []),
    ...(expected === undefined ? [] : [proseLine('plain', `expected: ${expected}`)]),
    ...judged,
  ];
}

function formatLine(text: string): Line {
  if (/^#{1,6}\s/.test(text)) return line('head', text, 1);
  if (/^\s*- (check|acceptance|verify):/.test(text)) return line('good', text, 1);
  const hang = /^\s*(?:[-*+]|\d+\.)\s+(?:\[[ xX]\]\s+)?/.exec(text)?.[0].length ?? 0;
  return { ...line('plain', text, 1), hang };
}

export function formatJudged(
  { draft, tasks, checks, errors, notes }: FactOf<'dialogue-drafted'>,
  tried: FactOf<'dialogue-tried'> | undefined,
): readonly Line[] {
  return [
    line(
      'head',
      `Draft ${draft}: ${formatCount(tasks, 'task')}, ${formatCount(checks, 'check')} of ${tasks === 1 ? 'its' : 'their'} own`,
    ),
    ...errors.map((text) => proseLine('bad', text)),
    ...notes.map((text) => proseLine('warn', text)),
    ...formatTried(tried),
  ];
}

function formatTried(tried: FactOf<'dialogue-tried'> | undefined): readonly Line[] {
  if (!tried) return [];
  if (!tried.tried) return [line('dim', 'its checks were not tried', 1)];
  if (tried.problems.length === 0) return [line('good', 'each of its checks fails now, as it should', 1)];
  return tried.problems.map((text) => proseLine('warn', text));
}

export function proseLine(tone: Line['tone'], text: string): Line {
  return { ...line(tone, text, 1), hang: 2 };
}
