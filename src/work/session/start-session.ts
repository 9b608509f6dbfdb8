// Starts the session of an attempt: its prompt, its model, the conversation it goes on with. How sessions are opened is
// opening.ts's; what it knows of the agent is its contract.
import path from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import type { LoopRule } from '../../agent/session/loop-detector.ts';
import { readContextTokens } from '../../agent/session/recorded.ts';
import type { Session } from '../../agent/session/session-plan.ts';
import { type ModelChoice, readModel } from '../../config/model-choice.ts';
import type { Snapshot } from '../../git/snapshot.ts';
import { sessionFile } from '../../journal/folder.ts';
import { journalFile } from '../../journal/read-journal.ts';
import type { Context } from '../../place/context.ts';
import { isClosed } from '../../plan/plan.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers, type TaskPrompt, taskPrompt } from '../../prompt/prompts.ts';
import { finalizePrompt, fixPrompt, nameFinding } from '../../prompt/review-prompts.ts';
import type { Template } from '../../prompt/template.ts';
import { peekAtTree } from '../inspect/work-tree.ts';
import { progressOf } from '../judge/progress.ts';
import { mayAskReplan } from '../plan/replan-rule.ts';
import { keepPlan, keepSnapshot, keptPlan } from '../run-files.ts';
import { checksOf, isOfPlan, stateOf, type Work } from '../work.ts';
import { type Continuation, findContinuation } from './continuation.ts';
import { formatNotes, notesFor } from './notes.ts';
import { openRunSession, prepareOpening } from './open-session.ts';

/** An opened session with its number in the run and the nonce its markers must carry. `continues`: it goes on with an earlier conversation. */
export type Started = Readonly<{ session: Session; number: number; nonce: string; continues: boolean }>;

/** What a session is started with. `fresh`: with a conversation of its own, even if the last one was cut off. */
export type StartGiven = Readonly<{ evidence: string; before: Snapshot; fresh: boolean }>;

/** Opens a session for the task's next attempt: one that goes on where the last was cut off, or a fresh one. */
export function startSession(ctx: Context, work: Work, given: StartGiven): Started {
  const opening = prepareOpening(ctx);
  const { number, nonce, guide, library } = opening;
  const agent = ctx.agentNamed(work.task.agent);
  const model = modelOf(ctx, work);
  // Who works beside the tasks begins anew: what it is asked is all it has to know.
  const mayContinue = !given.fresh && isOfPlan(work);
  const continued = mayContinue ? continuationOf(ctx, work, { agent, model: model.model }) : undefined;
  const role = roleOf(work);
  const template = readTemplate(library, role === 'task' && continued ? 'task-continue' : role);
  const notes = notesFor(ctx.state(), work.task.id);
  const told = { evidence: given.evidence, guide, nonce, notes: formatNotes(notes) };
  const prompt = words[role](ctx, work, { template, told });
  keepSnapshot(ctx, given.before);
  keepPlan(ctx, work.truth.text);
  const session = openRunSession(ctx, opening, {
    role,
    task: work.task,
    attempt: stateOf(ctx, work.task).attemptsEver,
    notes: notes.fresh.map(({ note }) => note),
    agent,
    ...(continued === undefined ? {} : { continues: continued }),
    model,
    request: {
      ...(continued === undefined ? {} : { resume: continued.id }),
      ...(work.task.tools === undefined ? {} : { tools: work.task.tools }),
    },
    prompt,
    bare: bareMarkers(template),
    cwd: ctx.repo.root,
    loopRule: loopRuleOf(ctx, work, given.before),
  });
  return { session, number, nonce, continues: continued !== undefined };
}

function roleOf({ fix, finalizes }: Work): keyof typeof words {
  return finalizes ? 'finalize' : fix ? 'fix' : 'task';
}

type Told = Pick<TaskPrompt, 'evidence' | 'guide' | 'nonce' | 'notes'>;

/** What every worker is told about the place and the checks. */
function commonOf(ctx: Context, work: Work) {
  return {
    root: ctx.repo.root,
    planFile: ctx.plan.name,
    plan: work.truth.plan,
    checks: checksOf(ctx, work.truth, work.task).map((check) => check.command),
  };
}

function formatTask(
  ctx: Context,
  work: Work,
  { template, told }: Readonly<{ template: Template; told: Told }>,
): string {
  const { answers } = stateOf(ctx, work.task);
  const answered = answers.map(({ question, answer }) => `You asked: ${question}\nThe answer: ${answer}`);
  return taskPrompt(template, {
    ...commonOf(ctx, work),
    ...told,
    notes: [...answered, ...told.notes],
    task: work.task,
    mayReplan: mayAskReplan(ctx, work.truth),
    closed: new Set(work.truth.plan.tasks.filter(isClosed).map(({ id }) => id)),
    defaultBranch: ctx.state().started.base,
    progressFile: path.join(ctx.run.folder, journalFile),
  });
}

function formatFix(
  ctx: Context,
  work: Work,
  { template, told }: Readonly<{ template: Template; told: Told }>,
): string {
  const findings = work.fix?.findings ?? [];
  return fixPrompt(template, { ...commonOf(ctx, work), ...told, findings: findings.map(nameFinding) });
}

function formatFinalize(
  ctx: Context,
  work: Work,
  { template, told }: Readonly<{ template: Template; told: Told }>,
): string {
  const base = ctx.state().started.base.slice(0, 12);
  const prompt = ctx.config.finalize.prompt ?? '';
  return finalizePrompt(template, { ...commonOf(ctx, work), ...told, base, prompt });
}

const words = { task: formatTask, fix: formatFix, finalize: formatFinalize } as const;

/** The conversation of the last session, if that is to go on. */
function continuationOf(
  ctx: Context,
  work: Work,
  next: { agent: Agent; model: string | undefined },
): Continuation | undefined {
  const state = ctx.state();
  return findContinuation(state, stateOf(ctx, work.task), {
    ...next,
    samePlan: keptPlan(ctx) === work.truth.text,
    settings: ctx.config.task,
    readTokens: (session) => readContextTokens(next.agent, `${sessionFile(ctx.run.folder, session)}.ndjson`),
  });
}

/** The tree is looked at beside the working agent, so only while what git obeys is as it was. */
function loopRuleOf(ctx: Context, work: Work, before: Snapshot): LoopRule | undefined {
  if (ctx.config.task.repeats === 0) return undefined;
  const { tree } = stateOf(ctx, work.task);
  return {
    most: ctx.config.task.repeats,
    tree: tree ?? work.start.tree,
    look: () => peekAtTree(ctx, before, work.start.tree),
  };
}

/** The model of the next attempt: the stronger one where the task is stuck, else the task's, else the role's; a fixer without one gets that of the tasks. */
function modelOf(ctx: Context, work: Work): ModelChoice {
  const { step } = progressOf(stateOf(ctx, work.task), ctx.config.task);
  const escalated = step === 'escalate' ? ctx.config.task.escalate : undefined;
  const { task, fix = task } = ctx.config.roles;
  return readModel(escalated ?? work.task.model ?? (work.fix ? fix : task));
}
