// A planner's conversation: one session gets each message, a new one all so far. Its words are journaled before use.
import { parseBlock } from '../../agent/marker.ts';
import { readModel } from '../../config/schema.ts';
import type { Reading } from '../../finding/opinion.ts';
import type { DialogueFact } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile } from '../../plan/file.ts';
import { parseQuestion, type Question } from '../../plan/question.ts';
import { formatDialogue, questionOf, startPrompt } from '../../prompt/dialogue-prompts.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers } from '../../prompt/prompts.ts';
import type { Template } from '../../prompt/template.ts';
import { takeAgent } from '../../work/session/choose-agent.ts';
import { fillNow, type Opening } from '../../work/session/open-session.ts';
import { mayGoOn, type Reply, type Talk, talk } from '../ask-in-look.ts';
import { nextStep } from './dialogue-step.ts';
import { readDraft, recordDraft } from './drafts.ts';

/** Read-only, in a throw-away checkout. `begin`: the prompt, and how the talk goes on. */
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

/** Until `isPlannersTurn`, which lets the others speak, says no. */
export function converse(
  place: Place,
  root: string,
  isPlannersTurn: () => Promise<boolean>,
): Promise<Reply<PlannerWord>> {
  const { config, state } = place.run;
  return talkToPlanner(place, { root, role: 'plan' }, ({ number, nonce, values }, template) => ({
    prompt: startPrompt(template, values, {
      request: readPlanFile(place.plan.file),
      checks: config.checks,
      dialogue: formatDialogue(state().dialogue, (draft) => readDraft(place, draft)),
    }),
    mayAsk: true,
    read: ({ marker, text }) => {
      const asks = marker?.name === 'NEEDS_INPUT' ? marker.text : undefined;
      return readPlannerWord(text, { nonce, words: state().dialogue, asks });
    },
    answer: async ({ turn, reply }) => {
      if (reply.kind !== 'opinion') return undefined;
      journalWord(place, number, reply.opinion);
      const isNext = (await isPlannersTurn()) && mayGoOn(place, turn);
      return isNext ? nextMessage(place, nonce) : undefined;
    },
  }));
}

function journalWord(place: Place, session: number, word: PlannerWord): void {
  const asked = place.run.state().dialogue.filter(({ state }) => state === 'asked').length;
  if (word.state === 'drafted') recordDraft(place, { text: word.text, session });
  else if (word.state === 'corrected') place.run.emit({ type: 'dialogue', session, ...word });
  else place.run.emit({ type: 'dialogue', question: asked + 1, session, ...word });
}

function nextMessage(place: Place, NONCE: string): string {
  const words = place.run.state().dialogue;
  const step = nextStep(words);
  if (step.do !== 'hear' || step.saying === undefined) throw new Error('the planner does not have the word');
  const said = step.saying;
  switch (said.state) {
    case 'answered':
      return fillNow(place, 'plan-answer', { QUESTION: questionOf(words, said), ANSWER: said.answer, NONCE });
    case 'corrected':
      return fillNow(place, 'plan-again', { PROBLEM: said.problem, NONCE });
    case 'judged':
      return fillNow(place, 'plan-comment', { DRAFT: `${said.draft}`, COMMENT: said.text ?? '', NONCE });
  }
}

type PlannerWord =
  | (Readonly<{ state: 'asked' }> & Question)
  | Readonly<{ state: 'drafted'; text: string }>
  | Readonly<{ state: 'corrected'; what: 'question' | 'answer'; problem: string }>;

/** The longest prose shown as a question, in characters. */
const mostProse = 4_000;

type Heard = Readonly<{ nonce: string; words: readonly DialogueFact[]; asks?: string | undefined }>;

/** An unreadable answer is asked for again once; then its prose is an open question. */
export function readPlannerWord(answer: string, { nonce, words, asks }: Heard): Reading<PlannerWord> {
  const open = (text: string): Reading<PlannerWord> => ({ value: { state: 'asked', text, options: [] } });
  if (asks) return open(asks);
  const word = readBlocks(answer, nonce);
  const last = words.at(-1);
  const wasTold = last?.state === 'corrected' && (last.what === 'question' || last.what === 'answer');
  if (answer !== '' && (word.state !== 'corrected' || !wasTold)) return { value: word };
  const prose = answer.replaceAll(/^<<<(?:PAWL|RALPHEX):[A-Z_]+.*$/gm, '').trim();
  if (prose === '') return { problem: 'it said nothing' };
  return open(prose.length > mostProse ? `${prose.slice(0, mostProse)} …` : prose);
}

function readBlocks(answer: string, nonce: string): PlannerWord {
  if (!/<<<PAWL:(?:QUESTION|PLAN_DRAFT)/.test(answer)) {
    // Naming one of them would ask a planner that has a question for a plan.
    const problem = `the answer holds neither a question nor a plan: it must end with a QUESTION or PLAN_DRAFT block that carries the word ${nonce}`;
    return { state: 'corrected', what: 'answer', problem };
  }
  const isQuestion = answer.lastIndexOf('<<<PAWL:QUESTION') > answer.lastIndexOf('<<<PAWL:PLAN_DRAFT');
  const block = parseBlock(answer, isQuestion ? 'QUESTION' : 'PLAN_DRAFT', nonce);
  if (!isQuestion && 'text' in block) return { state: 'drafted', text: `${block.text.trim()}\n` };
  const read = 'text' in block ? parseQuestion(block.text) : block;
  if ('problem' in read)
    return { state: 'corrected', what: isQuestion ? 'question' : 'answer', problem: read.problem };
  return { state: 'asked', ...read.value };
}
