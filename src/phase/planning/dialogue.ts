// The dialogue of `pawl plan`: the planner speaks, a person answers and judges, pawl checks and writes.
import { defined } from '../../defined.ts';
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import type { Person, Silence } from '../../place/person.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd } from '../../place/run.ts';
import { interrupted, reasonOfStop } from '../../work/stopped.ts';
import { restUntilContinued } from '../../work/wait/rest.ts';
import { converse } from './converse.ts';
import { nextStep } from './dialogue-step.ts';
import { askInLook } from './planner-session.ts';
import { runDialogueStep } from './run-dialogue-step.ts';

/** Sessions in a row without an answer. */
const mostMisses = 3;

/** To its end, or a stop; a resumed run continues from its last message. */
export async function planInDialogue(place: Place, person: Person): Promise<PhaseEnd> {
  place.run.emit({ type: 'phase', phase: 'plan', state: 'started' });
  const reason = await continueDialogue(place, person);
  const { dialogue } = place.run.state();
  const last = nextStep(dialogue);
  if (reason) return { reasons: [reason], finished: false };
  if (last.do !== 'end' || !last.written) return { reasons: [rejected(place)], finished: false };
  place.run.emit({ type: 'phase', phase: 'plan', state: 'ended', reason: `the plan is ${last.written.to}` });
  return { reasons: [], finished: true };
}

/** Undefined when nothing is left to say. */
async function continueDialogue(place: Place, person: Person): Promise<EndReason | undefined> {
  for (let misses = 0; ; ) {
    const still = await continueWithoutPlanner(place, person);
    if (still !== 'planner') return still;
    const before = place.run.state().dialogue.length;
    const heard = await runPlanner(place, person);
    if (heard && 'exit' in heard) return heard;
    const said = place.run.state().dialogue.slice(before);
    misses = said.some(isAnswer) ? 0 : misses + (heard ? 1 : 0);
    if (heard && misses >= mostMisses) return unheard(heard.why);
  }
}

function isAnswer({ state }: DialogueFact): boolean {
  return state === 'asked' || state === 'drafted';
}

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
    return place.run.signal.aborted ? reasonOfStop(place, interrupted) : formatSilence(silence);
  }
}

/** Undefined if it spoke, or is to be asked once more. */
async function runPlanner(
  place: Place,
  person: Person,
): Promise<EndReason | Readonly<{ why: string }> | undefined> {
  await restUntilContinued(place);
  let still: EndReason | 'planner' | undefined = 'planner';
  const between = async () => {
    still = await continueWithoutPlanner(place, person);
    return still === 'planner';
  };
  const end = await askInLook(place, { role: 'plan', ask: (root) => converse(place, root, { between }) });
  switch (end?.kind) {
    case undefined:
      return undefined;
    case 'opinion':
      return still === 'planner' ? undefined : still;
    case 'stop':
      return reasonOfStop(place, end);
    case 'missing':
      return { why: end.reason };
  }
}

function formatSilence({ silence, hint }: Silence): EndReason {
  return needsPerson('unanswered', silence, hint);
}

function rejected(place: Place): EndReason {
  const kept = `what was drafted is kept in ${place.run.folder}`;
  return needsPerson('rejected', `the draft was rejected; ${kept}`);
}

function needsPerson(code: string, text: string, hint?: string): EndReason {
  return { exit: exitCodes.needsPerson, code, text, ...defined({ hint }) };
}

function unheard(why: string): EndReason {
  return { exit: exitCodes.taskFailed, code: 'no-answer', text: `the planner gives no answer: ${why}` };
}
