// One planner session over the open tasks, in a throw-away checkout; an unusable answer is corrected in
// place. Nothing here changes the plan.
import { parseBlock } from '../../agent/marker.ts';
import type { Session, Turn } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/model-choice.ts';
import type { Reading } from '../../finding/reading.ts';
import type { Place } from '../../place/place.ts';
import { judgeReplan, type ReplanJudgement } from '../../plan/judge-replan.ts';
import { lintBy } from '../../plan/lint.ts';
import { isClosed } from '../../plan/plan.ts';
import { readTemplate } from '../../prompt/library.ts';
import { replanPrompt } from '../../prompt/plan-prompts.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import { fillTemplate } from '../../prompt/template.ts';
import { emitBudgets, overspendNow, withinBudget } from '../../work/budget/spending.ts';
import type { PlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { readEvidence } from '../../work/restart-files.ts';
import { awaitTurn } from '../../work/session/await-turn.ts';
import { findUnusable, takeAgent } from '../../work/session/choose-agent.ts';
import { openRunSession, prepareOpening } from '../../work/session/open-session.ts';
import { libraryNow } from '../../work/session/repository-guide.ts';
import { checksOf } from '../../work/work.ts';
import { judgeReply, type Reply } from '../review/judge-reply.ts';

export type PlannerAsked = Readonly<{ root: string; planSnapshot: PlanSnapshot; task: string; why: string }>;

export type PlannerAnswer = Readonly<{
  session: number;
  judged: Exclude<ReplanJudgement, { kind: 'wrong' }>;
}>;

/** Unusable answers sent back into one session. */
const mostCorrections = 2;

/** The session is over when this returns. */
export async function askPlanner(place: Place, asked: PlannerAsked): Promise<Reply<PlannerAnswer>> {
  const { session, number, nonce } = openPlanner(place, asked);
  try {
    let { turn, reply } = await awaitAnswer(place, asked, {
      session,
      number,
      nonce,
      turn: session.firstTurn(),
    });
    for (let sent = 0; sent < mostCorrections && mayCorrect(place, turn, reply); sent += 1) {
      const template = readTemplate(libraryNow(place), 'replan-again');
      const problem = reply.kind === 'missing' ? reply.reason : '';
      const again = session.correct(fillTemplate(template, { PROBLEM: problem, NONCE: nonce }));
      ({ turn, reply } = await awaitAnswer(place, asked, { session, number, nonce, turn: again }));
    }
    return reply;
  } finally {
    await session.close();
    emitBudgets(place);
  }
}

type Hearing = Readonly<{ session: Session; number: number; nonce: string; turn: Promise<Turn> }>;

async function awaitAnswer(
  place: Place,
  asked: PlannerAsked,
  { session, number, nonce, turn: coming }: Hearing,
): Promise<Readonly<{ turn: Turn; reply: Reply<PlannerAnswer> }>> {
  const { turn, halt } = await awaitTurn(
    place,
    { session },
    withinBudget(place, undefined, { session, turn: coming }),
  );
  const reading = readAnswer(place, asked, { turn, number, nonce });
  const isHalted = halt !== undefined || place.run.signal.aborted;
  return {
    turn,
    reply: judgeReply(turn.outcome, reading, { isHalted, unusable: findUnusable(place, number) }),
  };
}

function mayCorrect(place: Place, { canCorrect }: Turn, reply: Reply<PlannerAnswer>): boolean {
  if (reply.kind !== 'missing' || !reply.isUnread || !canCorrect || place.run.signal.aborted) return false;
  return overspendNow(place, undefined, { newSession: false }) === undefined;
}

function readAnswer(
  place: Place,
  { planSnapshot }: PlannerAsked,
  { turn, number, nonce }: Readonly<{ turn: Turn; number: number; nonce: string }>,
): Reading<PlannerAnswer> {
  if (turn.marker?.name === 'PLAN_READY')
    return { value: { session: number, judged: { kind: 'unchanged' } } };
  const block = parseBlock(turn.text, 'PLAN_DRAFT', nonce);
  if (!block)
    return {
      problem: `the answer holds no plan: it must end with a PLAN_DRAFT block that carries the word ${nonce}`,
    };
  if ('problem' in block) return block;
  const judged = judgeReplan(planSnapshot.plan, block.text, lintBy(place.run.config));
  return judged.kind === 'wrong'
    ? { problem: judged.reasons.map((reason) => `- ${reason}`).join('\n') }
    : { value: { session: number, judged } };
}

function openPlanner(
  place: Place,
  asked: PlannerAsked,
): Readonly<{ session: Session; number: number; nonce: string }> {
  const { planSnapshot, task, why, root } = asked;
  const opening = prepareOpening(place);
  const { number, nonce, guide } = opening;
  const template = readTemplate(opening.library, 'replan');
  const prompt = replanPrompt(template, {
    root,
    plan: planSnapshot.plan,
    closed: new Set(planSnapshot.plan.tasks.filter(isClosed).map(({ id }) => id)),
    why,
    evidence: readEvidence(place, task),
    refused: place.run
      .state()
      .replans.flatMap(({ ended }) => (ended?.result === 'refused' ? ended.reason : [])),
    checks: checksOf(place, planSnapshot).map(({ command }) => command),
    guide,
    notes: [],
    nonce,
  });
  const taken = takeAgent(place, { role: 'replan' });
  const session = openRunSession(place, opening, {
    role: 'replan',
    ...taken,
    model: taken.insteadOf === undefined ? readModel(place.run.config.roles.plan) : {},
    request: { readOnly: true },
    prompt,
    bare: bareMarkers(template),
    cwd: root,
  });
  return { session, number, nonce };
}
