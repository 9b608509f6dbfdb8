// The dialogue of `pawl plan`: the planner speaks, a person answers and judges, pawl checks and writes. Each step ends
// in a fact, or unanswered.
import path from 'node:path';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { inGround } from '../../ground/in-ground.ts';
import type { Place } from '../../place/place.ts';
import type { Person, PhaseEnd, Silence } from '../../place/run.ts';
import { type CheckResult, checksToTry, judgeTriedChecks } from '../../plan/draft.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Plan } from '../../plan/plan.ts';
import { interrupted, reasonOfStop } from '../../work/stopped.ts';
import { runOneCheck } from '../../work/tree/run-checks.ts';
import { restUntilContinued } from '../../work/wait/rest.ts';
import { type Asking, askInLook } from '../ask-in-look.ts';
import { converse } from './converse.ts';
import { type DialogueStep, nextStep } from './dialogue-step.ts';
import { readDraft, recordDraft, writePlan } from './drafts.ts';

/** Sessions in a row without an answer. */
const mostMisses = 3;

/** To its end, or a stop; a resumed run continues from its last message. */
export async function planInDialogue(place: Place, person: Person): Promise<PhaseEnd> {
  place.run.emit({ type: 'phase', phase: 'plan', state: 'started' });
  const reason = await continueDialogue(place, person);
  if (reason) return { reasons: [reason], finished: false };
  const last = place.run.state().dialogue.at(-1);
  if (last?.state !== 'written') {
    const text = `the draft was rejected; what was drafted is kept in ${place.run.folder}`;
    return { reasons: [needsPerson('rejected', text)], finished: false };
  }
  place.run.emit({ type: 'phase', phase: 'plan', state: 'ended', reason: `the plan is ${last.to}` });
  return { reasons: [], finished: true };
}

/** Undefined when nothing is left to say. */
async function continueDialogue(place: Place, person: Person): Promise<EndReason | undefined> {
  let end: EndReason | undefined;
  let misses = 0;
  const isPlannersTurn = async (): Promise<boolean> => {
    const still = await continueWithoutPlanner(place, person);
    if (still !== 'planner') end = still;
    return still === 'planner';
  };
  const ask: Asking['ask'] = async (root) => {
    const before = place.run.state().dialogue.length;
    const reply = await converse(place, root, isPlannersTurn);
    const said = place.run.state().dialogue.slice(before);
    if (said.some(({ state }) => state === 'asked' || state === 'drafted')) misses = 0;
    else if (reply.kind === 'missing') misses += 1;
    if (reply.kind === 'missing' && misses >= mostMisses && !place.run.signal.aborted) {
      const text = `the planner gives no answer: ${reply.reason}`;
      end = { exit: exitCodes.taskFailed, code: 'no-answer', text };
    }
    return [{ duties, reply }];
  };
  const stop = await askInLook(place, async () => {
    if (end || !(await isPlannersTurn())) return undefined;
    await restUntilContinued(place);
    const head = await readHeadCommit(place.repo);
    return { who: 'planner', head, base: head, duties, ask };
  });
  return end ?? (stop && reasonOfStop(place, stop));
}

const duties = [{ role: 'plan' }] as const;

/** `planner`: its turn; undefined: the end. */
async function continueWithoutPlanner(
  place: Place,
  person: Person,
): Promise<EndReason | 'planner' | undefined> {
  for (;;) {
    if (place.run.signal.aborted) return reasonOfStop(place, interrupted);
    const step = nextStep(place.run.state().dialogue);
    if (step.do === 'hear') return 'planner';
    if (step.do === 'end') return undefined;
    const silence = await runDialogueStep(place, person, step);
    if (!silence) continue;
    return place.run.signal.aborted
      ? reasonOfStop(place, interrupted)
      : needsPerson('unanswered', silence.silence, silence.hint);
  }
}

