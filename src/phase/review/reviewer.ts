// One reviewer's session, in the checkout; an unreadable answer is asked for once more. Findings get ids, and answers
// are journaled before the process ends.
import path from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { readModel } from '../../config/schema.ts';
import type { Stage } from '../../config/stages.ts';
import { defined } from '../../defined.ts';
import { type Finding, noProof, type Opinion, opinionJsonSchema } from '../../event/finding.ts';
import { sayTamper } from '../../event/guard.ts';
import type { FactOf } from '../../event.ts';
import { type Reading, readOpinion } from '../../finding/opinion.ts';
import { anchorOf, fingerprintOf, isRepeated, isSame, type Placed } from '../../finding/same-finding.ts';
import { baseName } from '../../ground/in-ground.ts';
import { type FindingState, findRound } from '../../journal/fold-review.ts';
import { judgedOf } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { Plan } from '../../plan/plan.ts';
import { readInside } from '../../plan/read-inside.ts';
import { type Persona, readReviewer, readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import { reviewPrompt } from '../../prompt/review-prompts.ts';
import { listUnproven } from '../../proof/task-proof.ts';
import { type AgentChoice, type Duty, takeAgent } from '../../work/session/choose-agent.ts';
import { libraryNow, type Opening, type SessionGiven } from '../../work/session/open-session.ts';
import { correct, type Reply, talk } from '../ask-in-look.ts';
import { giveIds } from './rounds.ts';

export type ReviewerRequest = Readonly<{
  stage: Stage;
  round: number;
  reviewer: string;
  root: string;
  plan: Plan;
  /** Empty if long. */
  diff: string;
  /** Reviewers asked at once, with this one. */
  among: number;
}>;

export const mostTimes = 2;

/** On return the session is over, and its answer, or the lack of one, journaled. */
export function runReviewer(place: Place, asked: ReviewerRequest): Promise<Reply> {
  const { stage, reviewer } = asked;
  // A script gets the instructions for any outside reviewer.
  const isScript = stage.script !== undefined;
  return talk<Opinion>(place, asked.root, (opening) => {
    const persona = readReviewer(opening.library, isScript ? 'external' : reviewer);
    const taken = isScript ? { agent: agentOf(place, stage) } : takeAgent(place, dutyOf(stage, persona));
    const { number, nonce } = opening;
    return {
      ...sessionOf(place, asked, { opening, persona, taken }),
      read: (turn) => readReview(turn, taken.agent, persona),
      answer: (heard) => {
        journalReply(place, asked, { session: number, reply: heard.reply });
        const mayAsk = timesAsked(place, asked) < mostTimes;
        return mayAsk ? correct(place, heard, { template: 'review-again', nonce }) : undefined;
      },
    };
  });
}

function journalReply(
  place: Place,
  asked: ReviewerRequest,
  { session, reply }: Readonly<{ session: number; reply: Reply }>,
): void {
  const { stage, round, reviewer } = asked;
  const where = { stage: stage.name, round, reviewer, session };
  if (reply.kind === 'missing') {
    const again = timesAsked(place, asked) + 1 < mostTimes;
    place.run.emit({ type: 'opinion', state: 'missing', ...where, reason: reply.reason, again });
  }
  if (reply.kind === 'opinion') {
    const known = [...place.run.state().review.findings.values()];
    // A proof is run as the journal has it: with a mask in it, it would show something else.
    const isWhole = ({ proof: { command } }: Finding) => place.run.mask(command) === command;
    const given = reply.opinion.findings.map((one) => (isWhole(one) ? one : { ...one, proof: noProof }));
    const findings = [...nameFindings(asked.root, given, known)];
    place.run.emit({ type: 'opinion', state: 'given', ...where, findings });
  }
}

/** In a ralphex prompt the marker means that there is nothing to report. */
function readReview(turn: Turn, agent: Agent, persona: Persona): Reading<Opinion> {
  const last = turn.text.trimEnd().split('\n').at(-1)?.trim();
  if (last === reviewDone && persona.text.includes(reviewDone)) return { value: { findings: [] } };
  return readOpinion(turn, { lines: agent.can.plainAnswer });
}

const reviewDone = '<<<RALPHEX:REVIEW_DONE>>>';

export function timesAsked(
  place: Place,
  { stage, round, reviewer }: Pick<ReviewerRequest, 'stage' | 'round' | 'reviewer'>,
): number {
  return findRound(place.run.state().review, stage.name, round)?.missing.get(reviewer)?.length ?? 0;
}

function sessionOf(
  place: Place,
  asked: ReviewerRequest,
  { opening, persona, taken }: Readonly<{ opening: Opening; persona: Persona; taken: AgentChoice }>,
): Omit<SessionGiven, 'cwd'> {
  const { reviewer, plan } = asked;
  const { tasks, fixes } = place.run.state();
  const works = [...tasks.values(), ...fixes.values()];
  const bySchema = taken.agent.can.schema;
  const isPlanned = plan.tasks.length > 0;
  const values = {
    ...opening.values,
    BASE: baseName,
    DEFAULT_BRANCH: baseName,
    PLAN_FILE: isPlanned ? place.plan.name : '(there is no plan)',
  };
  const prompt = reviewPrompt(readTemplate(opening.library, 'review'), values, {
    persona,
    reviewer,
    ...(isPlanned ? { plan } : {}),
    goal: plan.overview === '' ? plan.title : `${plan.title}\n\n${plan.overview}`,
    diff: asked.diff,
    tamper: [...new Set(works.flatMap(({ tamper }) => tamper).map(sayTamper))],
    unproven: listUnproven([...tasks.values()].flatMap((task) => judgedOf(task) ?? [])),
    rejected: listRejected(place, reviewer),
    bySchema,
  });
  return {
    role: 'review',
    reviewer,
    ...taken,
    model: readModel(modelOf(place, asked, { persona, taken })),
    request: defined({ tools: persona.tools, schema: bySchema ? opinionJsonSchema() : undefined }),
    prompt,
    bare: bareMarkers(persona),
    among: asked.among,
  };
}

export function agentOf({ run, repo }: Place, { script, agent }: Stage): Agent {
  if (script === undefined) return run.agentNamed(agent);
  // The user's file, not the one under review.
  return run.agentNamed('script', script.includes('/') ? path.resolve(repo.root, script) : script);
}

function dutyOf(stage: Stage, persona: Persona): Duty {
  return { role: 'review', agent: persona.agent ?? stage.agent };
}

export function dutiesOf(place: Place, stage: Stage, reviewers: readonly string[]): readonly Duty[] {
  if (stage.script !== undefined) return [];
  return reviewers.map((reviewer) => dutyOf(stage, readReviewer(libraryNow(place), reviewer)));
}

/** A model applies only to the agent it was configured for; the role's, to the configured agent. */
function modelOf(
  place: Place,
  { stage }: ReviewerRequest,
  { persona, taken }: Readonly<{ persona: Persona; taken: AgentChoice }>,
): string | undefined {
  if (taken.insteadOf !== undefined) return undefined;
  const { name } = place.run.config.agent;
  const isOfStage = persona.agent === undefined || persona.agent === (stage.agent ?? name);
  const isConfigured = taken.agent.name === name && stage.script === undefined;
  const ofRole = isConfigured ? place.run.config.roles.review : undefined;
  return persona.model ?? (isOfStage ? stage.model : undefined) ?? ofRole;
}

/** A fresh session would raise again what was rejected or refuted. */
function listRejected(place: Place, reviewer: string): readonly FindingState[] {
  return [...place.run.state().review.findings.values()].filter(
    ({ standing, raised }) =>
      (standing === 'rejected' || standing === 'refuted') && raised.some((one) => one.reviewer === reviewer),
  );
}

type NamedFinding = FactOf<'opinion-given'>['findings'][number];

/** `root`: the checkout that their lines are read in. */
export function nameFindings(
  root: string,
  findings: readonly Finding[],
  known: readonly FindingState[],
): readonly NamedFinding[] {
  const all: (Finding & Placed)[] = [];
  for (const given of findings) {
    const { file } = given;
    const relative = path.isAbsolute(file) ? path.relative(root, file) : path.normalize(file);
    const finding = { ...given, file: relative.startsWith('..') ? file : relative };
    const placed = { ...finding, anchor: anchorOf(finding, readInside(root, finding.file)) };
    // Two findings of one opinion in different words, or about two lines, are two things.
    if (!all.some((one) => one.line === placed.line && isRepeated(one, placed))) all.push(placed);
  }
  const isKnownAs = (placed: Placed, free: readonly FindingState[]) =>
    free.find((one) => isRepeated(one, placed)) ?? free.find((one) => isSame(one, placed));
  return giveIds(all, known, isKnownAs).map((one) => ({ ...one, fingerprint: fingerprintOf(one) }));
}
