// Starts the session of an attempt: number, nonce, prompt, model, budget, trust. What it knows of the agent is its contract.
import path from 'node:path';
import type { Agent } from '../agent/agent.ts';
import type { CircleRule } from '../agent/circle.ts';
import { readContextTokens } from '../agent/recorded.ts';
import { openSession } from '../agent/session.ts';
import type { Session, SessionClocks } from '../agent/session-plan.ts';
import { parseDuration } from '../config/duration.ts';
import type { Config } from '../config/schema.ts';
import { writeFileUnsynced } from '../effect.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { sessionFile } from '../journal/folder.ts';
import { journalFile } from '../journal/journal.ts';
import { isClosed, type Task } from '../plan/plan.ts';
import { readTemplate } from '../prompt/library.ts';
import { bareMarkers, taskPrompt } from '../prompt/prompts.ts';
import { shareOfRest } from './budget.ts';
import { type Continuation, findContinuation } from './continuation.ts';
import { libraryNow, readGuide } from './guide.ts';
import { keepPlan, keepSnapshot, keptPlan } from './keep.ts';
import { notesFor, wordNotes } from './notes.ts';
import type { Context } from './phase.ts';
import { progressOf } from './progress.ts';
import { spendingNow } from './spending.ts';
import { checksOf, stateOf, type Work } from './work.ts';
import { peekAtTree } from './work-tree.ts';

/** An opened session with its number in the run and the nonce its markers must carry. `continues`: it goes on with an earlier conversation. */
export type Started = Readonly<{ session: Session; number: number; nonce: string; continues: boolean }>;

/** What a session is started with. `fresh`: with a conversation of its own, even if the last one was cut off. */
export type StartGiven = Readonly<{ evidence: string; before: Snapshot; fresh: boolean }>;

/** Opens a session for the task's next attempt: one that goes on where the last was cut off, or a fresh one. */
export function startSession(ctx: Context, work: Work, given: StartGiven): Started {
  const number = Math.max(0, ...ctx.state().sessions.keys()) + 1;
  const nonce = ctx.random(2);
  const untrusted = ctx.untrusted();
  const trusted = ctx.state().started.trusted && untrusted.length === 0;
  const agent = ctx.agentNamed(work.task.agent);
  const model = modelOf(ctx, work);
  const continued = given.fresh ? undefined : continuationOf(ctx, work, { agent, model: model.model });
  const template = readTemplate(libraryNow(ctx), continued ? 'task-continue' : 'task');
  const state = stateOf(ctx, work.task);
  const notes = notesFor(ctx.state(), work.task.id);
  const prompt = taskPrompt(template, {
    root: ctx.repo.root,
    planFile: ctx.plan.name,
    plan: work.truth.plan,
    task: work.task,
    closed: new Set(work.truth.plan.tasks.filter(isClosed).map(({ id }) => id)),
    checks: checksOf(ctx, work.truth, work.task).map((check) => check.command),
    evidence: given.evidence,
    guide: trusted ? '' : readGuide(ctx.repo.root, untrusted),
    notes: [
      ...state.answers.map(({ question, answer }) => `You asked: ${question}\nThe answer: ${answer}`),
      ...wordNotes(notes),
    ],
    nonce,
    defaultBranch: ctx.state().started.base,
    progressFile: path.join(ctx.run.folder, journalFile),
  });
  const name = sessionFile(ctx.run.folder, number);
  writeFileUnsynced(`${name}.prompt.md`, prompt, 0o600);
  keepSnapshot(ctx, given.before);
  keepPlan(ctx, work.truth.text);
  if (untrusted.length > 0 && ctx.state().started.trusted && !ctx.state().narrowed) {
    ctx.emit({ type: 'trust-narrowed', files: [...untrusted] });
  }
  const rest = shareOfRest(ctx.state(), spendingNow(ctx, work.task));
  const session = openSession(
    { spawn: ctx.spawn, sweep: ctx.sweep, emit: ctx.emit, signal: ctx.signal },
    {
      number,
      role: 'task',
      task: work.task.id,
      attempt: state.attemptsEver,
      notes: notes.fresh.map(({ note }) => note),
      agent,
      ...(continued === undefined ? {} : { continues: continued }),
      request: {
        ...model,
        ...(continued === undefined ? {} : { resume: continued.id }),
        ...(work.task.tools === undefined ? {} : { tools: work.task.tools }),
        ...(rest === undefined ? {} : { maxCostUsd: rest }),
        trusted,
        promptFile: `${name}.prompt.md`,
      },
      prompt,
      marker: { nonce, bare: bareMarkers(template) },
      cwd: ctx.repo.root,
      env: ctx.env,
      mark: `PAWL_SESSION=${ctx.run.folder}/${number}`,
      clocks: clocksOf(ctx.config.clocks, work.task),
      circles: circlesOf(ctx, work, given.before),
      rawFile: `${name}.ndjson`,
      stderrFile: `${name}.stderr.log`,
    },
  );
  return { session, number, nonce, continues: continued !== undefined };
}

/** The conversation of the last session, if that is to go on. */
function continuationOf(
  ctx: Context,
  work: Work,
  next: { agent: Agent; model: string | undefined },
): Continuation | undefined {
  const state = ctx.state();
  const last = Math.max(0, ...state.sessions.keys());
  return findContinuation(state, stateOf(ctx, work.task), {
    ...next,
    samePlan: keptPlan(ctx) === work.truth.text,
    settings: ctx.config.task,
    contextTokens: readContextTokens(next.agent, `${sessionFile(ctx.run.folder, last)}.ndjson`),
  });
}

/** The tree is looked at beside the working agent, so only while what git obeys is as it was. */
function circlesOf(ctx: Context, work: Work, before: Snapshot): CircleRule | undefined {
  if (ctx.config.task.repeats === 0) return undefined;
  const { tree } = stateOf(ctx, work.task);
  return {
    most: ctx.config.task.repeats,
    tree: tree ?? work.start.tree,
    look: () => peekAtTree(ctx, before, work.start.tree),
  };
}

function clocksOf(clocks: Config['clocks'], task: Task): SessionClocks {
  return {
    firstEventMs: clocks.firstEvent,
    silenceMs: clocks.silence,
    apiMs: clocks.api,
    toolMs: clocks.tool,
    sessionMs: (task.timeout === undefined ? undefined : parseDuration(task.timeout)) ?? clocks.session,
    drainMs: clocks.drain,
    interruptMs: clocks.interrupt,
    termMs: clocks.term,
    replyMs: clocks.reply,
    costEveryMs: clocks.cost,
  };
}

/** The model of the next attempt: the stronger one where the task is stuck, else the task's, else the role's. */
function modelOf(ctx: Context, work: Work): { model?: string; effort?: string } {
  const { step } = progressOf(stateOf(ctx, work.task), ctx.config.task);
  const escalated = step === 'escalate' ? ctx.config.task.escalate : undefined;
  const wanted = escalated ?? work.task.model ?? ctx.config.roles.task;
  if (wanted === undefined) return {};
  const [model = '', effort] = wanted.split(':', 2);
  return { ...(model === '' ? {} : { model }), ...(effort === undefined ? {} : { effort }) };
}
