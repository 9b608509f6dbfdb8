// A planner's session, a read-only process in a throw-away checkout, and its answer to a re-plan.
import { parseBlock } from '../../agent/marker.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/schema.ts';
import type { Reading } from '../../finding/opinion.ts';
import type { Place } from '../../place/place.ts';
import { judgeReplan, type ReplanJudgement } from '../../plan/judge-replan.ts';
import { lintBy } from '../../plan/lint.ts';
import { isClosed } from '../../plan/plan.ts';
import { replanPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import type { Template } from '../../prompt/template.ts';
import type { PlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { readEvidence } from '../../work/restart-files.ts';
import { takeAgent } from '../../work/session/choose-agent.ts';
import type { Opening } from '../../work/session/open-session.ts';
import { checksOf } from '../../work/work.ts';
import { correct, type Reply, type Talk, talk } from '../ask-in-look.ts';

/** `begin`: the prompt, and how the talk goes on. */
export function talkToPlanner<T>(
  place: Place,
  { root, role }: Readonly<{ root: string; role: 'plan' | 'replan' }>,
  begin: (opening: Opening, template: Template) => Talk<T> & Readonly<{ prompt: string }>,
): Promise<Reply<T>> {
  return talk(place, root, (opening) => {
    const template = readTemplate(opening.library, role);
    const taken = takeAgent(place, { role });
    const model = taken.insteadOf === undefined ? readModel(place.run.config.roles.plan) : {};
    return { role, ...taken, model, bare: bareMarkers(template), ...begin(opening, template) };
  });
}

type PlannerAsked = Readonly<{ root: string; planSnapshot: PlanSnapshot; task: string; why: string }>;

export type PlannerAnswer = Readonly<{
  session: number;
  judged: Exclude<ReplanJudgement, { kind: 'wrong' }>;
}>;

/** Unusable answers sent back into one session. */
const mostCorrections = 2;

export function askPlanner(place: Place, asked: PlannerAsked): Promise<Reply<PlannerAnswer>> {
  const { why, task, planSnapshot } = asked;
  const { plan } = planSnapshot;
  return talkToPlanner(place, { ...asked, role: 'replan' }, ({ number, nonce, values }, template) => ({
    prompt: replanPrompt(template, values, {
      plan,
      closed: new Set(plan.tasks.filter(isClosed).map(({ id }) => id)),
      why,
      evidence: readEvidence(place, task),
      refused: place.run
        .state()
        .replans.flatMap(({ ended }) => (ended?.result === 'refused' ? ended.reason : [])),
      checks: checksOf(place, planSnapshot).map(({ command }) => command),
    }),
    read: (turn) => readAnswer(place, asked, { turn, number, nonce }),
    answer: (heard, sent) =>
      sent < mostCorrections ? correct(place, heard, { template: 'replan-again', nonce }) : undefined,
  }));
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
