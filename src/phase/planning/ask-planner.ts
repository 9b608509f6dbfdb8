// A planner's session over the open tasks, in a throw-away checkout; an unusable answer is corrected. The plan stays.
import { parseBlock } from '../../agent/marker.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import type { Reading } from '../../finding/reading.ts';
import type { Place } from '../../place/place.ts';
import { judgeReplan, type ReplanJudgement } from '../../plan/judge-replan.ts';
import { lintBy } from '../../plan/lint.ts';
import { isClosed } from '../../plan/plan.ts';
import { replanPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { fillTemplate, type Template } from '../../prompt/template.ts';
import type { PlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { readEvidence } from '../../work/restart-files.ts';
import { libraryNow } from '../../work/session/open-session.ts';
import { checksOf } from '../../work/work.ts';
import type { Reply } from '../review/hear-turn.ts';
import { findCorrection, hearTurn } from '../review/hear-turn.ts';
import { type PromptMaker, withPlanner } from './planner-session.ts';

export type PlannerAsked = Readonly<{ root: string; planSnapshot: PlanSnapshot; task: string; why: string }>;

export type PlannerAnswer = Readonly<{
  session: number;
  judged: Exclude<ReplanJudgement, { kind: 'wrong' }>;
}>;

/** Unusable answers sent back into one session. */
const mostCorrections = 2;

export function askPlanner(place: Place, asked: PlannerAsked): Promise<Reply<PlannerAnswer>> {
  const makePrompt: PromptMaker = (template, opening) => promptOf(place, asked, { template, ...opening });
  return withPlanner(place, { root: asked.root, role: 'replan', makePrompt }, async (planner) => {
    const { session, nonce } = planner;
    const hear = (turn: Promise<Turn>) =>
      hearTurn(place, { ...planner, turn }, (said) => readAnswer(place, asked, { turn: said, ...planner }));
    let heard = await hear(session.firstTurn());
    for (let sent = 0; sent < mostCorrections; sent += 1) {
      const problem = findCorrection(place, heard);
      if (problem === undefined) break;
      const template = readTemplate(libraryNow(place), 'replan-again');
      heard = await hear(session.correct(fillTemplate(template, { PROBLEM: problem, NONCE: nonce })));
    }
    return heard.reply;
  });
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

function promptOf(
  place: Place,
  { planSnapshot, task, why, root }: PlannerAsked,
  { template, guide, nonce }: Readonly<{ template: Template; guide: string; nonce: string }>,
): string {
  return replanPrompt(template, {
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
    nonce,
  });
}
