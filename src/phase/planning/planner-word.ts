// Parses a planner's answer: a question, a draft, or nothing usable. Pure.
import { parseBlock } from '../../agent/marker.ts';
import type { FactOf } from '../../event.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import { parseQuestion, type Question } from '../../plan/question.ts';

export type PlannerWord =
  | Readonly<{ kind: 'question'; question: Omit<Question, 'options'> & Partial<Pick<Question, 'options'>> }>
  | Readonly<{ kind: 'draft'; text: string }>
  | Readonly<{ kind: 'unread'; what: 'question' | 'answer'; problem: string }>
  /** Only protocol lines, for the second time. */
  | Readonly<{ kind: 'silent' }>;

/** The longest prose shown as a question, in characters. */
const mostProse = 4_000;

/** An unreadable answer is asked for again once; then its prose is an open question. */
export function readPlannerWord(
  answer: string,
  {
    nonce,
    words,
    asks,
  }: Readonly<{ nonce: string; words: readonly DialogueFact[]; asks?: string | undefined }>,
): PlannerWord {
  // A question without options.
  if (asks !== undefined && asks !== '') return { kind: 'question', question: { question: asks } };
  const unread = readBlocks(answer, nonce);
  if (unread.kind !== 'unread' || !wasCorrected(words)) return unread;
  const prose = proseOf(answer);
  return prose === '' ? { kind: 'silent' } : { kind: 'question', question: { question: prose } };
}

function readBlocks(answer: string, nonce: string): PlannerWord {
  const isQuestion = answer.lastIndexOf('<<<PAWL:QUESTION') > answer.lastIndexOf('<<<PAWL:PLAN_DRAFT');
  const name = isQuestion ? 'QUESTION' : 'PLAN_DRAFT';
  const block = parseBlock(answer, name, nonce);
  if (!block)
    return {
      kind: 'unread',
      what: 'answer',
      problem: `the answer holds neither a question nor a plan: it must end with a QUESTION or PLAN_DRAFT block that carries the word ${nonce}`,
    };
  if ('problem' in block)
    return { kind: 'unread', what: isQuestion ? 'question' : 'answer', problem: block.problem };
  if (!isQuestion) return { kind: 'draft', text: `${block.text.trim()}\n` };
  const question = parseQuestion(block.text);
  return 'problem' in question
    ? { kind: 'unread', what: 'question', problem: question.problem }
    : { kind: 'question', question: question.value };
}

/** The planner was last told that its answer could not be read. */
function wasCorrected(words: readonly DialogueFact[]): boolean {
  const last = words.at(-1);
  return last?.state === 'corrected' && isUnreadable(last);
}

function isUnreadable({ what }: FactOf<'dialogue-corrected'>): boolean {
  return what === 'question' || what === 'answer';
}

function proseOf(answer: string): string {
  const prose = answer.replaceAll(/^<<<(?:PAWL|RALPHEX):[A-Z_]+.*$/gm, '').trim();
  return prose.length > mostProse ? `${prose.slice(0, mostProse)} …` : prose;
}
