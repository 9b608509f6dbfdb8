// One conversation with a planner: a process in a throw-away checkout gets each message; a new one is told the
// dialogue so far. Its words are journaled before they are used.

import path from 'node:path';
import type { Session, Turn } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/model-choice.ts';
import { defined } from '../../defined.ts';
import type { Reading } from '../../finding/reading.ts';
import { journalFile } from '../../journal/run-files.ts';
import type { Place } from '../../place/place.ts';
import { plansFolder } from '../../plan/plan-name.ts';
import { formatDialogue, sayingPrompt, startPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import { emitBudgets, overspendNow, withinBudget } from '../../work/budget/spending.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import { awaitTurn } from '../../work/session/await-turn.ts';
import { findUnusable, takeAgent } from '../../work/session/choose-agent.ts';
import { openRunSession, prepareOpening } from '../../work/session/open-session.ts';
import { libraryNow } from '../../work/session/repository-guide.ts';
import { judgeReply, type Reply } from '../review/judge-reply.ts';
import { nextStep } from './dialogue-step.ts';
import { type PlannerWord, readPlannerWord } from './planner-word.ts';
import { readDraft, recordDraft } from './record-draft.ts';

type Live = Readonly<{ session: Session; number: number; nonce: string }>;

export type Meanwhile = Readonly<{
  /** Returns whether it is the planner's turn. */
  between: () => Promise<boolean>;
}>;

/** Until it is no longer the planner's turn. */
export async function converse(place: Place, root: string, { between }: Meanwhile): Promise<Reply<'heard'>> {
  const live = openPlanner(place, root);
  try {
    let coming = live.session.firstTurn();
    for (;;) {
      const { turn, reply } = await hear(place, live, coming);
      if (reply.kind !== 'opinion') return reply;
      journalWord(place, live, reply.opinion);
      if (!(await between())) return heard;
      if (!turn.canCorrect || overspendNow(place, undefined, { newSession: false })) return heard;
      coming = live.session.correct(nextMessage(place, live));
    }
  } finally {
    await live.session.close();
    emitBudgets(place);
  }
}

const heard = { kind: 'opinion', opinion: 'heard' } as const;

async function hear(
  place: Place,
  { session, number, nonce }: Live,
  coming: Promise<Turn>,
): Promise<Readonly<{ turn: Turn; reply: Reply<PlannerWord> }>> {
  const { turn, halt } = await awaitTurn(
    place,
    { session },
    withinBudget(place, undefined, { session, turn: coming }),
  );
  const isHalted = halt !== undefined || place.run.signal.aborted;
  const asks = turn.marker?.name === 'NEEDS_INPUT' ? turn.marker.text : undefined;
  const word = readPlannerWord(turn.text, { nonce, words: place.run.state().dialogue, asks });
  // A planner that only asks has finished too.
  const outcome =
    turn.outcome.kind === 'needs-input' ? { ...turn.outcome, kind: 'done' as const } : turn.outcome;
  const isSilent = turn.text === '' || word.kind === 'silent';
  const reading: Reading<PlannerWord> = isSilent ? { problem: 'it said nothing' } : { value: word };
  return { turn, reply: judgeReply(outcome, reading, { isHalted, unusable: findUnusable(place, number) }) };
}

function journalWord(place: Place, { number: session }: Live, word: PlannerWord): void {
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

function openPlanner(place: Place, root: string): Live {
  const opening = prepareOpening(place);
  const { number, nonce, guide } = opening;
  const template = readTemplate(opening.library, 'plan');
  const prompt = startPrompt(template, {
    root,
    request: readText(place.plan.file),
    checks: place.run.config.checks,
    dialogue: formatDialogue({
      words: place.run.state().dialogue,
      readDraft: (draft) => readDraft(place, draft),
    }),
    guide,
    nonce,
    progressFile: path.join(place.run.folder, journalFile),
    plansFolder,
  });
  const taken = takeAgent(place, { role: 'plan' });
  const session = openRunSession(place, opening, {
    role: 'plan',
    ...taken,
    model: taken.insteadOf === undefined ? readModel(place.run.config.roles.plan) : {},
    request: { readOnly: true },
    prompt,
    bare: bareMarkers(template),
    cwd: root,
  });
  return { session, number, nonce };
}

function nextMessage(place: Place, { nonce }: Live): string {
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
