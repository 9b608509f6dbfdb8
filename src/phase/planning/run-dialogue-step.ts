// The dialogue's steps without the planner. Each ends in a fact, or unanswered.

import path from 'node:path';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { inGround } from '../../ground/in-ground.ts';
import type { Ground } from '../../ground/make.ts';
import type { Person, Silence } from '../../place/person.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Plan } from '../../plan/plan.ts';
import { checksToTry, judgeTriedChecks, type TriedCheck } from '../../plan/tried-checks.ts';
import { runOneCheck } from '../../work/tree/run-checks.ts';
import { placeTaskChecks } from '../../work/work.ts';
import type { DialogueStep } from './dialogue-step.ts';
import { readDraft, recordDraft } from './record-draft.ts';
import { announcePlan, writePlan } from './write-plan.ts';

/** Questions with nobody there: a planner that keeps asking never drafts. */
const mostUnasked = 20;

const tooMany: Silence = {
  silence: `the planner has asked ${mostUnasked} questions, and nobody answered`,
  hint: 'Make sure that the request says what you want; at a terminal `pawl plan --resume` continues.',
};

export async function runDialogueStep(
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
    case 'try-checks':
      return tryChecks(place, person, step.draft);
    case 'show':
      return show(place, person, step);
    case 'announce':
      announcePlan(place, step.draft);
      return undefined;
    case 'write':
      return writePlan(place, step.writing);
  }
}

async function tryChecks(
  place: Place,
  person: Person,
  given: FactOf<'dialogue-drafted'>,
): Promise<Silence | undefined> {
  const { draft } = given;
  const plan = parsePlan(readDraft(place, given), given.file);
  const commands = checksToTry(plan).map(({ command }) => command);
  const allowed = await person.allowsChecks([...new Set(commands)]);
  if (typeof allowed === 'object') return allowed;
  const problems = allowed ? await tryTaskChecks(place, plan) : [];
  if (problems === undefined) return { silence: 'interrupted' };
  place.run.emit({ type: 'dialogue', state: 'tried', draft, tried: allowed, problems: [...problems] });
  return undefined;
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
  if (checksToTry(plan).length === 0) return [];
  const commit = await readHeadCommit(place.repo);
  return inGround(place, { use: 'prove', commit }, async (ground) => {
    const tried = await runAll(place, plan, ground);
    return tried && judgeTriedChecks(plan, tried);
  });
}

async function runAll(
  place: Place,
  plan: Plan,
  ground: Ground,
): Promise<ReadonlyMap<string, TriedCheck> | undefined> {
  const wanted = new Set(checksToTry(plan).map(({ id }) => id));
  const timeoutMs = Math.min(place.run.config.clocks.check, fixed.trialMs);
  const tried = new Map<string, TriedCheck>();
  for (const check of placeTaskChecks(plan)) {
    if (place.run.signal.aborted) return undefined;
    if (!wanted.has(check.id)) continue;
    const { result } = await runOneCheck(place, check, { when: 'draft', ground, timeoutMs });
    tried.set(check.id, { result, seconds: Math.round(timeoutMs / 1000) });
  }
  return place.run.signal.aborted ? undefined : tried;
}
