// Re-planning: whether a planner may be asked, asking, and making an accepted answer the run's plan.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseBlock } from '../../agent/marker.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import type { ReplanWhy } from '../../event/planning.ts';
import type { FactOf } from '../../event.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { isAway, type Replan } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { judgeReplan, type ReplanJudgement } from '../../plan/judge-replan.ts';
import { diffLines } from '../../plan/line-diff.ts';
import { lintBy } from '../../plan/lint.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';
import { replanPrompt } from '../../prompt/dialogue-prompts.ts';
import { readPlanWithEdits } from '../../work/edits/external-edits.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { mayReplan } from '../../work/plan/plan-snapshot.ts';
import { restoreStart } from '../../work/rescue/rescue-point.ts';
import { readEvidence, writeEvidence } from '../../work/restart-files.ts';
import type { Stop } from '../../work/stopped.ts';
import { restWhilePaused } from '../../work/wait/rest.ts';
import { checksOf } from '../../work/work.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { type Asking, askInLook, correct } from '../ask-in-look.ts';
import { commitPlanFile, planMessage } from '../open/commit-plan.ts';
import { talkToPlanner } from './converse.ts';

export type Cause = Readonly<{ why: ReplanWhy; task: string; reason: string }>;

export type ReplanEnd = 'taken' | 'not-taken' | Stop;

const mostDiff = 400;

export async function replan(place: WorkPlace, cause: Cause): Promise<ReplanEnd> {
  const plan = readPlanWithEdits(place);
  const { replans, tasks } = place.run.state();
  const tree = tasks.get(cause.task)?.lastRound?.tree;
  if (!mayReplan(place.run, plan, { ...cause, tree })) return 'not-taken';
  const about = { replan: replans.length + 1, ...cause, plan: digestText(plan.text) };
  place.run.emit({ type: 'replan', state: 'started', ...about });
  return completeReplan(place);
}

/** Completes the last re-plan, even an earlier process's; `not-taken` if none is open. */
export async function completeReplan(place: WorkPlace): Promise<ReplanEnd> {
  const lastReplan = () => place.run.state().replans.at(-1);
  const stop = await askInLook(place, async () => {
    const open = lastReplan();
    if (!open || open.ended || open.taking) return undefined;
    await restWhilePaused(place);
    const { base } = place.run.state().started;
    const head = await readHeadCommit(place.repo);
    return { who: 'planner', head, base, duties, ask: (root) => askFor(place, open.started, root) };
  });
  if (stop) return stop;
  const { started, taking, ended } = lastReplan() ?? {};
  return started && taking && !ended ? applyReplan(place, { started, taking }) : 'not-taken';
}

const duties = [{ role: 'replan' }] as const;

async function askFor(place: Place, cause: Replan['started'], root: string): ReturnType<Asking['ask']> {
  const plan = readPlanWithEdits(place);
  // A person has changed the plan since: theirs is tried first.
  if (digestText(plan.text) !== cause.plan) {
    endReplan(place, { result: 'unchanged', reason: 'a person changed the plan meanwhile' });
    return [];
  }
  const { replans } = place.run.state();
  const whom = { root, role: 'replan' } as const;
  const reply = await talkToPlanner<Answer>(place, whom, ({ number: session, nonce, values }, template) => ({
    prompt: replanPrompt(template, values, {
      plan,
      closed: new Set(plan.tasks.filter(isClosed).map(({ id }) => id)),
      why: words[cause.why](cause).prompt,
      evidence: readEvidence(place, cause.task),
      refused: replans.flatMap(({ ended }) => (ended?.result === 'refused' ? ended.reason : [])),
      checks: checksOf(place, plan).map(({ command }) => command),
    }),
    read: (turn) => {
      const judged = judgeAnswer(place, plan, { turn, nonce });
      return judged.kind === 'wrong'
        ? { problem: judged.reasons.join('\n') }
        : { value: { session, judged } };
    },
    answer: (heard, sent) =>
      sent < mostCorrections ? correct(place, heard, { template: 'replan-again', nonce }) : undefined,
  }));
  if (reply.kind === 'missing' && !place.run.signal.aborted)
    endReplan(place, { result: 'failed', reason: reply.reason || 'the planner gave no answer' });
  if (reply.kind === 'opinion') conclude(place, plan.text, reply.opinion);
  return [{ duties, reply }];
}

type Answer = Readonly<{ session: number; judged: Exclude<ReplanJudgement, { kind: 'wrong' }> }>;

/** Unusable answers sent back into one session. */
const mostCorrections = 2;

function judgeAnswer(
  { run }: Place,
  plan: Plan,
  { turn, nonce }: Readonly<{ turn: Turn; nonce: string }>,
): ReplanJudgement {
  if (turn.marker?.name === 'PLAN_READY') return { kind: 'unchanged' };
  const block = parseBlock(turn.text, 'PLAN_DRAFT', nonce);
  if ('problem' in block) return { kind: 'wrong', reasons: [block.problem] };
  const judged = judgeReplan(plan, block.text, lintBy(run.config));
  return judged.kind === 'wrong'
    ? { ...judged, reasons: judged.reasons.map((reason) => `- ${reason}`) }
    : judged;
}

