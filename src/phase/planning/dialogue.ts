// The dialogue of `pawl plan`, step by step, from a request to a plan in its file: the planner speaks, a person answers and
// judges, pawl checks and writes. Which step is next is judged in dialogue-step.ts, from the journal alone.
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import { inCheckout } from '../../place/checkout.ts';
import type { Context } from '../../place/context.ts';
import { overspendNow, tellBudgets } from '../../work/budget/spending.ts';
import { interrupted, reasonOfStop, type Stop, stopOf } from '../../work/stopped.ts';
import { restUntilContinued } from '../../work/wait/rest.ts';
import { type NoWait, waitBefore, waitFor } from '../../work/wait/wait.ts';
import { converse } from './converse.ts';
import { takeStep } from './dialogue-acts.ts';
import { nextStep } from './dialogue-step.ts';
import type { Person, Silence } from './person.ts';

/** How it ended: what keeps it from exit 0, and whether a plan was written. */
export type DialogueEnd = Readonly<{ reasons: readonly EndReason[]; ended: boolean }>;

/** Sessions in a row of which no answer came before it is given up. */
const mostMisses = 3;

/** Goes through the dialogue to its end, or to where it has to stand still; on a resumed run from its last word. */
export async function planInDialogue(ctx: Context, person: Person): Promise<DialogueEnd> {
  ctx.emit({ type: 'phase-started', phase: 'plan' });
  const reason = await goThrough(ctx, person);
  const { dialogue } = ctx.state();
  const last = nextStep(dialogue);
  if (reason) return { reasons: [reason], ended: false };
  if (last.do !== 'end' || !last.written) return { reasons: [rejected(ctx)], ended: false };
  ctx.emit({ type: 'phase-ended', phase: 'plan', reason: `the plan is ${last.written.to}` });
  return { reasons: [], ended: true };
}

/** Why it stands still; undefined when nothing is left to say. */
async function goThrough(ctx: Context, person: Person): Promise<EndReason | undefined> {
  for (let misses = 0; ; ) {
    const still = await goOnWithoutPlanner(ctx, person);
    if (still !== 'planner') return still;
    const before = ctx.state().dialogue.length;
    const heard = await hearPlanner(ctx, person);
    if (heard && 'exit' in heard) return heard;
    const said = ctx.state().dialogue.slice(before);
    misses = said.some(isAnswer) ? 0 : misses + (heard ? 1 : 0);
    if (heard && misses >= mostMisses) return unheard(heard.why);
  }
}

function isAnswer({ type }: DialogueFact): boolean {
  return type === 'question-asked' || type === 'draft-given';
}

/** Takes all steps that are not the planner's; `planner` when it has the word, undefined at the end. */
async function goOnWithoutPlanner(ctx: Context, person: Person): Promise<EndReason | 'planner' | undefined> {
  for (;;) {
    if (ctx.signal.aborted) return reasonOfStop(ctx, interrupted);
    const step = nextStep(ctx.state().dialogue);
    if (step.do === 'hear') return 'planner';
    if (step.do === 'end') return undefined;
    const silence = await takeStep(ctx, person, step);
    if (!silence) continue;
    return ctx.signal.aborted ? reasonOfStop(ctx, interrupted) : formatSilence(silence);
  }
}

/** Lets a planner speak in a checkout; undefined: it did, or is to be asked once more. */
async function hearPlanner(
  ctx: Context,
  person: Person,
): Promise<EndReason | Readonly<{ why: string }> | undefined> {
  await restUntilContinued(ctx);
  if (ctx.signal.aborted) return reasonOfStop(ctx, interrupted);
  tellBudgets(ctx);
  const overspend = overspendNow(ctx, undefined, { newSession: true });
  if (overspend) return reasonOfStop(ctx, { why: 'budget', ...overspend });
  const noWait = await waitBefore(ctx, () => !ctx.state().pause);
  if (noWait) return stopped(ctx, noWait);
  const head = await readHeadCommit(ctx.repo);
  let still: EndReason | 'planner' | undefined = 'planner';
  const reply = await inCheckout(ctx, { head, base: head, who: 'planner' }, (root) =>
    converse(ctx, root, async () => {
      still = await goOnWithoutPlanner(ctx, person);
      return still === 'planner';
    }),
  );
  switch (reply.kind) {
    case 'opinion':
      return still === 'planner' ? undefined : still;
    case 'held':
      return undefined;
    case 'stop':
      return reasonOfStop(ctx, reply as Stop);
    case 'wait': {
      const cannot = await waitFor(ctx, reply, () => true);
      return cannot && stopped(ctx, cannot);
    }
    case 'missing':
      return ctx.signal.aborted ? reasonOfStop(ctx, interrupted) : { why: reply.reason };
  }
}

function stopped(ctx: Context, noWait: NoWait): EndReason {
  return reasonOfStop(ctx, stopOf(noWait));
}

function formatSilence({ silence, hint }: Silence): EndReason {
  return needsPerson('unanswered', silence, hint);
}

function rejected(ctx: Context): EndReason {
  const kept = `what was drafted is kept in ${ctx.run.folder}`;
  return needsPerson('rejected', `the draft was rejected; ${kept}`);
}

function needsPerson(code: string, text: string, hint?: string): EndReason {
  return { exit: exitCodes.needsPerson, code, text, ...(hint === undefined ? {} : { hint }) };
}

function unheard(why: string): EndReason {
  return { exit: exitCodes.taskFailed, code: 'no-answer', text: `the planner gives no answer: ${why}` };
}