function needsPerson(code: string, text: string, hint?: string): EndReason {
  return { exit: exitCodes.needsPerson, code, text, ...defined({ hint }) };
}

/** Questions with nobody there: a planner that keeps asking never drafts. */
const mostUnasked = 20;

const tooMany: Silence = {
  silence: `the planner has asked ${mostUnasked} questions, and nobody answered`,
  hint: 'Make sure that the request says what you want; at a terminal `pawl plan --resume` continues.',
};

async function runDialogueStep(
  place: Place,
  person: Person,
  step: Exclude<DialogueStep, { do: 'hear' | 'end' }>,
): Promise<Silence | undefined> {
  switch (step.do) {
    case 'ask': {
      const answer = await person.answer(step.question);
      if ('silence' in answer) return answer;
      if (answer.by !== 'person' && step.question.question > mostUnasked) return tooMany;
      place.run.emit({ type: 'dialogue', state: 'answered', question: step.question.question, ...answer });
      return undefined;
    }
    case 'correct': {
      const { session = 0 } = step.draft;
      const problem = step.problems.map((text) => `- ${text}`).join('\n');
      place.run.emit({ type: 'dialogue', state: 'corrected', session, what: step.what, problem });
      return undefined;
    }
    case 'try-checks': {
      const { draft } = step.draft;
      const plan = parsePlan(readDraft(place, step.draft), step.draft.file);
      const commands = new Set(checksToTry(plan).map(({ command }) => command));
      const allowed = await person.allowsChecks([...commands]);
      if (typeof allowed === 'object') return allowed;
      const problems = allowed ? await tryTaskChecks(place, plan) : [];
      if (problems === undefined) return { silence: 'interrupted' };
      place.run.emit({ type: 'dialogue', state: 'tried', draft, tried: allowed, problems: [...problems] });
      return undefined;
    }
    case 'show':
      return show(place, person, step);
    case 'write':
      return writePlan(place, step);
  }
}

async function show(
  place: Place,
  person: Person,
  { draft, tried }: Extract<DialogueStep, { do: 'show' }>,
): Promise<Silence | undefined> {
  const judgement = await person.judge({
    draft,
    text: readDraft(place, draft),
    file: path.join(place.run.folder, draft.file),
    ...defined({ tried }),
  });
  if ('silence' in judgement) return judgement;
  if (judgement.choice === 'edited') {
    recordDraft(place, { text: judgement.text });
    return undefined;
  }
  const { choice, by } = judgement;
  const said = 'text' in judgement ? { text: judgement.text } : {};
  place.run.emit({ type: 'dialogue', state: 'judged', draft: draft.draft, choice, by, ...said });
  const left = [...draft.notes, ...(tried?.problems ?? [])];
  if (judgement.choice === 'accepted' && judgement.by === 'default' && left.length > 0) {
    // Nobody has seen it yet.
    const text = `Draft ${draft.draft} was accepted although the planner left this: ${left.join('; ')}`;
    place.run.emit({ type: 'noticed', code: 'draft-notes', text });
  }
  return undefined;
}

/** What is wrong with the checks, for the planner; undefined if interrupted. */
export async function tryTaskChecks(place: Place, plan: Plan): Promise<readonly string[] | undefined> {
  const checks = checksToTry(plan);
  if (checks.length === 0) return [];
  const { signal, config } = place.run;
  const timeoutMs = Math.min(config.clocks.check, fixed.trialMs);
  const commit = await readHeadCommit(place.repo);
  return inGround(place, { use: 'prove', commit }, async (ground) => {
    const tried = new Map<string, CheckResult>();
    for (const check of checks) {
      if (signal.aborted) return undefined;
      const { result } = await runOneCheck(place, check, { when: 'draft', ground, timeoutMs });
      tried.set(check.id, result);
    }
    return signal.aborted ? undefined : judgeTriedChecks(plan, tried, Math.round(timeoutMs / 1000));
  });
}
