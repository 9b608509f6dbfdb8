// One conversation with a planner: one process in a throw-away checkout, to which each answer, comment and correction is a
// further message. A new one is told the dialogue so far. What it says is journaled before anything is made of it.
import type { Session, Turn } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/model-choice.ts';
import type { Reading } from '../../finding/reading.ts';
import type { Context } from '../../place/context.ts';
import { formatDialogue, sayingPrompt, startPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import { overspendNow, tellBudgets, withinBudget } from '../../work/budget/spending.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import { attendTurn } from '../../work/session/await-turn.ts';
import { openRunSession, prepareOpening } from '../../work/session/open-session.ts';
import { libraryNow } from '../../work/session/repository-guide.ts';
import { judgeReply, type Reply } from '../review/judge-reply.ts';
import { nextStep } from './dialogue-step.ts';
import { type PlannerWord, readPlannerWord } from './planner-word.ts';
import { readDraft, takeDraft } from './take-draft.ts';

type Live = Readonly<{ session: Session; number: number; nonce: string }>;

/**
 * Lets a planner speak until it is no longer its turn. `between` goes on with the dialogue while the session waits, and says
 * whether the planner has the word again.
 */
export async function converse(
  ctx: Context,
  root: string,
  between: () => Promise<boolean>,
): Promise<Reply<'heard'>> {
  const live = openPlanner(ctx, root);
  try {
    let coming = live.session.firstTurn();
    for (;;) {
      const { turn, reply } = await hear(ctx, live, coming);
      if (reply.kind !== 'opinion') return reply;
      takeWord(ctx, live, reply.opinion);
      if (!(await between())) return heard;
      if (!turn.canCorrect || overspendNow(ctx, undefined, { newSession: false })) return heard;
      coming = live.session.correct(nextMessage(ctx, live));
    }
  } finally {
    await live.session.close();
    tellBudgets(ctx);
  }
}

const heard = { kind: 'opinion', opinion: 'heard' } as const;

async function hear(
  ctx: Context,
  { session, nonce }: Live,
  coming: Promise<Turn>,
): Promise<Readonly<{ turn: Turn; reply: Reply<PlannerWord> }>> {
  const { turn, halt } = await attendTurn(
    ctx,
    { session },
    withinBudget(ctx, undefined, { session, turn: coming }),
  );
  const isHalted = halt !== undefined || ctx.signal.aborted;
  const asks = turn.marker?.name === 'NEEDS_INPUT' ? turn.marker.text : undefined;
  const word = readPlannerWord(turn.text, { nonce, words: ctx.state().dialogue, asks });
  // A planner that only asks has come to its end as well as any.
  const outcome =
    turn.outcome.kind === 'needs-input' ? { ...turn.outcome, kind: 'done' as const } : turn.outcome;
  const isSilent = turn.text === '' || word.kind === 'silent';
  const reading: Reading<PlannerWord> = isSilent ? { problem: 'it said nothing' } : { value: word };
  return { turn, reply: judgeReply(outcome, reading, { isHalted }) };
}

/** Journals what it said. */
function takeWord(ctx: Context, { number: session }: Live, word: PlannerWord): void {
  switch (word.kind) {
    case 'draft':
      takeDraft(ctx, { text: word.text, session });
      return;
    case 'question': {
      const { question: text, header, context, options = [] } = word.question;
      const asked = ctx.state().dialogue.filter(({ type }) => type === 'question-asked').length;
      ctx.emit({
        type: 'question-asked',
        question: asked + 1,
        session,
        ...(header === undefined ? {} : { header }),
        text,
        ...(context === undefined ? {} : { context }),
        options: [...options],
      });
      return;
    }
    case 'unread':
      ctx.emit({ type: 'planner-corrected', session, what: word.what, problem: word.problem });
      return;
    case 'silent':
      return;
  }
}

function openPlanner(ctx: Context, root: string): Live {
  const opening = prepareOpening(ctx);
  const { number, nonce, guide } = opening;
  const template = readTemplate(opening.library, 'plan');
  const prompt = startPrompt(template, {
    root,
    request: readText(ctx.plan.file),
    checks: ctx.config.checks,
    dialogue: formatDialogue({ words: ctx.state().dialogue, readDraft: (draft) => readDraft(ctx, draft) }),
    guide,
    nonce,
  });
  const session = openRunSession(ctx, opening, {
    role: 'plan',
    agent: ctx.agentNamed(),
    model: readModel(ctx.config.roles.plan),
    request: { readOnly: true },
    prompt,
    bare: bareMarkers(template),
    cwd: root,
  });
  return { session, number, nonce };
}

function nextMessage(ctx: Context, { nonce }: Live): string {
  const step = nextStep(ctx.state().dialogue);
  if (step.do !== 'hear' || step.saying === undefined) throw new Error('the planner does not have the word');
  const name = {
    'question-answered': 'plan-answer',
    'planner-corrected': 'plan-again',
    'draft-judged': 'plan-comment',
  };
  const template = readTemplate(libraryNow(ctx), name[step.saying.type]);
  return sayingPrompt(template, step.saying, { words: ctx.state().dialogue, nonce });
}
