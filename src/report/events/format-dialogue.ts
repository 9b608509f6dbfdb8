// Formats the dialogue about a plan: questions, answers, drafts.
import type { FactOf } from '../../event.ts';
import { type Line, line } from '../text/line.ts';
import { formatJudged, proseLine } from './format-draft.ts';
import type { Formats } from './formats.ts';

export const dialogueFormats = {
  dialogue: {
    asked: (fact) => formatQuestion(fact),
    answered: (fact) => [
      { ...line('good', `Answer ${fact.question}${formatBy(fact)}: ${fact.answer}`), hang: 2 },
    ],
    // Whoever judges it is shown all that is wrong with it.
    drafted: (fact, { verbose }) => formatJudged(fact, undefined).slice(0, verbose ? undefined : 1),
    corrected: (fact) => [line('dim', `Sent back to the planner: ${whatNames[fact.what]}`, 1)],
    tried: (fact) => formatTried(fact),
    judged: (fact) => formatJudgement(fact),
    writing: () => [],
    written: (fact) => [line('good', `The plan is written: ${fact.to}`)],
  },
} satisfies Formats;

const whatNames = {
  question: 'its question cannot be read',
  draft: 'the draft has mistakes or lacks something',
  checks: 'a check proves nothing',
  answer: 'it neither asked nor drafted',
} as const;

function formatQuestion(fact: FactOf<'dialogue-asked'>): readonly Line[] {
  const prose = (text: string): Line[] =>
    text.split('\n').map((part) => ({ ...line('plain', part, 1), hang: 0 }));
  return [
    line('head', `Question ${fact.question}${fact.header === undefined ? '' : `: ${fact.header}`}`),
    ...prose(fact.text),
    ...(fact.context === undefined ? [] : prose(fact.context)),
  ];
}

function formatBy({ by, because }: FactOf<'dialogue-answered'>): string {
  if (by === 'person') return '';
  return ` (${because ?? 'nobody was asked'})`;
}

function formatTried({ tried, problems }: FactOf<'dialogue-tried'>): readonly Line[] {
  if (!tried) return [];
  if (problems.length === 0) return [line('good', 'Each check of the draft fails now, as it should', 1)];
  return problems.map((text) => proseLine('warn', text));
}

function formatJudgement({ draft, choice, by, text }: FactOf<'dialogue-judged'>): readonly Line[] {
  const said = text === undefined ? [] : text.split('\n').map((part) => line('dim', part, 1));
  const how = by === 'default' ? ', nobody was asked' : '';
  return [
    line(choice === 'rejected' ? 'warn' : 'plain', `Draft ${draft} was ${choiceNames[choice]}${how}`),
    ...said,
  ];
}

const choiceNames = {
  accepted: 'accepted',
  commented: 'commented on',
  rejected: 'rejected; it is kept',
} as const;