/** Saved if taken: from this fact on it will be applied. */
function conclude(place: Place, before: string, { judged, session }: Answer): void {
  if (judged.kind === 'unchanged')
    return void endReplan(place, { result: 'unchanged', reason: 'the planner leaves the plan as it is' });
  if (judged.kind === 'refused')
    return void endReplan(place, { result: 'refused', reason: judged.reasons.join('; ') });
  const { text, added, changed } = judged;
  const replan = numberOf(place);
  const file = `replan-${String(replan).padStart(3, '0')}.md`;
  writeFileAtomic(path.join(place.run.folder, file), text, 0o600);
  const lines = diffLines(before, text);
  const more = lines.length > mostDiff ? [`… and ${lines.length - mostDiff} lines more`] : [];
  place.run.emit({
    type: 'replan',
    state: 'taking',
    replan,
    session,
    file,
    before: digestText(before),
    after: digestText(text),
    added: [...added],
    changed: [...changed],
    diff: [...lines.slice(0, mostDiff), ...more],
  });
}

/**
 * Makes the saved text the run's plan: sets the old task's work aside, writes the file, commits it alone. After a kill
 * each step checks whether it was done.
 */
async function applyReplan(
  place: WorkPlace,
  { started, taking }: Pick<Replan, 'started'> & Readonly<{ taking: FactOf<'replan-taking'> }>,
): Promise<ReplanEnd> {
  refuseElsewhere(place);
  const { file, name, tracked } = place.plan;
  const now = digestText(readPlanFile(file));
  if (now !== taking.before && now !== taking.after)
    return endReplan(place, { result: 'failed', reason: 'the plan was changed by someone else meanwhile' });
  const rescue = await setWorkAside(place, started.task);
  // It may have been restored with the tree.
  if (digestText(readPlanFile(file)) !== taking.after)
    writePlanFile(file, readFileSync(path.join(place.run.folder, taking.file), 'utf8'));
  const { added, changed } = taking;
  const parts = Object.entries({ added, changed }).filter(([, ids]) => ids.length > 0);
  const reason = `tasks ${parts.map(([what, ids]) => `${what} ${ids.join(', ')}`).join(', ')}`;
  const message = planMessage(place.run, `re-plan ${words[started.why](started).subject}`, {
    body: `${started.reason}\n\n${reason}`.trim(),
    trailers: [`Pawl-Replan: ${started.replan}`],
  });
  const oid = tracked ? await commitPlanFile(place, { file: name, message }) : undefined;
  noteOldEvidence(place, started.task, rescue);
  return endReplan(place, { result: 'taken', reason, ...defined({ oid, rescue }) });
}

/** What was tried must not become part of tasks that now come first. */
async function setWorkAside(place: WorkPlace, id: string): Promise<string | undefined> {
  const task = place.run.state().tasks.get(id);
  // Work in a lane is not in this tree.
  if (!task?.start || task.start.lane !== undefined || isAway(task)) return undefined;
  if (task.standing.is === 'closed' || task.standing.is === 'closed-by-hand') return undefined;
  return restoreStart(place, { start: task.start }, `before the plan is changed for task ${id}`);
}

/** `subject`: of the commit; `prompt`: why the planner is asked. */
const words: Readonly<Record<ReplanWhy, (of: Cause) => Readonly<{ subject: string; prompt: string }>>> = {
  failure: ({ task, reason }) => ({
    subject: `after task ${task} failed`,
    prompt: `Task ${task} failed, and no attempt at it is left: ${reason}.`,
  }),
  request: ({ task, reason }) => ({
    subject: `as task ${task} asked for`,
    prompt: `The agent that works on task ${task} asks for another plan: ${reason}.`,
  }),
  'after-task': ({ task }) => ({
    subject: `after task ${task} was closed`,
    prompt: `Task ${task} is done. See whether the open tasks still fit what is there now; most often they do.`,
  }),
};

/** What was tried; the state tells where it is. */
function noteOldEvidence(place: Place, id: string, rescue: string | undefined): void {
  const before = readEvidence(place, id);
  const word = 'The plan has changed since: the text below is about an attempt at the old one.';
  if (rescue !== undefined && before !== '' && !before.startsWith(word))
    writeEvidence(place, id, `${word}\n\n${before}`);
}

function endReplan(
  place: Place,
  end: Omit<FactOf<'replan-ended'>, 'type' | 'state' | 'replan'>,
): 'taken' | 'not-taken' {
  place.run.emit({ type: 'replan', state: 'ended', replan: numberOf(place), ...end });
  return end.result === 'taken' ? 'taken' : 'not-taken';
}

function numberOf(place: Place): number {
  return place.run.state().replans.at(-1)?.started.replan ?? 0;
}
