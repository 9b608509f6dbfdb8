// Formats the dialogue about a plan, and a draft for the person who judges it.
import type { FactOf } from '../../event.ts';
import { formatCount } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { hangOf } from './format-activity.ts';
import type { Formats } from './render-context.ts';

export const dialogueFormats = {
  'dialogue-asked': ({ question, header, text, context }) => [
    line('head', `Question ${question}${header === undefined ? '' : `: ${header}`}`),
    ...[text, ...(context === undefined ? [] : [context])].flatMap((prose) =>
      prose.split('\n').map((part) => ({ ...line('plain', part, 1), hang: 0 })),
    ),
  ],
  'dialogue-answered': ({ question, answer, because }) => [
    line('good', `Answer ${question}${because === undefined ? '' : ` (${because})`}: ${answer}`),
  ],
  // Whoever judges it is shown all that is wrong with it.
  'dialogue-drafted': (fact) => [formatFigures(fact)],
  'dialogue-tried': (fact) => (fact.tried ? formatTried(fact) : []),
  'dialogue-judged': ({ draft, choice }) => [
    line('plain', `Draft ${draft} was ${choice === 'commented' ? 'commented on' : choice}`),
  ],
  'dialogue-written': ({ to }) => [line('good', `The plan is written: ${to}`)],
} satisfies Formats;

export type DraftWorded = Readonly<{
  draft: FactOf<'dialogue-drafted'>;
  text: string;
  tried?: FactOf<'dialogue-tried'>;
}>;

export function formatDraft({ draft, text, tried }: DraftWorded): readonly Line[] {
  return [
    line('plain', ''),
    ...text.trimEnd().split(/\r?\n/).map(formatLine),
    line('plain', ''),
    formatFigures(draft),
    ...draft.errors.map((problem) => line('bad', problem, 1)),
    ...draft.notes.map((note) => line('warn', note, 1)),
    ...(tried ? formatTried(tried) : []),
  ];
}

function formatLine(text: string): Line {
  const isCheck = /^\s*- (check|acceptance|verify):/.test(text);
  const tone = /^#{1,6}\s/.test(text) ? 'head' : isCheck ? 'good' : 'plain';
  return { ...line(tone, text, 1), hang: hangOf(text) };
}

function formatFigures({ draft, tasks, checks }: FactOf<'dialogue-drafted'>): Line {
  const whose = tasks === 1 ? 'its' : 'their';
  return line(
    'head',
    `Draft ${draft}: ${formatCount(tasks, 'task')}, ${formatCount(checks, 'check')} of ${whose} own`,
  );
}

function formatTried({ tried, problems }: FactOf<'dialogue-tried'>): readonly Line[] {
  if (!tried) return [line('dim', 'its checks were not tried', 1)];
  if (problems.length === 0) return [line('good', 'each of its checks fails now, as it should', 1)];
  return problems.map((text) => line('warn', text, 1));
}
