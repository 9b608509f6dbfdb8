// The dialogue of `pawl plan`, from a request to a plan file: the planner speaks, a person answers and judges, pawl
// checks and writes.
import { defined } from '../../defined.ts';
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { inLook } from '../../ground/in-ground.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import type { Person, Silence } from '../../place/person.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd } from '../../place/run.ts';
import { emitBudgets, overspendNow } from '../../work/budget/spending.ts';
import { whileStill } from '../../work/guard/standstill.ts';
import { interrupted, reasonOfStop } from '../../work/stopped.ts';
import { restUntilContinued } from '../../work/wait/rest.ts';
import { waitBefore, waitFor } from '../../work/wait/wait.ts';
import { converse } from './converse.ts';
import { nextStep } from './dialogue-step.ts';
import { runDialogueStep } from './run-dialogue-step.ts';

/** Sessions in a row without an answer. */
const mostMisses = 3;

const duties = [{ role: 'plan' }] as const;

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
  if (place.run.signal.aborted) return reasonOfStop(place, interrupted);
  emitBudgets(place);
  const overspend = overspendNow(place, undefined, { newSession: true });
  if (overspend) return reasonOfStop(place, { kind: 'stop', why: 'budget', ...overspend });
  const noWait = await waitBefore(place, { duties, isWanted: () => !place.run.state().pause });
  if (noWait) return reasonOfStop(place, noWait);
  const head = await readHeadCommit(place.repo);
  let still: EndReason | 'planner' | undefined = 'planner';
  const reply = await whileStill(place, 'planner', () =>
    inLook(place, { head, base: head, who: 'planner' }, (root) =>
      converse(place, root, {
        between: async () => {
          still = await continueWithoutPlanner(place, person);
          return still === 'planner';
        },
      }),
    ),
  );
  switch (reply.kind) {
    case 'opinion':
      return still === 'planner' ? undefined : still;
    case 'held':
      return undefined;
    case 'stop':
      return reasonOfStop(place, reply);
    case 'wait': {
      const cannot = await waitFor(place, reply, { duties, isWanted: () => true });
      return cannot && reasonOfStop(place, cannot);
    }
    case 'missing':
      return place.run.signal.aborted ? reasonOfStop(place, interrupted) : { why: reply.reason };
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
