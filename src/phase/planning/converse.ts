// A planner's conversation: one session gets each message, a new one all so far. Its words are journaled before use.
import path from 'node:path';
import { parseBlock } from '../../agent/marker.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Reading } from '../../finding/reading.ts';
import { journalFile } from '../../journal/run-files.ts';
import type { DialogueFact } from '../../journal/state-parts.ts';
import type { Place } from '../../place/place.ts';
import { plansFolder } from '../../plan/plan-name.ts';
import { parseQuestion, type Question } from '../../plan/question.ts';
import { formatDialogue, sayingPrompt, startPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import { libraryNow } from '../../work/session/open-session.ts';
import type { Reply } from '../review/hear-turn.ts';
import { hearTurn } from '../review/hear-turn.ts';
import { nextStep } from './dialogue-step.ts';
import { readDraft, recordDraft } from './drafts.ts';
import { type PlannerSession, type PromptMaker, withPlanner } from './planner-session.ts';

export type Meanwhile = Readonly<{
  /** Returns whether it is the planner's turn. */
  between: () => Promise<boolean>;
}>;

/** Until it is no longer the planner's turn. */
export function converse(place: Place, root: string, { between }: Meanwhile): Promise<Reply<'heard'>> {
  const makePrompt: PromptMaker = (template, { guide, nonce }) =>
    startPrompt(template, {
      ...{ root, guide, nonce, plansFolder },
      request: readText(place.plan.file),
      checks: place.run.config.checks,
      dialogue: formatDialogue({
        words: place.run.state().dialogue,
        readDraft: (draft) => readDraft(place, draft),
      }),
      progressFile: path.join(place.run.folder, journalFile),
    });
  return withPlanner(place, { root, role: 'plan', makePrompt }, async (planner) => {
    let coming = planner.session.firstTurn();
    for (;;) {
      const { turn, reply } = await hearTurn(place, { ...planner, turn: coming, mayAsk: true }, (said) =>
        readWord(place, planner, said),
      );
      if (reply.kind !== 'opinion') return reply;
      journalWord(place, planner, reply.opinion);
      if (!(await between())) return heard;
      if (!turn.canCorrect || overspendNow(place, undefined, { newSession: false })) return heard;
      coming = planner.session.correct(nextMessage(place, planner));
    }
  });
}

const heard = { kind: 'opinion', opinion: 'heard' } as const;

function readWord(place: Place, { nonce }: PlannerSession, { marker, text }: Turn): Reading<PlannerWord> {
  const asks = marker?.name === 'NEEDS_INPUT' ? marker.text : undefined;
  const word = readPlannerWord(text, { nonce, words: place.run.state().dialogue, asks });
  return text === '' || word.kind === 'silent' ? { problem: 'it said nothing' } : { value: word };
}

function journalWord(place: Place, { number: session }: PlannerSession, word: PlannerWord): void {
  switch (word.kind) {
    case 'draft':
      recordDraft(place, { text: word.text, session });
      return;
    case 'question': {
      const { question: text, header, context, options = [] } = word.question;
      const asked = place.run.state().dialogue.filter(({ state }) => state === 'asked').length;
      place.run.emit({
        type: 'dialogue',
        state: 'asked',
        question: asked + 1,
        session,
        ...defined({ header }),
        text,
        ...defined({ context }),
        options: [...options],
      });
      return;
    }
    case 'unread':
      place.run.emit({
        type: 'dialogue',
        state: 'corrected',
        session,
        what: word.what,
        problem: word.problem,
      });
      return;
    case 'silent':
      return;
  }
}

function nextMessage(place: Place, { nonce }: PlannerSession): string {
  const step = nextStep(place.run.state().dialogue);
  if (step.do !== 'hear' || step.saying === undefined) throw new Error('the planner does not have the word');
  const name = {
    answered: 'plan-answer',
    corrected: 'plan-again',
    judged: 'plan-comment',
  };
  const template = readTemplate(libraryNow(place), name[step.saying.state]);
  return sayingPrompt(template, step.saying, { words: place.run.state().dialogue, nonce });
}

type PlannerWord =
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
