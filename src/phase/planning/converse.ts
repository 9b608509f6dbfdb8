// A planner's conversation: one session gets each message, a new one all so far. Its words are journaled before use.

import path from 'node:path';
import type { Turn } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import type { Reading } from '../../finding/reading.ts';
import { journalFile } from '../../journal/run-files.ts';
import type { Place } from '../../place/place.ts';
import { plansFolder } from '../../plan/plan-name.ts';
import { formatDialogue, sayingPrompt, startPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import { libraryNow } from '../../work/session/repository-guide.ts';
import { hearTurn } from '../review/hear-turn.ts';
import type { Reply } from '../review/judge-reply.ts';
import { nextStep } from './dialogue-step.ts';
import { type PlannerSession, type PromptMaker, withPlanner } from './planner-session.ts';
import { type PlannerWord, readPlannerWord } from './planner-word.ts';
import { readDraft, recordDraft } from './record-draft.ts';

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
